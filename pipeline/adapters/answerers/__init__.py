"""Ways to answer from a context."""
