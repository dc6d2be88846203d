"""Approximations stay within the errors that the device has.

Bounds: PTX ISA, "Floating-Point Instructions", and CUDA C++ Programming Guide, "Mathematical Functions Appendix".
"""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.ptxsim.generate.on_lanes import lanes

Reals = NDArray[np.float64]

RANDOM = np.random.default_rng(5)
ANY = np.concatenate([RANDOM.uniform(-20, 20, 28), [1e-12, -1e-12, 0.5, 64.0]]).astype(np.float32)
ANGLES = np.concatenate([RANDOM.uniform(-np.pi, np.pi, 31), [0.0]]).astype(np.float32)
POSITIVE = np.exp(RANDOM.uniform(-80, 80, 32)).astype(np.float32)
NEAR_ONE = RANDOM.uniform(0.5, 2, 32).astype(np.float32)


def ulps(got: Reals, wanted: Reals) -> Reals:
    return np.abs(got - wanted) / np.spacing(np.abs(wanted).astype(np.float32)).astype(np.float64)


def relative(got: Reals, wanted: Reals) -> Reals:
    return np.abs(got / wanted - 1)


def absolute(got: Reals, wanted: Reals) -> Reals:
    return np.abs(got - wanted)


Function = Callable[[Reals, Reals], Reals]
CASES: dict[str, tuple[NDArray[np.float32], Function, Function, float]] = {
    "ex2.approx.f32 $d, $a;": (ANY, lambda x, _: np.exp2(x), relative, 2**-22),
    "ex2.approx.ftz.f32 $d, $a;": (ANY, lambda x, _: np.exp2(x), relative, 2**-22),
    "lg2.approx.f32 $d, $a;": (POSITIVE, lambda x, _: np.log2(x), relative, 2**-22),
    "lg2.approx.ftz.f32 $d, $a;": (NEAR_ONE, lambda x, _: np.log2(x), absolute, 2**-22),
    "sin.approx.f32 $d, $a;": (ANGLES, lambda x, _: np.sin(x), absolute, 2**-20.5),
    "cos.approx.f32 $d, $a;": (ANGLES, lambda x, _: np.cos(x), absolute, 2**-20.5),
    "tanh.approx.f32 $d, $a;": (ANY, lambda x, _: np.tanh(x), relative, 2**-10.987),
    "rcp.approx.f32 $d, $a;": (POSITIVE, lambda x, _: 1 / x, ulps, 1),
    "rcp.approx.ftz.f32 $d, $a;": (ANY, lambda x, _: 1 / x, ulps, 1),
    "rsqrt.approx.f32 $d, $a;": (POSITIVE, lambda x, _: x**-0.5, relative, 2**-22.4),
    "sqrt.approx.f32 $d, $a;": (POSITIVE, lambda x, _: np.sqrt(x), relative, 2**-23),
    "div.approx.f32 $d, $a, $b;": (ANY, lambda x, y: x / y, ulps, 2),
    "div.full.f32 $d, $a, $b;": (ANY, lambda x, y: x / y, ulps, 2),
}  # fmt: skip


@pytest.mark.parametrize("text", CASES)
def test_an_approximation_is_within_the_error_of_the_device(text: str) -> None:
    given, exact, error, bound = CASES[text]
    got = lanes(text, given.view(np.uint32), NEAR_ONE.view(np.uint32), given.view(np.uint32), np.uint32)
    wanted = exact(given.astype(np.float64), NEAR_ONE.astype(np.float64))
    assert (error(got.view(np.float32).astype(np.float64), wanted) <= bound).all()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("cvt.rzi.s32.f32 $d, $a;", 0),
        ("{ .reg .s64 t; cvt.rzi.s64.f32 t, $a; shr.u64 t, t, 32; cvt.u32.u64 $d, t; }", 1 << 31),
        ("{ .reg .f64 t; cvt.f64.f32 t, $a; cvt.rzi.s32.f64 $d, t; }", 1 << 31),
    ],
)
def test_nan_becomes_the_same_integer_as_on_the_device(text: str, wanted: int) -> None:
    given = np.full(32, np.nan, np.float32).view(np.uint32)
    assert (lanes(text, given, given, given, np.uint32) == wanted).all()
