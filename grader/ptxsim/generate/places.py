"""Places in a kernel, to which generated code refers by numbers."""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.ptxsim.syntax.records import Instruction


@dataclass(frozen=True, slots=True)
class Place:
    """What generated code names by a number: the instruction it was in, and the student's line.

    `block` is the basic block of the instruction; -1 where the code belongs to no instruction.
    """

    instruction: str
    line: int
    block: int = field(default=-1, compare=False)
    record: Instruction | None = field(default=None, compare=False, repr=False)
