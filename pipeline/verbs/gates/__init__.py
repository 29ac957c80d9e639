"""What `gate` reads, and the pages that it makes of it."""
