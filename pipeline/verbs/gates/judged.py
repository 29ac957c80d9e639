"""A comparison with its verdict, read back from a file that anybody may have touched."""

from datetime import date
from pathlib import Path

import msgspec

from pipeline.comparison.outcomes import verdict, worst
from pipeline.contract.errors import ConfigError
from pipeline.contract.policy import NONE, Verdict
from pipeline.verbs.gates.document import Comparison, Held


def read_judged(path: Path, today: date) -> Comparison:
    """Read a comparison and see that its verdicts follow from its rules.

    A rule that leaned on a tolerance which has ended since fails: a comparison is made once
    and may be read for long.

    Raises:
        ConfigError: there is none, it is no comparison, it was made under no policy, or a
            verdict does not follow from the rules.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        remedy = "`python -m pipeline` makes one, and so does `python -m pipeline compare`"
        got = str(error.strerror).lower()
        raise ConfigError(str(path), expected="a comparison", got=got, remedy=remedy) from error
    try:
        document = msgspec.json.decode(content)
        if isinstance(document, dict) and document.get("acceptance", NONE) is None:
            remedy = "compare with acceptance=default, or with a policy of your own"
            raise ConfigError(str(path), expected="a policy", got=NONE, remedy=remedy)
        found = msgspec.convert(document, Comparison)
    except (msgspec.DecodeError, RecursionError) as error:
        got = " ".join(str(error).split())
        raise ConfigError(str(path), expected="a comparison, version 2", got=got) from error
    _follows(found, path)
    _ended(found, today)
    return found


def _follows(found: Comparison, path: Path) -> None:
    demanded = found.acceptance.demanded()
    for name, candidate in found.candidates.items():
        held = candidate.acceptance
        stated = {(rule.name, rule.severity) for rule in held.rules} if held else demanded
        if stated != demanded:
            apart = ", ".join(sorted({repr(rule) for rule, _ in stated ^ demanded}))
            expected = f"the rules of its policy at {name!r}"
            got = f"others, or of another severity: {apart}"
            raise ConfigError(str(path), expected=expected, got=got)
        if held is None or held.verdict != _verdict(held):
            expected = f"the verdict that the rules of {name!r} come to"
            got = "none" if held is None else repr(held.verdict)
            raise ConfigError(str(path), expected=expected, got=got)
    over_all = worst(held.verdict for _, _, held in found.held())
    if found.verdict != over_all:
        expected = f"the worst of its candidates, {over_all}"
        raise ConfigError(str(path), expected=expected, got=repr(found.verdict))


def _ended(found: Comparison, today: date) -> None:
    for _, _, held in found.held():
        for rule in held.rules:
            ended = [one for one in rule.tolerated if one.until < today.isoformat()]
            if ended and rule.outcome != "fail":
                rule.outcome = "fail"
                rule.tolerated = [one for one in rule.tolerated if one not in ended]
                rule.questions = sorted({one.question for one in ended})
                since = ", ".join(f"{one.question} on {one.until}" for one in ended)
                rule.why = "; ".join(filter(None, [f"tolerances ended: {since}", rule.why]))
        held.verdict = _verdict(held)
    found.verdict = worst(held.verdict for _, _, held in found.held())


def _verdict(held: Held) -> Verdict:
    return verdict({"severity": rule.severity, "outcome": rule.outcome} for rule in held.rules)
