"""Sides of a comparison, found where they lie: here, in a folder, a revision or MLflow."""
