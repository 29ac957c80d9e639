"""What every adapter that asks a model is told, however it asks."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from pipeline.calls.attempt import Prices
from pipeline.calls.batch import Handling
from pipeline.calls.call import Structured, Target
from pipeline.calls.client import Client
from pipeline.contract.errors import ConfigError
from pipeline.settings.endpoints import check_url

Whole = Annotated[int, Meta(ge=1)]
Price = Annotated[float, Meta(ge=0)] | None


@dataclass(frozen=True)
class Model:
    """A model behind an OpenAI-compatible endpoint; an adapter adds what it asks with.

    Attributes:
        WHERE: the adapter's group, in front of messages.
    """

    WHERE: ClassVar[str]
    HANDLING: ClassVar[frozenset[str]] = frozenset(
        {"api_key_env", "concurrency", "rpm", "timeout", "deadline", "retries"}
        | {"price_input", "price_output"}
    )

    base_url: str
    model: str
    api_key_env: str | None
    temperature: Annotated[float, Meta(ge=0)] | None
    max_tokens: Whole
    limit_key: Literal["max_tokens", "max_completion_tokens"]
    seed: Annotated[int, Meta(ge=0)] | None
    window: Whole | None
    concurrency: Whole
    rpm: Annotated[float, Meta(gt=0)] | None
    timeout: Annotated[float, Meta(ge=1)]
    deadline: Annotated[float, Meta(ge=1)]
    retries: Annotated[int, Meta(ge=0)]
    price_input: Price
    price_output: Price

    def __post_init__(self) -> None:
        check_url(self.base_url, f"{self.WHERE}.base_url")
        if self.window is not None and self.window <= self.max_tokens:
            raise ConfigError(
                f"{self.WHERE}.window", expected=f"more than max_tokens ({self.max_tokens})",
                got=str(self.window),
            )  # fmt: skip

    @property
    def prices(self) -> Prices:
        """What a token costs."""
        return Prices(self.price_input, self.price_output)

    def client(self, structured: Structured = True) -> Client:
        """Return what sends calls; `structured` as in `Target`."""
        settings: dict[str, Any] = {self.limit_key: self.max_tokens}
        settings |= {"temperature": self.temperature} if self.temperature is not None else {}
        settings |= {"seed": self.seed} if self.seed is not None else {}
        target = Target(self.base_url, self.model, self.api_key_env, settings, structured)
        handling = Handling(self.concurrency, self.rpm, self.timeout, self.deadline, self.retries)
        return Client(target, handling, self.prices, self.WHERE)
