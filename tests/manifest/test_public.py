"""No credential leaves with a value or a message."""

import pytest

from pipeline.manifest.public import public


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("https://me:secret@host/path", "https://host/path"),
        ("postgresql+psycopg2://me:s@cret@host:1/db", "postgresql+psycopg2://host:1/db"),
        ("two http://a:b@c and http://d:e@f.", "two http://c and http://f."),
        ("https://host/?api_key=s3&x=1&token=t", "https://host/?api_key=***&x=1&token=***"),
        ("sqlite:////a/path@home/x.db", "sqlite:////a/path@home/x.db"),
        ("mail me@host", "mail me@host"),
        ({"api_key": "s", "openai_token": "s"}, {"api_key": "***", "openai_token": "***"}),
        ({"password": None}, {"password": None}),
        ({"max_tokens": 5, "monkey": "y"}, {"max_tokens": 5, "monkey": "y"}),
        ([{"url": "http://a:b@c"}, 1, None, 0.5], [{"url": "http://c"}, 1, None, 0.5]),
    ],
)  # fmt: skip
def test_credentials_are_cut_out_and_everything_else_stays(given: object, shown: object) -> None:
    assert public(given) == shown
