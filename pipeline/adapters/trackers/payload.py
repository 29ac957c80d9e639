"""What is logged of one system, as plain values: metrics, params, tags, note, table."""

import json
import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any

import polars as pl

from pipeline.adapters.trackers.beside import aside
from pipeline.contract.metrics import (
    AGGREGATED,
    JUDGED,
    METRICS,
    RANKED,
    REASONS,
    SHOWN,
    SPANS,
    Metric,
    at_cutoff,
)
from pipeline.contract.results import present
from pipeline.contract.veil import Content, label
from pipeline.manifest.public import public

SLICES = 20
"""Slices whose metrics are logged, those with most questions first; tables hold all."""

RULES = ("macro", "n", "strict", "pooled", "low", "high", "na")
"""How a metric adds up, in the order in which lists of runs show it."""

ENDS = ("low", "high")

KEY_LENGTH = 250


def metrics(
    aggregates: pl.DataFrame, manifest: dict[str, Any], content: Content
) -> dict[str, float]:
    """Metrics of one system by name: `recall/macro`, `recall/n`, `hops: two/recall/macro`.

    Args:
        aggregates: Aggregates of that system.
        manifest: its run manifest, for the counts.
        content: whether a slice may be named.
    """
    whole = _whole(aggregates)
    found: dict[str, Any] = {}
    for rule in RULES:  # by rule, not by metric: lists show the first few
        for row in whole:
            found.update(_values(logged_as(row["metric"]), row, rule))
    found.update(_counts(manifest["counts"]))
    found.update(aside(manifest))
    kept = aggregates.filter(pl.col("attribute") != "").filter(_marked())
    order = kept.group_by("attribute", "value").agg(pl.col("n").max())
    order = order.sort(-pl.col("n").cast(pl.Int64), "attribute", "value").head(SLICES)
    for row in kept.join(order, on=["attribute", "value"], how="semi").iter_rows(named=True):
        slice_ = f"{row['attribute']}: {label(row['value'], content)}".replace("/", "∕")
        for rule in ("macro", "n", "na"):
            found.update(_values(f"{slice_}/{logged_as(row['metric'])}", row, rule))
    return {key(name): float(value) for name, value in found.items() if value is not None}


def of_points(points: list[dict[str, Any]], system: str) -> dict[str, float]:
    """Ends of each mean's interval, `recall/interval_low`, and the length of the contexts.

    Args:
        points: rows of score/points.json.
        system: whose rows.
    """
    rows = [row for row in points if row["system"] == system]
    found = {f"{logged_as(row['metric'])}/interval_{end}": row[end] for row in rows for end in ENDS}
    found["context/characters"] = rows[0]["context"] if rows else None
    return {key(name): float(value) for name, value in found.items() if value is not None}


def logged_as(metric: str) -> str:
    """A metric as MLflow can call it and as its own are called: `ndcg_at_10`."""
    return metric.replace("@", "_at_")


def name_in(logged: str) -> str:
    """The key of the metric that is logged so: `ndcg@10`."""
    base, sign, cutoff = logged.rpartition("_at_")
    return f"{base}@{cutoff}" if sign else logged


def _values(name: str, row: dict[str, Any], rule: str) -> dict[str, Any]:
    if rule == "na":
        return {f"{name}/na_{why}": row[f"na_{why}"] for why in REASONS if row[f"na_{why}"]}
    if rule in ("low", "high") and row["low"] == row["high"]:
        return {}
    return {f"{name}/{rule}": row[rule]}


def _counts(counts: dict[str, Any]) -> dict[str, Any]:
    return {
        "count/questions": counts["questions"],
        "count/responses": counts["responses"],
        "count/failed": counts["status"].get("failed", 0),
        "count/judge_failed": counts["status"].get("judge_failed", 0),
        "count/leaks": counts["leaks"],
    }


def params(configuration: dict[str, Any], system: str) -> dict[str, str]:
    """The configuration as flat names and texts, without credentials, the system first."""
    return {"system": system, **dict(_flat("", public(configuration)))}


