"""Where a warp keeps its registers and masks between the parts of a kernel: at fixed places of the warp's record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.ptxsim.generate.layout import SAVED

MASK = 4  # bytes


@dataclass(frozen=True, slots=True)
class Frame:
    """Offsets into a warp's record: of each part of a register, after the masks of the blocks and of a pause."""

    blocks: int
    registers: Mapping[str, tuple[int, ...]]
    end: int

    def mask(self, block: int) -> int:
        """Return where the lanes that wait at a block are kept."""
        return SAVED + MASK * block

    @property
    def paused(self) -> int:
        """Where the active lanes are kept while a warp lets others run."""
        return self.mask(self.blocks)


@dataclass(slots=True)
class SavedState:
    """What a warp's record has of it while it does not run: registers, and where it resumes.

    All other registers are variables of the function. What is saved at barriers comes from `end` on. The labels of
    `resumes` are numbered from `first_resume` + 1 on.
    """

    frame: Frame | None = None
    registers: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    end: int = SAVED
    bytes: int = 0
    first_resume: int = 0
    resumes: list[str] = field(default_factory=list)


def frame(blocks: int, sizes: Mapping[str, tuple[int, int]]) -> Frame:
    """Return places for the masks of the blocks, and for registers by their number of parts and bytes of each."""
    places: dict[str, tuple[int, ...]] = {}
    place = SAVED + MASK * (blocks + 1)
    for name, (count, size) in sizes.items():
        place = -(-place // size) * size
        places[name] = tuple(range(place, place + size * count, size))
        place += size * count
    return Frame(blocks, places, place)
