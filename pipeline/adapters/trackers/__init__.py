"""Places where runs are kept."""
