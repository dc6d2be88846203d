"""Half precision on the simulator, against numpy's and against exact fractions."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.ptxsim.on_simulator import run

PATTERNS = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
UNUSED = np.zeros(1, np.float32)

# On 64-bit Arm, numpy remarks on each conversion of a signalling NaN too.
REMARKS_ON_NAN_ARE_MEANT = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def same(got: NDArray[np.generic], want: NDArray[np.generic]) -> bool:
    """Equal as values, signs of zeros included; one NaN is as good as another."""
    nans = np.isnan(want)
    return bool(np.all(np.isnan(got[nans])) and np.array_equal(_bits(got[~nans]), _bits(want[~nans])))


def _bits(values: NDArray[np.generic]) -> NDArray[np.generic]:
    return np.ascontiguousarray(values).view(f"u{values.itemsize}")


def floats_around_halves() -> NDArray[np.float32]:
    """All halves and what lies between two of them: the middle, a little less and a little more; and any pattern."""
    finite = np.sort(PATTERNS[np.isfinite(PATTERNS)].astype(np.float32))
    middle = (finite[1:] + finite[:-1]) / np.float32(2)
    random = np.random.default_rng(1).integers(0, 1 << 32, 50000, np.uint32).view(np.float32)
    beside = [np.nextafter(middle, np.float32(way)) for way in (-np.inf, np.inf)]
    edges = np.array([65504, 65519.996, 65520, 65536, 1e-8, np.inf, -np.inf, np.nan], np.float32)
    return np.concatenate([finite, middle, *beside, random, edges])


def nearest(x: Fraction, start: int, value: Callable[[int], float]) -> int:
    """The pattern around `start` whose value is nearest to x; of two equally near ones, the even one."""
    return min((start - 1, start, start + 1), key=lambda p: (abs(Fraction(value(p)) - x), p & 1))


def half_value(pattern: int) -> float:
    return float(np.uint16(pattern).view(np.float16))


def bfloat16_value(pattern: int) -> float:
    return float(np.uint32(pattern << 16).view(np.float32))


def nearly_ties(bits: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Pairs of numbers from 1 to 2, of so many fraction bits, whose product lies between two such numbers."""
    unit = 1 << bits
    i, j = (grid.ravel() for grid in np.meshgrid(np.arange(unit), np.arange(unit)))
    chosen = (i * j % unit == unit // 2) & ((unit + i) * (unit + j) < 2 * unit * unit)
    return 1 + i[chosen] / unit, 1 + j[chosen] / unit


def rounded_to_bfloat16(x: NDArray[np.float32]) -> NDArray[np.uint16]:
    """To nearest, ties to even, in integers of more bits than needed."""
    pattern = x.view(np.uint32).astype(np.uint64)
    upper, rest = pattern >> np.uint64(16), pattern & np.uint64(0xFFFF)
    up = (rest > 0x8000) | ((rest == 0x8000) & (upper % np.uint64(2) == 1))
    return (upper + up).astype(np.uint16)


@REMARKS_ON_NAN_ARE_MEANT
def test_every_half_becomes_the_float_of_its_value(tmp_path: Path):
    outcome = run("half_conversions", tmp_path, PATTERNS, UNUSED, np.zeros(PATTERNS.size, np.float32))
    assert outcome.fault is None
    assert same(outcome.C, PATTERNS.astype(np.float32))


@REMARKS_ON_NAN_ARE_MEANT
def test_a_float_is_rounded_to_the_nearest_half_and_bfloat16(tmp_path: Path):
    x = floats_around_halves()
    outcome = run("half_rounding", tmp_path, x, UNUSED, np.zeros((2, x.size), np.uint16))
    assert same(outcome.C[0].view(np.float16), x.astype(np.float16))
    numbers = ~np.isnan(x)
    assert np.array_equal(outcome.C[1][numbers], rounded_to_bfloat16(x)[numbers])


@REMARKS_ON_NAN_ARE_MEANT
def test_arithmetic_is_that_of_ieee_754(tmp_path: Path):
    random = np.random.default_rng(2)
    a, b = random.permutation(PATTERNS), random.permutation(PATTERNS)
    got = run("half_arithmetic", tmp_path, a, b, np.zeros((16, a.size), np.float16)).C
    wanted = [a + b, a - b, a * b, a / b, None, np.sqrt(a), -a, np.abs(a), np.fmin(a, b), np.fmax(a, b), a < b]
    wanted += [(a < b) | (a > b), a != b, ~(a < b)]
    for row, want in enumerate(wanted):
        if want is not None:
            numbers = ~np.isnan(np.asarray(want, np.float16)) if row in (6, 7) else np.ones(a.size, bool)
            assert same(got[row][numbers], np.asarray(want, np.float16)[numbers]), row
    assert same(got[14], got[4])


def test_a_fused_multiply_add_of_halves_is_rounded_once(tmp_path: Path):
    random = np.random.default_rng(3)
    ties = nearly_ties(10)
    a, b = (np.concatenate([x, random.standard_normal(5000)]).astype(np.float16) for x in ties)
    start = np.zeros((16, a.size), np.float16)
    start[0] = random.choice(np.array([-(2.0**-24), 2.0**-24], np.float16), a.size)
    got = run("half_arithmetic", tmp_path, a, b, start).C[4]
    for x, y, z, pattern in zip(a, b, start[0], got.view(np.uint16), strict=True):
        exact = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
        assert pattern == nearest(exact, int(pattern), half_value)


def test_a_fused_multiply_add_of_bfloats_is_rounded_once(tmp_path: Path):
    a, b = ((x.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16) for x in nearly_ties(7))
    c = np.random.default_rng(4).choice(np.array([0x0D80, 0x8D80], np.uint16), a.size)  # 2^-100 of either sign
    got = run("bfloat16_fused", tmp_path, a, b, c).C
    for x, y, z, pattern in zip(a.tolist(), b.tolist(), c.tolist(), got.tolist(), strict=True):
        exact = Fraction(bfloat16_value(x)) * Fraction(bfloat16_value(y)) + Fraction(bfloat16_value(z))
        assert pattern == nearest(exact, pattern, bfloat16_value)


@pytest.mark.parametrize("order", ["forward", "reverse"])
def test_the_other_names_mean_what_cuda_says(order: str, tmp_path: Path):
    outcome = run("half_names", tmp_path, np.zeros(32, np.float32), UNUSED, np.zeros(32, np.float32), order=order)
    assert outcome.fault is None
    assert outcome.C.all()
