"""What is refused before anything is scored, and the words in which it is said."""
