"""Words of a verb that has options, with mistakes as one line of the door's."""

import argparse
from typing import Any, NoReturn

from pipeline.contract.errors import ConfigError


class Arguments(argparse.ArgumentParser):
    """A parser of one verb's words."""

    def __init__(self, verb: str, *, remedy: str = "", **options: Any) -> None:
        super().__init__(f"python -m pipeline {verb}", **options)
        self.verb, self.remedy = verb, remedy

    def error(self, message: str) -> NoReturn:
        """Raise what the door turns into one line and exit code 3."""
        raise ConfigError(
            self.verb,
            expected=" ".join(self.format_usage().split()),
            got=message,
            remedy=self.remedy,
        )
