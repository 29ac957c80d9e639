"""Rulings by people and judges on the same items, and what they say of each other."""
