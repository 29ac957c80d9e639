"""`purge [--older DAYS] [--dataset NAME]`: take calls of models out of the store.

What is taken away is asked and paid for again by the next run that needs it.
With both options, calls go that both are true of. `--dataset` is the name of the
question set that calls were made about.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from pipeline.calls.store import Store, place
from pipeline.contract.errors import OK
from pipeline.verbs.run import in_project
from pipeline.verbs.terminal.arguments import Arguments

MOST = 36_500
"""Days in a hundred years."""


def main(words: list[str], data: Path) -> int:  # noqa: ARG001 - every verb has this signature
    """Purge, and say how many calls went.

    Raises:
        ConfigError: the words are not right, or say nothing to choose by.
        EndpointError: the store cannot be used.
    """
    parser = Arguments("purge", add_help=False)
    parser.add_argument("--older", metavar="DAYS", type=float)
    parser.add_argument("--dataset", metavar="NAME")
    chosen = parser.parse_args(words)
    if chosen.older is None and chosen.dataset is None:
        parser.error("nothing to choose by")
    if chosen.older is not None and not 0 <= chosen.older <= MOST:
        parser.error(f"--older {chosen.older:g}, which is not from 0 to {MOST}")
    in_project()
    gone = 0
    if place().is_file():
        before = None
        if chosen.older is not None:
            edge = datetime.now(UTC) - timedelta(days=chosen.older)
            before = edge.isoformat(timespec="seconds")
        store = Store(place())
        gone = store.purge(before=before, dataset=chosen.dataset)
        store.close()
    print(f"purged {gone:,} calls")
    return OK
