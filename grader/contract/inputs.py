"""The families of inputs, fresh from a seed, and which blocks of a launch run with each family. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import isqrt, lcm

import numpy as np
from numpy.typing import NDArray

from grader.model import Case, Interface, Shape

Matrix = NDArray[np.generic]
Integers = NDArray[np.int16]

WIDE = ("wide-a", "wide-b")
DENSE = ("balanced", "real")  # every term of every sum counts
FAMILIES = (*DENSE, *WIDE)  # the dense ones first, because their wrong elements explain more
EXACT = ("balanced", *WIDE)
REAL = "real"
REPEATED = "repeated"
TIMED = "timed"
CHECKED = "checked"  # balanced inputs, in a launch whose accesses are traced

SIGNIFICAND = {"float16": 11, "float32": 24, "float64": 53, "int32": 31}  # bits, IEEE 754
MATH = {"full": 53, "tf32": 11, "bf16": 8}  # bits that a factor keeps; where a lab allows it, inputs have no more
BALANCED = 13  # bits of a balanced factor, at most
LARGE_EXPONENTS = frozenset({"float32", "float64"})
# Not as in the dense family with the same order of threads (judge/cases.py).
SIGN_OF_EXPONENT = {"wide-a": -1, "wide-b": 1}
MOST_ALIKE, LARGE_TERMS = 64, 32  # of real products: all terms of shorter sums are large, and so many of longer ones
SMALL_EXPONENTS = 8  # different powers of two that scale both factors of a small term, and of wide families
FILL = np.float32(0.9)  # numbers drawn with 24 bits after the point have every bit of float32 when scaled by it
ALONE = (20, 31)  # the range of exponents, without sign, where A alone is scaled in a wide family
EXPONENTS = 1  # of the scales of wide inputs: powers of two from -1 to 1, so that projections stay exact

LARGEST_START = 8  # the largest element of C before a launch, if beta is not zero
MOST_NUMBERED = 1 << 23  # blocks of a grid: the tile is the student's choice
WIDE_SHARE = 8  # of a size whose blocks are shared out, each wide family runs an eighth, and each dense one a half


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
    shape, family = case.shape, EXACT[launch % len(EXACT)] if case.family == REPEATED else case.family
    family = "balanced" if family == CHECKED else family
    rng = _generator(case, launch)
    make = {"wide-a": _wide_a, "wide-b": _wide_b, "balanced": _balanced, "real": _real}[family]
    a, b = make(rng, shape, interface)
    if family in WIDE:
        a, b = (np.multiply(*pair) for pair in zip((a, b), _magnitudes(rng, family, interface), strict=True))
    start = None
    if interface.beta:
        start = rng.integers(-LARGEST_START, LARGEST_START + 1, (shape.M, shape.N)).astype(interface.type_c)
    exact = _is_integer(interface) or (family != REAL and _room(interface) >= _largest_balanced(interface))
    return Inputs(a.astype(interface.type_a), b.astype(interface.type_b), start, exact)


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
    group, parts = (DENSE, len(DENSE)) if case.family in DENSE else (WIDE, WIDE_SHARE)
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


def _wide_a(rng: np.random.Generator, shape: Shape, interface: Interface) -> tuple[Matrix, Matrix]:
    """One quadrant of A of values with all bits; each column of B picks and scales one of its columns.

    Each element of C is one exact product, or zero. Because one quadrant only is not zero, the sums of quadrants that
    Strassen's and Winograd's algorithms multiply are exact too, whether they pad odd lengths or leave out the middle.
    """
    rows, inner, columns = (_half(rng, length) for length in (shape.M, shape.K, shape.N))
    a, b = np.zeros((shape.M, shape.K)), np.zeros((shape.K, shape.N))
    a[rows, inner] = _wide_values(rng, a[rows, inner].shape, interface)
    picked = b[inner, columns]
    count = picked.shape[1]
    which = rng.permutation(np.arange(count) % picked.shape[0])
    scale = 0 if _counts_units(interface) else EXPONENTS
    signs = rng.integers(0, 2, count) * 2.0 - 1.0
    picked[which, np.arange(count)] = signs * 2.0 ** rng.integers(-scale, scale + 1, count)
    return a, b


def _magnitudes(rng: np.random.Generator, family: str, interface: Interface) -> tuple[float, float]:
    """Very small or large powers of two for A and B, 1 for types without them.

    At random both have one, so that no products of small factors are left out, as real inputs allow, or A alone, so
    that its bits are not dropped beside whole numbers. Fixed-point numbers are wrong with either.
    """
    if _counts_units(interface) or {interface.type_a, interface.type_b, interface.type_c} - LARGE_EXPONENTS:
        return 1.0, 1.0
    both, alone = rng.integers(*_small_exponents(interface), 2), (rng.integers(*ALONE), 0)
    a, b = both if rng.integers(2) else alone
    return float(2.0 ** (SIGN_OF_EXPONENT[family] * a)), float(2.0 ** (SIGN_OF_EXPONENT[family] * b))


def _wide_b(rng: np.random.Generator, shape: Shape, interface: Interface) -> tuple[Matrix, Matrix]:
    """As `_wide_a`, with A and B exchanged: each row of A picks and scales one row of B."""
    b, a = _wide_a(rng, Shape(shape.N, shape.M, shape.K), interface)
    return a.T, b.T


def _half(rng: np.random.Generator, length: int) -> slice:
    """The first or the second half of the indices, without the middle of an odd length; all of a length of 1."""
    half = length // 2
    if not half:
        return slice(0, length)
    return slice(0, half) if rng.integers(2) else slice(length - half, length)


def _wide_values(rng: np.random.Generator, size: tuple[int, ...], interface: Interface) -> NDArray[np.float64]:
    """Numbers of either sign whose significands have all bits that factor, product and C keep, the last one set."""
    bits = _wide_bits(interface)
    odd = rng.integers(1 << bits - 2, 1 << bits - 1, size) * 2 + 1
    values = odd * (rng.integers(0, 2, size) * 2.0 - 1.0)
    return values if _counts_units(interface) else np.ldexp(values, -bits)


def _wide_bits(interface: Interface) -> int:
    types = (interface.type_a, interface.type_b, interface.type_c)
    bits = min(MATH[interface.math], *(SIGNIFICAND[kind] for kind in types))
    return max(2, min(bits, (_room(interface) + 1).bit_length() - 1))


def _counts_units(interface: Interface) -> bool:
    """Whether wide values must be whole numbers: of integer types, and where whole numbers of C are added."""
    return _is_integer(interface) or bool(interface.beta)


def _balanced(rng: np.random.Generator, shape: Shape, interface: Interface) -> tuple[Integers, Integers]:
    limit = min(isqrt(_room(interface) // shape.K), _largest_balanced(interface))
    if not limit:  # even ones are too many: float16 sums no more than 2048 of them
        return _signs(rng, (shape.M, shape.K), max(1, _room(interface)), 1), _odd(rng, (shape.K, shape.N), 1)
    return _odd(rng, (shape.M, shape.K), limit), _odd(rng, (shape.K, shape.N), limit)


def _real(rng: np.random.Generator, shape: Shape, interface: Interface) -> tuple[Matrix, Matrix]:
    if _is_integer(interface):
        return _balanced(rng, shape, interface)
    if interface.type_a == "float64":
        scale = _scale_of_terms(rng, shape.K, interface)
        return rng.uniform(-1, 1, (shape.M, shape.K)) * scale, rng.uniform(-1, 1, (shape.K, shape.N)) * scale[:, None]
    a = rng.random((shape.M, shape.K), np.float32) * np.float32(2) - np.float32(1)
    b = rng.random((shape.K, shape.N), np.float32) * np.float32(2) - np.float32(1)
    scale = _scale_of_terms(rng, shape.K, interface) * FILL
    a *= scale
    b *= scale[:, None]
    return _shortened(a, interface), _shortened(b, interface)


def _scale_of_terms(rng: np.random.Generator, K: int, interface: Interface) -> NDArray[np.float32]:
    """Powers of two for A's columns and B's rows: few terms are large, or three bfloat16 products would pass."""
    scale = np.ones(K, np.float32)
    if K > MOST_ALIKE and {interface.type_a, interface.type_b, interface.type_c} <= LARGE_EXPONENTS:
        small = rng.permutation(K)[LARGE_TERMS:]
        scale[small] = np.ldexp(np.float32(1), -rng.integers(*_small_exponents(interface), small.size))
    return scale


def _small_exponents(interface: Interface) -> tuple[int, int]:
    first = SIGNIFICAND[interface.type_c] // 2 + 1  # so that no product of two reaches half of the last bit of 1
    return first, first + SMALL_EXPONENTS


def _shortened(values: NDArray[np.float32], interface: Interface) -> NDArray[np.float32]:
    """The values with no more bits than a factor may keep, so that rounding it loses nothing."""
    mask = -1 << max(0, SIGNIFICAND["float32"] - MATH[interface.math])
    return (values.view(np.uint32) & np.uint32(mask & 0xFFFFFFFF)).view(np.float32)


def _is_integer(interface: Interface) -> bool:
    return interface.type_c.startswith("int")


def _largest_balanced(interface: Interface) -> int:
    """The largest element of balanced inputs: of 13 bits, or of as many as all three types and a factor have."""
    kinds = (interface.type_a, interface.type_b, interface.type_c)
    return (1 << min(BALANCED, MATH[interface.math], *(SIGNIFICAND[kind] for kind in kinds))) - 1


def _room(interface: Interface) -> int:
    """The largest sum of products for which alpha * sum + beta * C is exact too; 0 where alpha or beta allow none."""
    alpha, beta = Fraction(interface.alpha), Fraction(interface.beta)
    scale = lcm(alpha.denominator, beta.denominator)
    left = (1 << SIGNIFICAND[interface.type_c]) - 1 - abs(beta) * scale * LARGEST_START
    return max(0, int(left / (abs(alpha) * scale or 1)))


def _odd(rng: np.random.Generator, size: tuple[int, int], limit: int) -> Integers:
    """Odd integers of either sign, at most `limit` in magnitude."""
    half = (limit + 1) // 2
    return rng.integers(-half, half, size, np.int16) * np.int16(2) + np.int16(1)


def _signs(rng: np.random.Generator, size: tuple[int, int], terms: int, axis: int) -> Integers:
    """Values in {-1, 0, 1}, so sparse along the summed `axis` that no sum has more than so many `terms`."""
    values = rng.integers(-1, 2, size, np.int16)
    if size[axis] <= terms or int(np.count_nonzero(values, axis=axis).max()) <= terms:
        return values
    keep = rng.random(size, np.float32) < 0.9 * terms / (size[axis] * 2 / 3)
    values = np.where(keep, values, np.int16(0))
    summed = np.moveaxis(values, axis, 0)
    over = np.flatnonzero(np.count_nonzero(summed, axis=0) > terms)  # few, and mostly none
    lines = summed[:, over]
    lines[np.cumsum(lines != 0, axis=0, dtype=np.uint16) > terms] = 0  # the longest axis has 2**15
    summed[:, over] = lines
    return values
