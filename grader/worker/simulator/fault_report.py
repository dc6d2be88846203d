"""The report that the runtime leaves when it stops a run, and its fields.

A submission is native code and could write that report itself: every field is checked, and numbers are all it gives.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

REPORT_BYTES = 4096

Facts = Mapping[str, object]


def read_report(path: Path) -> Facts | None:
    """Return the runtime's report, or None if there is none or it makes no sense."""
    try:
        with path.open("rb") as file:
            raw = file.read(REPORT_BYTES).rstrip(b"\0")
        facts = json.loads(raw)
    except (OSError, ValueError, RecursionError):
        return None
    return facts if isinstance(facts, dict) and isinstance(facts.get("kind"), str) else None


def number(facts: Facts, key: str) -> int:
    """Return a whole number of the report, 0 if it has none there."""
    value = facts.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def text(facts: Facts, key: str) -> str:
    """Return what can be printed of a text of the report."""
    value = facts.get(key)
    return "".join(letter for letter in value if letter.isprintable())[:200] if isinstance(value, str) else ""


def triple(facts: Facts, key: str) -> str:
    """Return three coordinates as CUDA's users write them."""
    value = facts.get(key)
    numbers = [v for v in value if isinstance(v, int)] if isinstance(value, list) else []
    return f"({', '.join(str(number) for number in numbers[:3])})"


def thread(facts: Facts) -> str:
    """Return the subject of a sentence: the thread that was running."""
    return f"Thread {triple(facts, 'thread')} of block {triple(facts, 'block')}"


def in_line(line: int | None) -> str:
    """Return the end of a sentence about a line, if it is known."""
    return f" in line {line}" if line else ""
