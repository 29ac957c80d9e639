"""What a person can ask for on the command line, one module a verb."""
