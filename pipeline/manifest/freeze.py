"""The freeze manifest: what was frozen, under which name, with which hashes and counts.

Its layout and the meaning of each key stand in `freeze.schema.json`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any, Literal

import polars as pl

from pipeline.contract import CONTRACT_VERSION, SCHEMA_VERSION
from pipeline.contract.records import Part, Question, Response, Verdict, Version
from pipeline.manifest import content
from pipeline.manifest.versions import Frozen

Schema = Literal["freeze", "version"]


def described(frozen: Frozen) -> dict[str, Any]:
    """What the manifest says of a corpus and a question set alike."""
    return {
        "name": frozen.name,
        "version": frozen.title,
        "declared": frozen.version is not None,
        "content": frozen.content,
        "note": frozen.note,
        **frozen.terms,
    }


def named(
    kind: str, settings: Any, stated: Version, ids: Sequence[str], records: Iterable[Any]
) -> Frozen:
    """Bring together what the configuration and the set itself say of a version.

    Args:
        kind: `corpus` or `question_set`.
        settings: name, version and note of the configuration, which go first.
        stated: what the set says.
        ids: of its records.
        records: all of it, as it is hashed, in the same order.
    """
    lines = list(map(content.line, records))
    return Frozen(
        kind,
        settings.name or stated.name or kind,
        settings.version or stated.version,
        settings.note or stated.note,
        content.whole(lines),
        dict(zip(ids, map(content.short, lines), strict=True)),
        {key: getattr(stated, key) for key in ("licence", "authorisation", "retention")},
    )


def freeze_manifest(
    *,
    corpus: Frozen,
    question_set: Frozen,
    claims: bool,
    counts: Mapping[str, int],
    agreement: Mapping[str, Any],
    hashes: Mapping[str, str],
    responses: Mapping[str, Any],
    settings: Mapping[str, Any],
    notes: list[str],
) -> dict[str, Any]:
    """Put the manifest together; `settings` holds split, missing_policy, repeats and so on."""
    return {
        "schema_version": SCHEMA_VERSION,
        "contract_version": CONTRACT_VERSION,
        "corpus": {**described(corpus), "documents": len(corpus.members)},
        "question_set": {
            **described(question_set),
            "claims": claims,
            "counts": dict(counts),
            "agreement": dict(agreement),
        },
        "hashes": dict(hashes),
        "responses": dict(responses),
        "notes": notes,
        **settings,
    }


def count(
    every: Part[Question], questions: pl.DataFrame, relevance: pl.DataFrame,
    support: pl.DataFrame, claims: pl.DataFrame,
) -> dict[str, int]:  # fmt: skip
    """Count questions by what their labels say before any policy, and the set's splits.

    Args:
        every: all questions of the set; `dev` and `heldout` count these.
        questions: Questions of the chosen split, as are the other tables.
        relevance: Relevance.
        support: Support.
        claims: Claims.
    """
    sure = relevance.filter(pl.col("yes") == pl.col("votes"))["question"].unique()
    some = relevance["question"].unique()
    disputed = pl.concat(
        [
            frame.filter(pl.col("yes") < pl.col("votes"))["question"]
            for frame in (relevance, support)
        ]
    )
    labelled = int(questions["labelled"].sum())
    heldout = sum(row.split == "heldout" for row in every.rows)
    return {
        "questions": len(questions),
        "answerable": len(sure),
        "unanswerable": labelled - len(some),
        "unresolved": len(some) - len(sure),
        "not_labelled": len(questions) - labelled,
        "claims": len(claims),
        "disputed_questions": disputed.n_unique(),
        "dev": len(every.rows) - heldout,
        "heldout": heldout,
    }


def recorded(
    part: Part[Response], ruled: Part[Verdict], order: Literal["list", "scores"] = "list"
) -> dict[str, dict[str, Any]]:
    """Describe the responses of each system, each without a look at the others.

    Args:
        part: responses in order of (system, repeat, question); those at line 0 stand in
            for missing ones.
        ruled: recorded verdicts on them, in order of what names them.
        order: what their rankings go by.
    """
    systems: dict[str, list[tuple[Response, int]]] = {}
    for row, line in zip(part.rows, part.lines, strict=True):
        systems.setdefault(row.system, []).append((row, line))
    verdicts: dict[str, list[Verdict]] = {}
    for verdict in ruled.rows:
        verdicts.setdefault(verdict.system, []).append(verdict)
    return {
        system: _system(rows, order)
        | ({"verdicts": content.digest(verdicts[system])} if system in verdicts else {})
        for system, rows in systems.items()
    }


def _system(rows: list[tuple[Response, int]], order: str) -> dict[str, Any]:
    there = [row for row, line in rows if line]
    delivered = sum(row.delivered is not None for row in there)
    return {
        "content": content.digest(there),
        "responses": len(there),
        "repeats": sorted({row.repeat for row, _ in rows}),
        "failed": sum(row.status == "failed" for row, _ in rows),
        "missing": [[row.repeat, row.question_id] for row, line in rows if not line],
        "delivered": "inferred"
        if not delivered
        else "recorded"
        if delivered == len(there)
        else "partly",
        "order": order,
        **({"ties": sum(map(_tied, there))} if order == "scores" else {}),
    }


def _tied(response: Response) -> bool:
    """Whether two documents have one score, so that their order is only that of their ids."""
    scores = response.scores or []
    return len(set(scores)) < len(scores)


def validate(document: Mapping[str, Any], name: Schema = "freeze") -> None:
    """Raise ValueError with the place of the first thing that does not fit the schema."""
    from jsonschema import Draft202012Validator  # 0.1 s: not in the stage, whose shape tests hold

    for error in Draft202012Validator(schema(name)).iter_errors(document):
        raise ValueError(f"{name} manifest: {error.json_path}: {error.message}")


def schema(name: Schema = "freeze") -> dict[str, Any]:
    """The published JSON Schema of a manifest of that kind."""
    text = (files("pipeline.manifest") / f"{name}.schema.json").read_text("utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded
