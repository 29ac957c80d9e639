"""The typed configuration: every key of params.yaml but the adapters'."""

import dataclasses
from typing import Annotated, Any, Literal

from msgspec import Meta

from pipeline.contract.errors import ConfigError
from pipeline.contract.policy import Acceptance
from pipeline.contract.uncertainty import Uncertainty
from pipeline.settings.building import build
from pipeline.settings.policy import check_policy, check_uncertainty

PORTS = frozenset({"dataset", "chunker", "retriever", "reranker", "answerer", "judge", "tracker"})
"""Keys that hold an adapter; each is a conf group, a port and an argument of a stage."""

Cutoff = Annotated[int, Meta(ge=1, le=10_000)]
"""A k of metrics of rankings."""

GROUPS = (*sorted(PORTS), "rubric", "acceptance", "experiment")
"""Every conf group; `experiment` overlays leave no key of their own."""


@dataclasses.dataclass(frozen=True)
class Versioned:
    """Name, version and change note of a corpus or a question set; null: as the data say."""

    name: Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")] | None
    version: Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")] | None
    note: str | None


@dataclasses.dataclass(frozen=True)
class QuestionSet(Versioned):
    """As above; `claims` says whether the set carries claim labels (auto: if any has)."""

    claims: bool | Literal["auto"]


@dataclasses.dataclass(frozen=True)
class Rubric:
    """The scoring rules that people may choose; hashed into every fingerprint."""

    ids: Literal["open", "narrow"]
    unresolved: Literal["interval", "exclude", "majority"]
    overlap: Annotated[int, Meta(ge=1)]
    tokenizer: Literal["characters", "words", "cl100k"]


@dataclasses.dataclass(frozen=True)
class Settings:
    """Everything of params.yaml but the adapters, which `adapter` builds one by one."""

    corpus: Versioned
    question_set: QuestionSet
    cutoff: Annotated[int, Meta(ge=1, le=100)]
    budget: Annotated[int, Meta(ge=1)] | None
    depth: Annotated[int, Meta(ge=1, le=10_000)]
    split: Literal["dev", "heldout", "all"]
    repeats: Annotated[int, Meta(ge=1, le=1_000)] | None
    missing: Literal["refuse", "failed"]
    baseline: str | None
    reason: str | None
    heldout_budget: Annotated[int, Meta(ge=1)] | None
    seed: Annotated[int, Meta(ge=0, le=2**32 - 1)]
    rubric: Rubric
    acceptance: Acceptance
    uncertainty: Uncertainty
    cutoffs: Annotated[tuple[Cutoff, ...], Meta(min_length=1)] | None = None


def settings(params: dict[str, Any]) -> Settings:
    """Return the typed settings of a composed configuration.

    Raises:
        ConfigError: a key is unknown, missing, of another type or out of range.
    """
    ports = {key: value for key, value in params.items() if key in PORTS}
    rest = {key: value for key, value in params.items() if key not in PORTS}
    for port in sorted(PORTS - set(ports)):
        raise ConfigError(f"conf: {port}", expected="an adapter", got="no such key")
    typed = build(Settings, rest, "conf", also=PORTS)
    if typed.split != "dev" and not (typed.reason or "").strip():
        raise ConfigError(
            "conf: reason",
            expected=f"why the held-out questions are opened (split={typed.split})",
            got="nothing",
            remedy="add reason='...'; it is written to the ledger",
        )
    check_policy(typed.acceptance)
    check_uncertainty(typed.uncertainty)
    return typed


def acceptance(params: dict[str, Any]) -> Acceptance:
    """Return the policy of a composed configuration.

    Raises:
        ConfigError: as in `settings`.
    """
    policy = build(Acceptance, params["acceptance"], "conf: acceptance")
    check_policy(policy)
    return policy
