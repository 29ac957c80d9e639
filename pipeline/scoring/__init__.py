"""The contract's arithmetic: pure functions over columns of codes."""
