"""The inputs of every launch, fresh from a seed, and which blocks of a launch run with which of them. Pure.

Each size runs twice, because a mistake is named only if two draws show it, and so that threads run in two orders.
Every line, a row of A or a column of B, draws its kind. In the first run, all have whole numbers, of which no mistake
makes a sum that is rounded. In the second one, half have real numbers, and of the others, some have multiples of a
small or a large power of two, and some use all bits.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from grader.contract.all_bits import add_all_bits
from grader.contract.large_terms import Indices
from grader.contract.lines import WHOLE, LineKinds, Mask, draw_lines
from grader.contract.precision import SIGNIFICAND, cut
from grader.contract.real_inputs import SHARES_OF_REALS, real
from grader.contract.whole_inputs import (
    BESIDE_ALL_BITS,
    SHARES,
    WITHOUT_ALL_BITS,
    exponents,
    is_exact,
    is_integer,
    largest_start,
    whole,
)
from grader.model import Case, Interface

RUNS = ("first", "second")
REPEATED = "repeated"
TIMED = "timed"
CHECKED = "checked"  # a launch whose accesses are traced, with inputs of a first run, or of a second one at even sizes

MOSTLY_DENSE = (0.64, 0.12, 0.12, 0.12)  # of the patterns of lines: no kernel may gain time by leaving out small terms

ALIKE = 4  # one of so many repeated launches has nearly the inputs of the one before
REAL_SHARE = 0.5  # of the lines of the second run
LARGEST_REAL_START, LEAST_UNLIKE_SUMS = 8, np.float32(1 << 29)
MOST_NUMBERED = 1 << 23  # blocks of a grid: the tile is the student's choice
IN_BOTH_RUNS = 32  # one tile of so many
WATCHED = 10_000  # events of warps in the blocks that are watched beside those in the corners; a tenth of a second
OF_TERMS = 16  # terms of sums for which a kernel with shared memory has an event: two for each that a warp multiplies
LIKE_NUMBERS = (0x3A, 0x50)  # a byte in this range, repeated, is a number of ordinary size in every type
WARP, OF_WARP = 32, 30  # threads of a warp, and the events that it has at least: those of a sum by halves


@dataclass(frozen=True, slots=True)
class Inputs:
    """Logical A (M x K), B (K x N) and the C (M x N) to start from, with the kinds of lines. Without it, C is poison.

    At the `aligned` terms, both A and B have numbers that are drawn for each other: large ones, or of all bits.

    An element of C is exact if its row of A and its column of B are: every product and partial sum is exact in the type
    of C, so that any order gives equal bits.
    """

    A: NDArray[np.generic]
    B: NDArray[np.generic]
    C: NDArray[np.generic] | None
    rows: LineKinds
    columns: LineKinds
    aligned: Indices

    @property
    def by_name(self) -> dict[str, NDArray[np.generic] | None]:
        return {"A": self.A, "B": self.B, "C": self.C}

    @property
    def exact(self) -> Mask:
        """The elements of C that are exact (M x N)."""
        return self.rows.exact[:, None] & self.columns.exact

    @property
    def all_exact(self) -> bool:
        return bool(self.exact.all())

    @property
    def real_sums(self) -> Mask:
        """The elements of C that are sums of products of real numbers (M x N)."""
        return self.rows.real[:, None] & self.columns.real

    @property
    def rounded(self) -> Mask:
        """The elements whose errors are compared with those of a plain sum: sums of real numbers, if there are any."""
        real_sums = self.real_sums
        return real_sums if real_sums.any() else ~self.exact


def draw(case: Case, interface: Interface, launch: int = 0) -> Inputs:
    """The inputs of one launch of a case: the same for the same seed, size, run and launch number."""
    rng = _generator(case, launch)
    by_parity = {CHECKED: not case.shape.is_odd, REPEATED: launch % 2 == 1}
    is_second = by_parity.get(case.run, case.run in {RUNS[1], TIMED})
    holds_numbers = is_second and case.run != TIMED and interface.start != "zero"  # so C does not tell of a grader
    uniform = rng.random((case.shape.M, case.shape.N), np.float32) if interface.beta or holds_numbers else None
    if case.run == REPEATED and launch % ALIKE == ALIKE - 1:
        inputs = _without_a_part(rng, draw(case, interface, launch - 1))
    else:
        inputs = _factors(rng, case, interface, is_second=is_second)
    return inputs if uniform is None else replace(inputs, C=_start(uniform, inputs, interface))


def _factors(rng: np.random.Generator, case: Case, interface: Interface, *, is_second: bool) -> Inputs:
    """A and B, without a C."""
    shape = case.shape
    share = REAL_SHARE if is_second and not is_integer(interface) else 0.0
    (real_rows, rows), (real_columns, columns) = (
        draw_lines(rng, length, share, exponents(rng, interface) if is_second else WHOLE)
        for length in (shape.M, shape.N)
    )
    shares = MOSTLY_DENSE if case.run == TIMED else SHARES
    a, b = whole(rng, shape, interface, BESIDE_ALL_BITS if is_second else WITHOUT_ALL_BITS, shares)
    aligned = np.zeros(0, np.intp)
    if is_second:
        aligned = add_all_bits(rng, a, b, (rows.exact, columns.exact), interface)
        a, b = (
            lines * np.ldexp(lines.dtype.type(1), each.exponents[:, None]) for lines, each in ((a, rows), (b, columns))
        )
    if share:
        counts = int(real_rows.sum()), int(real_columns.sum())
        of_reals = MOSTLY_DENSE if case.run == TIMED else SHARES_OF_REALS
        a[real_rows], b[real_columns], common = real(rng, counts, shape.K, interface, of_reals)
        aligned = np.union1d(aligned, common)
    if not is_exact(interface) and not is_integer(interface):
        rows, columns = (replace(each, exact=np.zeros_like(each.exact)) for each in (rows, columns))
    return Inputs(_in_type(a, interface.type_a), _in_type(b.T, interface.type_b), None, rows, columns, aligned)


def _without_a_part(rng: np.random.Generator, inputs: Inputs) -> Inputs:
    """The inputs, but for neighbouring elements of a row of A or a column of B, which are zero."""
    A, B = inputs.A.copy(), inputs.B.copy()
    lines = A if rng.integers(2) else B.T
    first, last = np.sort(rng.integers(lines.shape[1] + 1, size=2))
    lines[rng.integers(len(lines)), first:last] = 0
    return replace(inputs, A=A, B=B)


def _start(uniform: NDArray[np.float32], inputs: Inputs, interface: Interface) -> NDArray[np.generic]:
    """C before a launch: real numbers, or what no sum is like if results are whole.

    Where beta counts, they are as large as sums are, and whole multiples of their units beside whole lines.
    """
    if is_integer(interface) and not interface.beta:
        return (LEAST_UNLIKE_SUMS * (1 + uniform)).astype(interface.type_c)
    start = LARGEST_REAL_START * (2.0 * uniform.astype(np.float64) - 1.0)
    if interface.beta:
        whole = np.rint(start * (largest_start(interface) / LARGEST_REAL_START))
        are_real = inputs.rows.real[:, None] | inputs.columns.real
        start = np.ldexp(np.where(are_real, start, whole), inputs.rows.exponents[:, None] + inputs.columns.exponents)
    return start.astype(interface.type_c)


def _in_type(values: NDArray[np.generic], kind: str) -> NDArray[np.generic]:
    """The values in the type of a factor: no sign without one, and bfloat16, which NumPy lacks, as float32."""
    if kind == "bfloat16":
        return cut(values.astype(np.float32), SIGNIFICAND[kind])
    return (np.abs(values) if kind.startswith("u") else values).astype(kind)


def blocks(case: Case, grid: tuple[int, int, int]) -> NDArray[np.int64] | None:
    """Linear numbers of the blocks that run, in increasing order; None for all.

    Both runs share out the tiles of C at random, so that each tile is computed in one of them. Both compute the tiles
    in the last row and column, and some others, so that none can be kept. All blocks along z of a tile run together.
    """
    x, y, z = grid
    if not case.shared_out or x * y * z > MOST_NUMBERED:
        return None
    if case.run == CHECKED:
        return _along_z(np.union1d(_edge_tiles(x, y), watched(case, grid)[1]), grid)
    tiles = np.arange(x * y, dtype=np.int64)
    shuffled = _generator(replace(case, run="blocks"), 0).permutation(tiles)
    twice = (tiles % x == x - 1) | (tiles // x == y - 1)
    twice[shuffled[: tiles.size // IN_BOTH_RUNS]] = True
    return _along_z(np.union1d(shuffled[RUNS.index(case.run) :: len(RUNS)], tiles[twice]), grid)


def watched(case: Case, grid: tuple[int, int, int], threads: int = 1) -> tuple[int, int]:
    """Which blocks of so many threads a checked launch watches wherever they are: each of every so many, and which one.

    They differ from seed to seed, so that no kernel can behave where it is watched. In small launches, all are.
    """
    x, y, z = grid
    events = max(case.shape.flops // 2 // OF_TERMS, OF_WARP * -(-threads // WARP) * x * y * z)
    every = x * y if case.shared_out else min(x * y, -(-events // WATCHED))
    return every, int(_generator(replace(case, run="watched"), 0).integers(every))


def unset_byte(case: Case) -> int | None:
    """The byte that fills memory which a block has not set, if it is not that of a NaN, which a kernel may look for."""
    if case.run != RUNS[1]:
        return None
    return int(_generator(replace(case, run="unset"), 0).integers(*LIKE_NUMBERS))


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
    words = [case.seed, shape.M, shape.N, shape.K, *case.run.encode(), launch]
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(words)))
