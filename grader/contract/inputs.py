"""The inputs of every launch, fresh from a seed, and which blocks of a launch run with which of them. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from grader.contract.balanced_inputs import balanced
from grader.contract.precision import SIGNIFICAND, cut
from grader.contract.real_inputs import real
from grader.contract.whole_inputs import LARGEST_START, is_exact, is_integer, whole
from grader.model import Case, Interface

MIXED = ("mixed-1", "mixed-2")  # whole numbers, and very small ones; A of one and B of the other have all bits
DENSE = ("balanced", "real")  # every term of every sum counts, or those of many sums
FAMILIES = (*DENSE, *MIXED)  # the dense ones first, because their wrong elements explain more
EXACT = ("balanced", *MIXED)
REAL = "real"
REPEATED = "repeated"
TIMED = "timed"
CHECKED = "checked"  # balanced inputs, in a launch whose accesses are traced

MIXED_SHARE = 8  # of a size whose blocks are shared out, each mixed family runs an eighth, and each dense one a half
MOST_NUMBERED = 1 << 23  # blocks of a grid: the tile is the student's choice


@dataclass(frozen=True, slots=True)
class Inputs:
    """Logical A (M x K), B (K x N) and, where beta is not zero, the C (M x N) to start from.

    They are exact if every product and partial sum is exact in the type of C: any order gives equal bits.
    """

    A: NDArray[np.generic]
    B: NDArray[np.generic]
    C: NDArray[np.generic] | None
    exact: bool


def draw(case: Case, interface: Interface, launch: int = 0) -> Inputs:
    """The inputs of one launch of a case: the same for the same seed, size, family and launch number."""
    shape, rng = case.shape, _generator(case, launch)
    family = EXACT[launch % len(EXACT)] if case.family == REPEATED else case.family
    if family in MIXED:
        in_a = _generator(replace(case, family="sides"), launch).integers(2) == MIXED.index(family)
        a, b = whole(rng, shape, interface, wide_in_a=bool(in_a), small=family == MIXED[1])
    elif family == REAL and not is_integer(interface):
        a, b = real(rng, shape, interface)
    else:
        a, b = balanced(rng, shape, interface)
    start = None
    if interface.beta:
        start = rng.integers(-LARGEST_START, LARGEST_START + 1, (shape.M, shape.N)).astype(interface.type_c)
    exact = is_integer(interface) or (family != REAL and is_exact(interface))
    return Inputs(_in_type(a, interface.type_a), _in_type(b, interface.type_b), start, exact)


def _in_type(values: NDArray[np.generic], kind: str) -> NDArray[np.generic]:
    """The values in the type of a factor: no sign without one, and bfloat16, which NumPy lacks, as float32."""
    if kind == "bfloat16":
        return cut(values.astype(np.float32), SIGNIFICAND[kind])
    return (np.abs(values) if kind.startswith("u") else values).astype(kind)


def blocks(case: Case, grid: tuple[int, int, int]) -> NDArray[np.int64] | None:
    """Linear numbers of the blocks that run, in increasing order; None for all.

    The dense families share out the tiles of C at random, so that each tile is computed with one of them; tiles in the
    last row and column are computed with every family. All blocks along z of a tile run together.
    """
    x, y, z = grid
    if not case.shared_out or x * y * z > MOST_NUMBERED:
        return None
    if case.family == CHECKED:
        return _along_z(_edge_tiles(x, y), grid)
    tiles = np.arange(x * y, dtype=np.int64)
    shuffled = _generator(replace(case, family="blocks"), 0).permutation(tiles)
    edge = tiles[(tiles % x == x - 1) | (tiles // x == y - 1)]
    group, parts = (DENSE, len(DENSE)) if case.family in DENSE else (MIXED, MIXED_SHARE)
    share = shuffled[group.index(case.family) :: parts]
    return _along_z(np.union1d(share, edge), grid)


def _edge_tiles(x: int, y: int) -> NDArray[np.int64]:
    """The tiles in the corners, and the neighbours of the first one, with which it may overlap."""
    places = {(0, 0), (1, 0), (0, 1), (x - 1, 0), (0, y - 1), (x - 1, y - 1)}
    return np.array(sorted(row * x + column for column, row in places if column < x and row < y), np.int64)


def _along_z(tiles: NDArray[np.int64], grid: tuple[int, int, int]) -> NDArray[np.int64]:
    """All blocks of these tiles."""
    x, y, z = grid
    return np.asarray((np.arange(z, dtype=np.int64)[:, None] * (x * y) + tiles).reshape(-1))


def _generator(case: Case, launch: int) -> np.random.Generator:
    shape = case.shape
    words = [case.seed, shape.M, shape.N, shape.K, *case.family.encode(), launch]
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(words)))
