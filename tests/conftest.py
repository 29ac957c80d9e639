"""What holds for every test."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)  # a busy machine is no fault of the code
settings.load_profile("untimed")
