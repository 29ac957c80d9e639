"""Settings that are right by themselves and contradict each other."""

from typing import Any

from pipeline.contract.errors import ConfigError
from pipeline.contract.sides import OUTSIDE
from pipeline.contract.tables import BUILT_IN
from pipeline.settings.adapters import adapter_class
from pipeline.settings.schema import Settings

RECORDED = "recorded.Recorded"
OURS = "pipeline.adapters."


def check_together(typed: Settings, params: dict[str, Any]) -> None:
    """Refuse parts that do not go together, and numbers that the built-in system cannot give.

    Plug-ins are left alone: what they can do is theirs to say.

    Raises:
        ConfigError: naming the first that is not right.
    """
    if typed.budget is None and typed.depth < typed.cutoff:
        raise ConfigError(
            "conf: depth",
            expected=f"the cutoff or more, which is {typed.cutoff}",
            got=str(typed.depth),
            remedy="what is not kept cannot reach the answer",
        )
    if typed.cutoffs is not None and typed.depth < max(typed.cutoffs):
        raise ConfigError(
            "conf: cutoffs",
            expected=f"numbers up to the depth, which is {typed.depth}",
            got=str(max(typed.cutoffs)),
            remedy="give a greater depth: what is not kept cannot be counted",
        )
    if _is(params, "answerer", "none.Unanswered") and not _is(params, "judge", "labels.Labels"):
        raise ConfigError(
            "conf: judge",
            expected="labels with answerer=none",
            got=_name(params, "judge"),
            remedy="there is no answer to judge",
        )
    if _is(params, "retriever", RECORDED):
        _whole_documents(params)
        return
    if _is(params, "answerer", RECORDED):
        raise ConfigError(
            "conf: answerer",
            expected="retriever=recorded with answerer=recorded",
            got=f"retriever={_name(params, 'retriever')}",
            remedy="a recorded answer never saw another context; answerer=extractive answers",
        )
    if params["retriever"]["_target_"].startswith(OURS):
        _built_in(typed, draws=adapter_class("answerer", params).draws)


def _whole_documents(params: dict[str, Any]) -> None:
    recorded = _is(params, "answerer", RECORDED)
    if recorded and not _is(params, "reranker", "none.Unchanged"):
        raise ConfigError(
            "conf: reranker",
            expected="none with answerer=recorded",
            got=_name(params, "reranker"),
            remedy="a recorded answer never saw another order; answerer=extractive answers",
        )
    target = params["chunker"]["_target_"]
    if target.startswith(OURS) and not _is(params, "chunker", "document.Document"):
        raise ConfigError(
            "conf: chunker",
            expected="document, since recorded rankings name documents",
            got=_name(params, "chunker"),
        )


def _built_in(typed: Settings, *, draws: bool) -> None:
    if not draws and typed.repeats not in (None, 1):
        raise ConfigError(
            "conf: repeats",
            expected="null or 1, for this answerer draws nothing at random",
            got=str(typed.repeats),
            remedy="its one repeat is all there is: leave repeats out",
        )
    ours = (None, BUILT_IN, f"system:{BUILT_IN}")
    if typed.baseline not in ours and not (typed.baseline or "").startswith(OUTSIDE):
        raise ConfigError(
            "conf: baseline",
            expected=f"null or {BUILT_IN}, the only system of such a run, or {', '.join(OUTSIDE)}",
            got=repr(typed.baseline),
        )


def _is(params: dict[str, Any], port: str, name: str) -> bool:
    return bool(params[port]["_target_"] == f"{OURS}{port}s.{name}")


def _name(params: dict[str, Any], port: str) -> str:
    """The module of an adapter, which is what its file in conf/ is called."""
    return str(params[port]["_target_"].split(".")[-2])
