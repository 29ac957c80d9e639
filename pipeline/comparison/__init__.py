"""Two sides set against each other: whether they may be, what differs, how sure it is."""
