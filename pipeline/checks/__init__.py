"""What is refused before anything is scored, and how accepted records become coded tables."""
