"""What other tools keep of a system's outputs, one module a format."""
