"""The configuration as typed values, and adapters built from it."""

from pipeline.contract.policy import Acceptance
from pipeline.contract.uncertainty import Uncertainty
from pipeline.settings.adapters import adapter, describe
from pipeline.settings.schema import (
    GROUPS,
    PORTS,
    QuestionSet,
    Rubric,
    Settings,
    Versioned,
    acceptance,
    settings,
)

__all__ = [
    "GROUPS",
    "PORTS",
    "Acceptance",
    "QuestionSet",
    "Rubric",
    "Settings",
    "Uncertainty",
    "Versioned",
    "acceptance",
    "adapter",
    "describe",
    "settings",
]
