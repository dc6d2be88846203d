"""Places in a kernel, to which generated code refers by numbers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """What generated code names by a number: the instruction it was in, and the student's line."""

    instruction: str
    line: int
