"""The families of inputs, fresh from a seed, and which blocks of a launch are sampled. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from grader.model import Case, Interface, Shape

EXACT = ("wide-a", "wide-b", "balanced")
FAMILIES = (*EXACT, "real")
REPEATED = "repeated"
REPEATS = 20

SIGNIFICAND = {"float16": 11, "bfloat16": 8, "float32": 24, "float64": 53, "int32": 31, "int64": 63}  # bits, IEEE 754
WIDE = 13  # bits of the wide operand: TF32 keeps 11, bfloat16 8, so both round it and are found out

FULL_SIZE = 1025  # the largest size of which the simulator runs every block by default
SAMPLED_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class Inputs:
    """Logical A (M x K), B (K x N) and, where beta is not zero, the C (M x N) to start from."""

    A: NDArray[np.generic]
    B: NDArray[np.generic]
    C: NDArray[np.generic] | None
    exact: bool


def draw(case: Case, interface: Interface, launch: int = 0) -> Inputs:
    """The inputs of one launch of a case: the same for the same seed, size, family and launch number."""
    shape = case.shape
    family = EXACT[launch % len(EXACT)] if case.family == REPEATED else case.family
    rng = _generator(case, launch)
    make = {"wide-a": _wide_a, "wide-b": _wide_b, "balanced": _balanced, "real": _real}[family]
    a, b = make(rng, shape, interface)
    start = rng.integers(-8, 9, (shape.M, shape.N)).astype(interface.type_c) if interface.beta else None
    return Inputs(a.astype(interface.type_a), b.astype(interface.type_b), start, family != "real")


def sampled_blocks(case: Case, grid: tuple[int, int, int]) -> NDArray[np.int64]:
    """Linear numbers of the blocks that run: all edge blocks of the grid and 5 % of the interior, at least one."""
    x, y, z = grid
    numbers = np.arange(x * y * z, dtype=np.int64)
    column, row = numbers % x, numbers // x % y
    edge = (column == 0) | (column == x - 1) | (row == 0) | (row == y - 1)
    interior = numbers[~edge]
    count = min(interior.size, max(1, round(SAMPLED_SHARE * interior.size + 0.5)))
    chosen = _generator(case, 0).choice(interior, count, replace=False) if interior.size else interior
    return np.sort(np.concatenate([numbers[edge], chosen]))


def cases(sizes: tuple[Shape, ...], seed: int, *, full: bool, on_simulator: bool) -> Iterator[Case]:
    """Every size with every family; then the smallest size again, many launches in one process.

    The simulator's thread order alternates from family to family, so that each size sees both.
    """
    for shape in sizes:
        sampled = on_simulator and not full and max(shape.M, shape.N, shape.K) > FULL_SIZE
        for number, family in enumerate(FAMILIES):
            order = "reverse" if number % 2 else "forward"
            yield Case(shape, family, seed, order=order, sampled=sampled)
    smallest = min(sizes, key=lambda shape: shape.flops)
    yield Case(smallest, REPEATED, seed, launches=REPEATS)


def _generator(case: Case, launch: int) -> np.random.Generator:
    shape = case.shape
    words = [case.seed, shape.M, shape.N, shape.K, *case.family.encode(), launch]
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(words)))


def _wide_a(
    rng: np.random.Generator, shape: Shape, interface: Interface
) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    bits = min(WIDE, SIGNIFICAND[interface.type_a])
    return _odd(rng, (shape.M, shape.K), (1 << bits) - 1), _signs(rng, (shape.K, shape.N), bits, 0, interface)


def _wide_b(
    rng: np.random.Generator, shape: Shape, interface: Interface
) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    bits = min(WIDE, SIGNIFICAND[interface.type_b])
    return _signs(rng, (shape.M, shape.K), bits, 1, interface), _odd(rng, (shape.K, shape.N), (1 << bits) - 1)


def _balanced(
    rng: np.random.Generator, shape: Shape, interface: Interface
) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    exact = (1 << SIGNIFICAND[interface.type_c]) - 1
    narrow = min(SIGNIFICAND[interface.type_a], SIGNIFICAND[interface.type_b], WIDE)
    limit = max(1, min(isqrt(exact // shape.K), (1 << narrow) - 1))
    return _odd(rng, (shape.M, shape.K), limit), _odd(rng, (shape.K, shape.N), limit)


def _real(
    rng: np.random.Generator, shape: Shape, interface: Interface
) -> tuple[NDArray[np.generic], NDArray[np.generic]]:
    if interface.type_a.startswith("int"):
        return _balanced(rng, shape, interface)
    a = rng.random((shape.M, shape.K), np.float32) * np.float32(2) - np.float32(1)
    b = rng.random((shape.K, shape.N), np.float32) * np.float32(2) - np.float32(1)
    return a, b


def _odd(rng: np.random.Generator, size: tuple[int, int], limit: int) -> NDArray[np.int16]:
    """Odd integers of either sign, at most `limit` in magnitude."""
    largest = (limit - 1) // 2
    return rng.integers(-largest - 1, largest + 1, size, np.int16) * np.int16(2) + np.int16(1)


def _signs(
    rng: np.random.Generator, size: tuple[int, int], bits: int, axis: int, interface: Interface
) -> NDArray[np.int16]:
    """Values in {-1, 0, 1}, so sparse along the summed `axis` that no partial sum leaves the accumulator's integers.

    The sum of at most 2**(significand - bits) terms below 2**bits is below 2**significand, in any order.
    """
    terms = 1 << (SIGNIFICAND[interface.type_c] - bits)
    values = rng.integers(-1, 2, size, np.int16)
    count = np.cumsum(values != 0, axis=axis)
    if int(count.max()) <= terms:
        return values
    keep = rng.random(size, np.float32) < 0.9 * terms / (size[axis] * 2 / 3)
    values = np.where(keep, values, np.int16(0))
    values[np.cumsum(values != 0, axis=axis) > terms] = 0
    return values
