"""A launch that ran again, and what its indices are compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from grader.explain.source_lines import Bounds
from grader.explain.source_text import Source
from grader.model import Shape
from grader.model.findings import Room, Space

if TYPE_CHECKING:
    from grader.contract.found import Finding


@dataclass(frozen=True, slots=True)
class Rerun:
    """A launch that ran again: its source, its size, what was found before, and whether that was at another size."""

    source: Source
    shape: Shape
    finding: Finding | None = None
    elsewhere: bool = False

    @property
    def prefix(self) -> str:
        return f"At {self.shape}: " if self.elsewhere else ""

    @property
    def room(self) -> Room | None:
        """The shared array that was left."""
        room = getattr(self.finding, "beside", None)
        return room if isinstance(room, Room) and room.space is Space.SHARED else None

    @property
    def bounds(self) -> Bounds:
        sides = {self.shape.M, self.shape.N, self.shape.K}
        return Bounds(sides, self.room.extent // self.room.element if self.room and self.room.element else 0)
