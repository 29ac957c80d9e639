"""What the JSON documents of a side have to say, at the least."""

from typing import Annotated, Any

import msgspec


class Adapter(msgspec.Struct):
    """The part that stood at a port."""

    adapter: str


class Parts(msgspec.Struct):
    """Parts of a fingerprint that a comparison cannot do without."""

    contract_version: str
    corpus_hash: str
    questions_hash: str
    labels_hash: str
    permissions_hash: str
    split: str
    cutoff: int | None
    rubric: dict[str, Any]
    chunker: Adapter
    retriever: Adapter
    answerer: Adapter
    judge: Adapter


class System(msgspec.Struct):
    """One system of a folder."""

    fingerprint: str
    parts: Parts


class Identity(msgspec.Struct):
    """What score/identity.json has to say."""

    contract_version: str
    systems: Annotated[dict[str, Any], msgspec.Meta(min_length=1)]


class Settings(msgspec.Struct):
    """What score/settings.json has to say."""

    rubric: dict[str, Any]
    cutoffs: list[int] | None = None


class Ruled(msgspec.Struct):
    """What judge/settings.json has to say."""

    judge: Adapter


class Corpus(msgspec.Struct):
    """The corpus as the freeze manifest has it."""

    name: str
    version: str
    documents: int


class Asked(msgspec.Struct):
    """The question set as the freeze manifest has it."""

    name: str
    version: str


class Frozen(msgspec.Struct):
    """What freeze/manifest.json has to say."""

    corpus: Corpus
    question_set: Asked
    split: str
