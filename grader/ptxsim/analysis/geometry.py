"""The positions of a block's threads in its warps, and the shapes of coordinates that follow from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.analysis.shape import LANES, UNIFORM, VARYING, LaneShape, constant, of_lanes, step_of

Dim3 = tuple[int, int, int]

MOST_BLOCKS = 2**31 - 1


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
    if base == "warpid":
        return LaneShape(1, low=0, high=geometry.warps - 1)
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
