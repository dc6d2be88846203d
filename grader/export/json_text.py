"""JSON as text. NaN and infinity are refused, because strict readers refuse them."""

from __future__ import annotations

import json
from typing import TypeAlias

Json: TypeAlias = dict[str, object]


def line(values: object) -> str:
    """Return the values as one line of JSON, without a line end."""
    return json.dumps(values, allow_nan=False)


def document(values: object) -> str:
    """Return the values as an indented JSON document."""
    return json.dumps(values, indent=2, allow_nan=False) + "\n"
