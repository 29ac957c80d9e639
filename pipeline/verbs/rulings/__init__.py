"""What people and judges said of the same items: read, drawn, taken back, measured."""
