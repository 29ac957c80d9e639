"""Ways to cut documents."""
