"""A launch that ran again, what its indices are compared with, and with which changes it was right."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from grader.explain.macros import broken_macro
from grader.explain.source_lines import Bounds
from grader.explain.source_text import SourceText
from grader.model import Fault, Interface, Shape, Verdict
from grader.model.findings import Room, Space
from grader.model.remedies import Remedy

if TYPE_CHECKING:
    from grader.contract.found import Finding


OF_KERNEL = {Space.SHARED, Space.LOCAL}
ADDING = {"+": "add", "-": "sub"}  # in names of functions
MOST_LINES = 2  # with more, they tell little


@dataclass(frozen=True, slots=True)
class Rerun:
    """A launch that ran again: its source, its size, what was found before, and how the lab calls the kernel."""

    source: SourceText
    shape: Shape
    finding: Finding | None = None
    lab: Interface | None = None

    @property
    def room(self) -> Room | None:
        """The shared array that was left, or the array of a thread."""
        room = getattr(self.finding, "beside", None)
        return room if isinstance(room, Room) and room.space in OF_KERNEL and room.name else None

    @property
    def bounds(self) -> Bounds:
        sides = {self.shape.M, self.shape.N, self.shape.K}
        return Bounds(sides, self.room.extent // self.room.element if self.room and self.room.element else 0)


@dataclass(frozen=True, slots=True)
class Told:
    """What a launch shows that ran again: a word for it, a sentence, the line that it leads to, and what to try.

    The line is 0 where none is known, and the hint empty where what failed has said enough.
    """

    kind: str
    sentence: str
    line: int
    hint: str = ""


def with_changes(fault: Fault, changes: Sequence[Remedy], source: SourceText) -> Fault:
    """Return the fault with the changes that make the kernel right, as its hint, and their line.

    A step of 0, with which a loop does not end, is often 1 with another divisor, and every thread then does what is the
    work of many.
    """
    by_line: dict[int, str] = {}
    if fault.verdict is Verdict.TIMEOUT:
        changes = [each for each in changes if not each.was.startswith(("/", "blockDim"))]
    for each in changes:
        if words := _words(each, source):
            by_line.setdefault(each.line, words)
    if not 0 < len(by_line) <= MOST_LINES or broken_macro(source):
        return fault
    tried = ", or ".join(f"{words} in line {line}" for line, words in by_line.items())
    hint = f"{tried[0].upper()}{tried[1:]}, every element of C was right in a trial, also with other inputs."
    return replace(fault, hint=hint, line=fault.line if fault.line in by_line else next(iter(by_line)))


def _words(change: Remedy, source: SourceText) -> str:
    """Return a change in words; nothing if its line does not have what would be changed."""
    was, instead = change.was, change.instead
    if instead == "up":
        return "with a division that rounds up"
    if function := re.search(rf"\b__([fd]){ADDING.get(was)}(_r[nzud])\b", source.text(change.line)):
        return f"with __{function[1]}{ADDING[instead]}{function[2]} instead of {function[0]}"
    before, behind = (r"[+-]", r"[+>-]") if was in {"+", "-"} else (r"[\w<>=+*/-]", r"[\w<>=]")
    if not re.search(rf"(?<!{before}){re.escape(was)}(?!{behind})", source.text(change.line)):
        return ""
    return f"with {instead} instead of {was}"
