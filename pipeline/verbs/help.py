"""The page of `--help`: verbs, groups with their options, keys; a line each."""

from importlib import import_module
from textwrap import fill

from pipeline.contract.errors import OK
from pipeline.settings import GROUPS
from pipeline.stages.compose import CONF

HEAD = """\
usage: python -m pipeline [verb] [group=option …] [key=value …]

Scores retrieval-augmented systems on a frozen corpus and labelled questions,
compares them question by question, and logs them to MLflow.

verbs"""
EXITS = """\
exit codes
  0 fine  1 rejected (gate)  2 not comparable, unmeasurable
  3 bad data or configuration  4 store or DVC failed  70 a bug of ours
  130 interrupted"""


def main(verbs: dict[str, str]) -> int:
    """Print the page."""
    print(HEAD)
    for name, meaning in verbs.items():
        print(f"  {name:<12} {meaning}")
    print("\ngroups (conf/GROUP/OPTION.yaml)")
    for group in GROUPS:
        options = sorted(file.stem for file in (CONF / group).glob("*.yaml"))
        text = f"{group:<10} {' | '.join(options) or '(run it in the project folder)'}"
        print(fill(text, 80, initial_indent="  ", subsequent_indent=" " * 13))
    print("\nkeys (conf/config.yaml; keys of an option: group.key=value)")
    for key, meaning in _keys():
        print(f"  {key:<25} {meaning}")
    print(f"\n{EXITS}")
    return OK


def of_verb(verb: str) -> int:
    """Print what one verb does, as its module says it."""
    doc = import_module(f"pipeline.verbs.{verb.replace('-', '_')}").__doc__ or ""
    words, _, meaning = doc.strip().removeprefix("`").partition("`: ")
    print(f"usage: python -m pipeline {words}\n\n{meaning}")
    return OK


def _keys() -> list[tuple[str, str]]:
    """Read keys and their comments from conf/config.yaml, so that they are said once."""
    file = CONF / "config.yaml"
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    found, above = [], ""
    for line in lines[lines.index("") if "" in lines else 0 :]:
        key, colon, rest = line.partition(":")
        if not colon or key.lstrip().startswith(("#", "-")):
            continue
        name = f"{above}.{key.strip()}" if key.startswith(" ") else key.strip()
        value, _, comment = rest.partition("#")
        if not value.strip():
            above = key.strip()
            continue
        found.append((f"{name}={value.strip()}", comment.strip()))
    return found
