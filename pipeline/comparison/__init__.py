"""What two scored systems say when they are set against each other."""
