"""Exact numbers, and what they become in a type of floating-point numbers, rounded in one of the ways of PTX."""

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

PRECISION = {"f16": (11, -24), "bf16": (8, -133), "f32": (24, -149), "f64": (53, -1074)}  # digits, least exponent
ALL = PRECISION | {"tf32": (11, -136)}
TOP = {"f16": 15, "bf16": 127, "tf32": 127, "f32": 127, "f64": 1023}
WORDS: dict[int, type[np.generic]] = {16: np.uint16, 32: np.uint32, 64: np.uint64}


def width(type_: str) -> int:
    return int(type_.lstrip("bfsu"))


def values(bits: NDArray[np.generic], type_: str) -> list[float | int]:
    """The numbers that bits mean."""
    if type_ == "bf16":
        return list((bits.astype(np.uint32) << 16).view(np.float32).astype(float))
    kind = {"f": "f", "s": "i", "u": "u"}[type_[0]]
    return bits.view(f"{kind}{width(type_) // 8}").tolist()


def rounded(exact: Fraction, type_: str, way: str, *, negative: bool) -> float:
    """The number of a type that a fraction is rounded to; `negative` is the sign of a result of zero."""
    digits, least = ALL[type_]
    size = abs(exact)
    if not size:
        return -0.0 if negative else 0.0
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= Fraction(2) ** exponent > size
    unit = Fraction(2) ** max(exponent - digits + 1, least)
    whole, rest = divmod(size / unit, 1)
    outwards = {
        "rn": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2 == 1),
        "rz": False,
        "rm": rest > 0 and exact < 0,
        "rp": rest > 0 and exact > 0,
    }[way]
    result, largest = (whole + outwards) * unit, (2 - Fraction(2) ** (1 - digits)) * Fraction(2) ** TOP[type_]
    endless = way == "rn" or (way == "rm" and exact < 0) or (way == "rp" and exact > 0)
    number = float(min(result, largest)) if result <= largest or not endless else math.inf
    return -number if exact < 0 else number


def root(square: Fraction) -> Fraction:
    """A fraction that every type rounds as the square root: that root, or one that is as little above 2**-600 of it."""
    scaled = math.isqrt(square.numerator * 4**1200 // square.denominator)
    near = Fraction(scaled, 2**1200)
    return near if near * near == square else near + Fraction(1, 2**1201)


def same(got: float, wanted: float) -> bool:
    """Equal, signs of zeros included."""
    return got == wanted and math.copysign(1, got) == math.copysign(1, wanted)
