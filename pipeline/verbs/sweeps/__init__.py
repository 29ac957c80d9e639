"""A numeric key against every metric: which runs, the table, the figure."""
