"""RAG Assay: did a change to a retrieval-augmented system really make it better?"""
