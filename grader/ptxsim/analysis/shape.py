"""The shape of a register: how its values in the 32 lanes of a warp are related.

A shape divides the lanes into groups of equal size. In a group, each lane's value is the value of the group's first
lane, which is known at run time only, plus an offset that is known at compile time. A register with one group and no
offsets is *uniform*; with one group and offsets, it is *affine*; with no groups, it is *varying*: nothing is known.
The positions of a block's threads in its warps give predefined registers their shapes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

LANES = 32
MOST_GROUPS = 4  # the number of rows of a warp in a block that is 8 threads wide
ZEROS = (0,) * LANES
LARGEST_STEP = 1 << 62
Dim3 = tuple[int, int, int]

MOST_BLOCKS = 2**31 - 1


@dataclass(frozen=True, slots=True)
class LaneShape:
    """`step`, a power of two, divides the value of every first lane; `low` and `high` bound the signed values.

    If the first lane's value is that of a predefined register, `root` names it, so that it cancels in x - (x & -32).
    """

    groups: int
    offsets: tuple[int, ...] = ZEROS
    step: int = 1
    low: int | None = None
    high: int | None = None
    root: str = ""

    @property
    def is_uniform(self) -> bool:
        return self.groups == 1 and self.offsets == ZEROS

    @property
    def is_varying(self) -> bool:
        return self.groups == 0

    @property
    def constant(self) -> int | None:
        """The value, if it is known and the same in all lanes."""
        return self.low if self.is_uniform and self.low is not None and self.low == self.high else None

    @property
    def is_not_negative(self) -> bool:
        return self.low is not None and self.low >= 0


VARYING = LaneShape(0)
UNIFORM = LaneShape(1)


@dataclass(frozen=True, slots=True)
class Geometry:
    """The extent of a block in threads along x, y and z."""

    block: Dim3

    @property
    def threads(self) -> int:
        return self.block[0] * self.block[1] * self.block[2]

    @property
    def warps(self) -> int:
        return -(-self.threads // LANES)

    def coordinates(self) -> NDArray[np.int32]:
        """Return the coordinates of all lanes (warps x 3 x 32); lanes without a thread continue the numbering."""
        return _coordinates(self)


def constant(value: int) -> LaneShape:
    """Return the shape of a number."""
    return LaneShape(1, ZEROS, step_of(value), value, value)


def step_of(value: int) -> int:
    """Return the largest power of two that divides a number."""
    return value & -value if value else LARGEST_STEP


def leader(lane: int, groups: int) -> int:
    """Return the first lane of a lane's group."""
    return lane - lane % (LANES // groups)


def refined(shape: LaneShape, groups: int) -> LaneShape:
    """Return the same shape with its lanes divided into more groups."""
    if shape.groups == groups:
        return shape
    offsets = tuple(shape.offsets[lane] - shape.offsets[leader(lane, groups)] for lane in range(LANES))
    step = shape.step
    for first in range(0, LANES, LANES // groups):
        step = min(step, step_of(shape.offsets[first]))
    return replace(shape, groups=groups, offsets=offsets, step=step, root="")


def flat(shape: LaneShape) -> LaneShape:
    """Return the shape with the fewest groups without offsets; VARYING if that takes more than MOST_GROUPS."""
    groups = shape.groups
    while 0 < groups <= MOST_GROUPS:
        candidate = refined(shape, groups)
        if candidate.offsets == ZEROS:
            return candidate
        groups *= 2
    return VARYING


def joined(first: LaneShape, second: LaneShape) -> LaneShape:
    """Return the most precise shape that includes both shapes."""
    if first == second:
        return first
    groups = max(first.groups, second.groups)
    if first.is_varying or second.is_varying:
        return VARYING
    first, second = refined(first, groups), refined(second, groups)
    if first.offsets != second.offsets:
        return VARYING
    low = None if first.low is None or second.low is None else min(first.low, second.low)
    high = None if first.high is None or second.high is None else max(first.high, second.high)
    return LaneShape(groups, first.offsets, min(first.step, second.step), low, high)


def of_lanes(values: tuple[int, ...]) -> LaneShape:
    """Return the shape of lanes with these known values."""
    return LaneShape(1, tuple(value - values[0] for value in values), step_of(values[0]), min(values), max(values))


def as_signed(value: int, width: int) -> int:
    """Return the number with a sign that the lowest bits of another one mean."""
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


@lru_cache(8)  # cached, because a kernel whose blocks wait for each other may have a thousand processors
def _coordinates(geometry: Geometry) -> NDArray[np.int32]:
    number = np.arange(geometry.warps * LANES)
    x, y, _ = geometry.block
    axes = np.stack([number % x, number // x % y, number // (x * y)])
    of_warps = np.ascontiguousarray(axes.reshape(3, geometry.warps, LANES).transpose(1, 0, 2), np.int32)
    of_warps.flags.writeable = False
    return of_warps


def special_shape(name: str, geometry: Geometry) -> LaneShape:
    """Return the shape of a predefined register (PTX ISA, "Special Registers")."""
    base, _, axis = name.partition(".")
    number = "xyz".find(axis) if axis else 0
    if base == "tid" and number >= 0:
        return _coordinate(geometry, number)
    if base == "ntid" and number >= 0:
        return constant(geometry.block[number])
    if base == "ctaid":
        return LaneShape(1, low=0, high=MOST_BLOCKS - 1)
    if base == "nctaid":
        return LaneShape(1, low=1, high=MOST_BLOCKS)
    if base == "laneid":
        return of_lanes(tuple(range(LANES)))
    return VARYING if base.startswith("lanemask") else UNIFORM


def _coordinate(geometry: Geometry, axis: int) -> LaneShape:
    """Return an affine shape if the lanes of every warp differ from its first lane in the same way."""
    lanes = geometry.coordinates()[:, axis, :]
    offsets = lanes - lanes[:, :1]
    full = geometry.threads // LANES
    if full > 1 and (offsets[:full] != offsets[0]).any():
        return VARYING
    if full < geometry.warps and full > 0 and (offsets[full] != offsets[0])[: geometry.threads % LANES].any():
        return VARYING
    step = min(step_of(int(first)) for first in lanes[:, 0])
    row = tuple(int(offset) for offset in offsets[0])
    return LaneShape(1, row, step, min(0, *row), max(geometry.block[axis] - 1, *row), f"tid.{axis}")
