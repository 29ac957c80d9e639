"""Vectors from an OpenAI-compatible endpoint."""

import json
import time
from collections.abc import Sequence
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

import numpy as np

from pipeline.adapters.retrievers.vectors import FloatMatrix, Role
from pipeline.contract.errors import EndpointError
from pipeline.settings.endpoints import hidden, secret

WAITS = (1.0, 2.0, 4.0, 8.0)
"""Seconds before each further try."""
KEY = "conf: retriever.api_key_env"
TIMEOUT = 120
PASSING = {408, 409, 425, 429, 500, 502, 503, 504}
"""Status codes that may be gone at the next try."""


class Endpoint:
    """POSTs texts to `<base_url>/embeddings`; the key is read from a variable, never kept."""

    def __init__(self, base_url: str, model: str, api_key_env: str | None, batch: int) -> None:
        self._url = f"{base_url.rstrip('/')}/embeddings"
        self._model, self._key, self._batch = model, api_key_env, batch

    @property
    def identity(self) -> dict[str, str | None]:
        """Where it is and which model is asked for."""
        return {"url": self._url, "model": self._model}

    def embed(self, texts: Sequence[str], role: Role) -> FloatMatrix:  # noqa: ARG002 - the port's
        """Texts -> (texts, dimensions); questions and documents are embedded alike.

        Raises:
            ConfigError: the variable that is to hold the key is not set.
            EndpointError: the endpoint refuses, stays away, or answers something else.
        """
        blocks = [texts[at : at + self._batch] for at in range(0, len(texts), self._batch)]
        made = [self._vectors(self._post(block), len(block)) for block in blocks]
        if len({rows.shape[1] for rows in made}) > 1:
            raise EndpointError(self._url, expected="vectors of one length", got="several")
        return np.concatenate(made)

    def _vectors(self, answer: Any, count: int) -> FloatMatrix:
        try:
            rows = sorted(answer["data"], key=lambda row: row["index"])
            if [row["index"] for row in rows] != list(range(count)):
                raise ValueError(f"{len(rows)} vectors for {count} texts")
            return np.array([row["embedding"] for row in rows], dtype=np.float32).reshape(count, -1)
        except (KeyError, TypeError, ValueError) as error:
            got = f"{type(error).__name__}: {error}"
            raise EndpointError(self._url, expected="a list of embeddings", got=got) from error

    def _post(self, texts: Sequence[str]) -> Any:
        body = json.dumps({"model": self._model, "input": list(texts)}).encode()
        request = Request(self._url, data=body, headers=self._headers())
        for wait in WAITS:
            try:
                return self._answer(request)
            except _PassingError:
                time.sleep(wait)
        return self._answer(request)

    def _answer(self, request: Request) -> Any:
        try:
            with build_opener(_NoRedirect).open(request, timeout=TIMEOUT) as reply:
                return json.load(reply)
        except HTTPError as error:
            raised = _PassingError if error.code in PASSING else EndpointError
            text = " ".join(error.read(300).decode(errors="replace").split())
            got = f"{error.code} {error.reason}: {text}"
            raise raised(
                self._url, expected="embeddings", got=hidden(got, secret(self._key, KEY))
            ) from error
        except (OSError, HTTPException, ValueError) as error:
            got = f"{type(error).__name__}: {error}"
            raise _PassingError(self._url, expected="embeddings", got=got) from error

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json"}
        key = secret(self._key, KEY)
        if key is not None:
            headers["Authorization"] = f"Bearer {key}"
        return headers


class _PassingError(EndpointError):
    """A failure that another try may not meet."""


class _NoRedirect(HTTPRedirectHandler):
    """Follows nobody elsewhere: the key is for this endpoint."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:  # noqa: ARG002 - urllib's
        return None
