"""Calls of language models: made once, kept in a store, and never paid for twice."""
