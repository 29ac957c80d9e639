"""Ways to rank chunks."""
