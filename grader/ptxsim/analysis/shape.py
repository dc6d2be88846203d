"""The shape of a register: how its values in the 32 lanes of a warp are related.

A shape divides the lanes into groups of equal size. In a group, each lane's value is the value of the group's first
lane, which is known at run time only, plus an offset that is known at compile time. A register with one group and no
offsets is *uniform*; with one group and offsets, it is *affine*; with no groups, it is *varying*: nothing is known.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

LANES = 32
MOST_GROUPS = 4  # the number of rows of a warp in a block that is 8 threads wide
ZEROS = (0,) * LANES
LARGEST_STEP = 1 << 62


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
