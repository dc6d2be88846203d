"""Records as values that JSON can say."""

from __future__ import annotations

import math
from typing import Any

from grader.text.clean import clean


def plain(value: Any) -> Any:
    """Return the value with clean texts; numbers that JSON cannot say are the texts nan, inf and -inf."""
    match value:
        case dict():
            return {clean(key): plain(inner) for key, inner in value.items()}
        case list() | tuple():
            return [plain(inner) for inner in value]
        case str():
            return clean(value)
        case float() if not math.isfinite(value):
            return str(value)  # 'nan', 'inf' or '-inf', which float() reads back
        case _:
            return value
