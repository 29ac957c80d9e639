"""The pipeline's steps: read, compute, check, write."""
