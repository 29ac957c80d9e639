"""What may leave this machine's memory: values and messages without credentials."""

import re
from typing import Any

USERINFO = re.compile(r"(?<=://)[^/\s]*@")
QUERY = re.compile(r"(?i)([?&][^=&\s]*(?:password|passwd|secret|token|key)[^=&\s]*=)[^&\s]+")
SECRET = re.compile(r"(?i)(^|[_.-])(password|passwd|secret|token|api_?key|credentials?)$")


def public(value: Any) -> Any:
    """Return the value with every credential in it gone.

    User and password in a URL are cut out, secrets in its query and every value whose key
    names a secret (`api_key`, `password`, …) become `***`.
    """
    if isinstance(value, str):
        return QUERY.sub(r"\1***", USERINFO.sub("", value))
    if isinstance(value, dict):
        return {
            key: "***" if SECRET.search(str(key)) and item is not None else public(item)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [public(item) for item in value]
    return value