def _flat(prefix: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for word, item in value.items():
            name = prefix if word == "_target_" else f"{prefix}.{word}".lstrip(".")
            yield from _flat(name, item)
    else:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        yield key(prefix), text


def tags(manifest: dict[str, Any], content: Content) -> dict[str, str]:
    """Tags by which a run is found again, filtered and told apart."""
    corpus, questions = manifest["corpus"], manifest["question_set"]
    found = {
        "fingerprint": manifest["fingerprint"],
        "content": content,
        "system": manifest["system"],
        "corpus": f"{corpus['name']} {corpus['version']}",
        "corpus_hash": corpus["content"],
        "question_set": f"{questions['name']} {questions['version']}",
        "question_set_hash": questions["content"],
        "labels_hash": manifest["hashes"]["labels"],
        "split": manifest["split"],
        "heldout_uses": manifest["heldout"]["uses"],
        "contract_version": manifest["contract_version"],
        "schema_version": manifest["schema_version"],
        "dirty": manifest["code"]["dirty"],
        "mlflow.source.name": "rag-assay",
        "mlflow.source.type": "LOCAL",
        "mlflow.source.git.commit": manifest["code"]["revision"],
        "mlflow.runType": "genai_evaluate",  # lists the run among the evaluation runs
    }
    return {name: str(value) for name, value in found.items() if value is not None}


def note(manifest: dict[str, Any], aggregates: pl.DataFrame) -> str:
    """The run's description, in Markdown: what it is, its headline numbers with their n."""
    corpus, questions = manifest["corpus"], manifest["question_set"]
    lines = [
        f"System **{manifest['system']}** on questions {questions['name']} "
        f"{questions['version']} (split {manifest['split']}), corpus {corpus['name']} "
        f"{corpus['version']}; scoring rules {manifest['contract_version']}.",
    ]
    if manifest["heldout"]["opened"]:
        lines.append(_opened(manifest["heldout"]))
    lines.append("")
    labels = {metric.name: metric.label for metric in SHOWN}
    for row in _whole(aggregates):
        ranked = at_cutoff(row["metric"])
        label_ = ranked.label if ranked else labels.get(row["metric"])
        lines += [f"- {label_}: {_headline(row)}"] if label_ else []
    return "\n".join(lines)


def _opened(heldout: dict[str, Any]) -> str:
    """How often held-out questions were looked at, and whether they bear it."""
    uses, budget = heldout["uses"], heldout.get("budget")
    said = f"Held-out questions of this set have been looked at {uses} time(s)"
    if heldout.get("over"):
        return f"{said}, budget {budget}: these questions no longer are held out."
    if heldout.get("spent"):
        return f"{said}, budget {budget}: {heldout['spent']} of them no longer are held out."
    return f"{said}."


def _whole(aggregates: pl.DataFrame) -> list[dict[str, Any]]:
    """The rows over all questions, metrics in the order in which they are always shown.

    Those at several cutoffs come last, each with its cutoffs rising.
    """
    order = [metric.name for metric in (*AGGREGATED, *JUDGED, *RANKED[3:])]
    rows = aggregates.filter(attribute="").filter(_marked()).iter_rows(named=True)

    def place(row: dict[str, Any]) -> tuple[bool, int, int]:
        name, _, cutoff = str(row["metric"]).partition("@")
        return at_cutoff(row["metric"]) is not None, order.index(name), int(cutoff or 0)

    return sorted(rows, key=place)


def _marked() -> pl.Expr:
    """Whether a row tells anything: metrics of spans do where people have marked some."""
    spans = pl.col("metric").is_in([metric.name for metric in SPANS])
    return ~spans | (pl.col("n") > 0) | (pl.col("na_unresolved") > 0)


def _headline(row: dict[str, Any]) -> str:
    shown = {"macro": row["macro"], "pooled": row["pooled"]}
    if row["strict"] != row["macro"]:
        shown["strict"] = row["strict"]
    if row["low"] != row["high"]:
        shown |= {"from": row["low"], "to": row["high"]}
    parts = [f"{name} {value:.4f}" for name, value in shown.items() if value is not None]
    out = ", ".join(f"{row[f'na_{why}']} {why}" for why in REASONS if row[f"na_{why}"])
    return ", ".join([*parts, f"n = {row['n']}"]) + (f" (left out: {out})" if out else "")


def table(
    scored: pl.DataFrame,
    questions: pl.DataFrame,
    answers: pl.DataFrame,
    statements: pl.DataFrame,
    judged: pl.DataFrame,
) -> dict[str, list[Any]]:
    """One row a response, for people to sort and read, from frames that are veiled already.

    Args:
        scored: PerQuestion of one system.
        questions: Questions, or columns question and text of it.
        answers: Answers of that system; rows aligned with `scored`.
        statements: Statements of that system; rows aligned with `scored`.
        judged: Judged of that system, rows aligned with `scored`; empty without verdicts.
    """
    text = scored.join(questions.select("question", "text"), on="question", how="left")["text"]
    columns: dict[str, list[Any]] = {"question_id": scored["question_id"].to_list()}
    if scored["repeat"].max() != 1:
        columns["repeat"] = scored["repeat"].to_list()
    columns |= {"question": text.to_list(), "status": scored["status"].to_list()}
    unmarked = {metric.name for metric in SPANS if not scored[metric.name].count()}
    columns |= {
        metric.name: scored[metric.name].to_list()
        for metric in METRICS
        if metric.name not in unmarked
    }
    ruled = present(judged)
    columns |= {metric.name: judged[metric.name].to_list() for metric in ruled}
    both = pl.concat([scored, judged.select(reasons(ruled))], how="horizontal") if ruled else scored
    columns["n/a"] = [na(row) for row in both.iter_rows(named=True)]
    columns["causes"] = [" ".join(row) for row in scored["causes"].to_list()]
    columns["leaks"] = [" ".join(row) for row in scored["leaks"].to_list()]
    columns["answer"] = answers["answer"].to_list()
    columns["claims"] = ["; ".join(stated(row)) for row in statements.iter_rows(named=True)]
    columns["error"] = answers["error"].to_list()
    return columns


def stated(statement: dict[str, Any]) -> list[str]:
    """The claims of a Statements row, each with what it cites: `monday [launch, archive]`."""
    claims = zip(statement["claim_ids"] or [], statement["cited_ids"] or [], strict=True)
    return [f"{claim} [{', '.join(cited)}]" for claim, cited in claims]


def reasons(metrics: Iterable[Metric]) -> list[str]:
    """The columns that say why values of these metrics are n/a."""
    return [f"{metric.name}_reason" for metric in metrics]


def na(row: dict[str, Any]) -> str:
    """Why values are n/a: `precision recall: unanswerable`.

    Args:
        row: of PerQuestion, joined with the reasons of Judged where there are some.
    """
    found: dict[str, list[str]] = {}
    for metric in (*METRICS, *JUDGED):
        reason = None if metric in SPANS else row.get(f"{metric.name}_reason")
        if reason is not None:
            found.setdefault(reason, []).append(metric.name)
    return "; ".join(f"{' '.join(names)}: {reason}" for reason, names in found.items())


def key(name: str) -> str:
    """A name as MLflow allows it; one that had to change ends in a hash and stays unique."""
    allowed = re.sub(r"[^/\w.\- :]", "_", name)[: KEY_LENGTH - 9]
    return name if allowed == name else f"{allowed}-{sha256(name.encode()).hexdigest()[:8]}"
