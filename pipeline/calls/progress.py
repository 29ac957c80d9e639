"""How far calls have come: a bar on a terminal, nothing anywhere else."""

import sys
from types import TracebackType
from typing import Any, Self

from pipeline.calls.attempt import Prices, Reply
from pipeline.calls.estimate import money


class Bar:
    """Done of all, failures, cost so far and the time left, on standard error."""

    def __init__(self, total: int, prices: Prices) -> None:
        self._total, self._prices = total, prices
        self._failed, self._cost, self._unknown = 0, 0.0, False
        self._shown: Any = None
        self._task: Any = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich import progress as parts
            from rich.console import Console

            self._shown = parts.Progress(
                parts.BarColumn(20),
                parts.MofNCompleteColumn(),
                parts.TextColumn("{task.description}"),
                parts.TimeRemainingColumn(),
                parts.TextColumn("left"),
                console=Console(stderr=True),
            )
            self._shown.start()
            self._task = self._shown.add_task(self.line(), total=self._total)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._shown is not None:
            self._shown.stop()

    def step(self, reply: Reply) -> None:
        """Count one call that is over."""
        self._failed += reply.text is None
        cost = self._prices.cost(reply.input_tokens, reply.output_tokens)
        self._unknown |= cost is None
        self._cost += cost or 0
        if self._shown is not None:
            self._shown.update(self._task, advance=1, description=self.line())

    def line(self) -> str:
        """Failures and cost in words; a cost that leaves calls out says so."""
        cost = f"{money(self._cost)}{' and some unknown' if self._unknown else ''}"
        if self._unknown and not self._cost:
            cost = "cost n/a"
        return f"{self._failed:,} failed, {cost}"
