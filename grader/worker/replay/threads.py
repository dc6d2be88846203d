"""What a machine has of each thread: its place in the grid, its registers; and the access that is looked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Who: TypeAlias = "NDArray[np.int64]"  # numbers of threads


Step: TypeAlias = Callable[[Who], None]


class ReachedError(Exception):
    """The thread is at the access that is looked for."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@dataclass(slots=True)
class RegisterCell:
    """A register or a parameter: a value for each thread, and the node that it comes from, if any has one."""

    data: NDArray[np.generic]
    origins: NDArray[np.int64] | None = None

    def as_type(self, kind: np.dtype[np.generic]) -> NDArray[np.generic]:
        """Return the values as a type: the low part of wider ones."""
        wider = self.data.dtype.itemsize // kind.itemsize
        if self.data.dtype == np.bool_ or wider == 0:
            return self.data
        return self.data.view(kind) if wider == 1 else np.ascontiguousarray(self.data).view(kind)[::wider]

    def mark(self, who: Who, nodes: NDArray[np.int64] | int) -> None:
        """Say which nodes the values of these threads come from."""
        if self.origins is None:
            if isinstance(nodes, int):
                return
            self.origins = np.zeros(len(self.data), np.int64)
        self.origins[who] = nodes


@dataclass(frozen=True, slots=True)
class LaunchGeometry:
    """A grid, its blocks, and the linear numbers of those that run."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    blocks: NDArray[np.int64]

    @property
    def per_block(self) -> int:
        x, y, z = self.block
        return x * y * z

    def specials(self) -> dict[str, NDArray[np.uint32]]:
        """Return the predefined registers of every thread."""
        own, block = np.tile(np.arange(self.per_block), len(self.blocks)), np.repeat(self.blocks, self.per_block)
        values: dict[str, NDArray[np.int64] | int] = {"laneid": own % 32}
        for name, number, sides in (("tid", own, self.block), ("ctaid", block, self.grid)):
            x, y, _ = sides
            values |= {f"{name}.x": number % x, f"{name}.y": number // x % y, f"{name}.z": number // (x * y)}
            values |= {f"n{name}.{axis}": side for axis, side in zip("xyz", sides, strict=True)}
        values["reserved_smem_offset_1"] = 0
        return {name: np.broadcast_to(np.asarray(each, np.uint32), own.shape) for name, each in values.items()}


@dataclass(slots=True)
class SoughtAccess:
    """The access that is looked for, after some others of its kind: to an address, or to no multiple of some bytes.

    No barrier is between it and the last of those `before`, of which `times` have been seen. Of those that should
    stay `inside` of an array, it is the first outside, by any thread if that is -1.
    """

    thread: int
    line: int
    address: int
    after: int = 0
    multiple: int = 0
    before: SoughtAccess | None = None
    inside: Mapping[int, range] = field(default_factory=dict)  # where instructions stay in local memory
    times: int = 0
    opened: int = -1  # barriers until then

    def seen(self, opened: int) -> None:
        """Take note of the access, after so many barriers."""
        self.times, self.opened = self.times + 1, opened

    def reached(self, opened: int = 0) -> bool:
        """Whether this is the access, of those that are like it."""
        if self.before is not None and self.before.opened != opened:
            return False
        self.after -= 1
        return self.after < 0
