"""What holds for every test."""

from hypothesis import settings

# a busy machine is no fault of the code; tests that need more examples say so themselves
settings.register_profile("untimed", deadline=None, max_examples=20)
settings.load_profile("untimed")
