"""Ways to order a ranking anew."""
