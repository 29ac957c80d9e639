"""The swappable parts, one folder a port."""
