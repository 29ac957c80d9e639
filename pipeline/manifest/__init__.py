"""What a run was made of: content hashes, fingerprints, documents with a schema."""
