"""What a finished run looks like in a terminal, one module for each part of the page."""
