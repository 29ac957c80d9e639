"""Readers of people's data."""
