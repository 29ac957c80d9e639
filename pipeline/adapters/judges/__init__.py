"""Ways to find the claims of an answer."""
