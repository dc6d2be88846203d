"""Every rounding of arithmetic and conversions, against exact fractions."""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.ptxsim.generate.exact import PRECISION, WORDS, root, rounded, same, values, width
from tests.ptxsim.generate.on_lanes import lanes

REGISTERS = {"f32": "f", "f64": "fd"}
Rows = tuple[list[float], list[float], list[float]]  # what must come out, A and B
WAYS = ["rn", "rz", "rm", "rp"]
OPERANDS = {"add": 2, "sub": 2, "mul": 2, "div": 2, "fma": 3, "sqrt": 1, "rcp": 1}


def run(text: str, rows: Sequence[NDArray[np.generic]], out: type[np.generic]) -> NDArray[np.generic]:
    """The results of 32 lanes; rows that are not given are the first one."""
    a, b, c = (*rows, rows[0], rows[0])[:3]
    return lanes(text, a, b, c, out)


def numbers(type_: str, seed: int) -> NDArray[np.generic]:
    """Any bits, ordinary numbers and the edges of the type, in any order."""
    kind = np.dtype(f"f{width(type_) // 8}").type
    info, random = np.finfo(kind), np.random.default_rng(seed)
    any_ = np.frombuffer(random.bytes(12 * width(type_) // 8), kind)
    edges = [0, -0.0, 1, -1, info.smallest_subnormal, -info.tiny, info.max, -info.max, 0.1, 1 + info.eps]
    found = np.concatenate([any_, random.normal(size=10).astype(kind), np.array(edges, kind)])
    return random.permutation(np.where(np.isfinite(found), found, kind(1)))


def sign(x: float) -> float:
    return math.copysign(1, x)


def exact(operation: str, way: str, a: float, b: float, c: float) -> tuple[Fraction, bool]:
    """The result before it is rounded, and the sign of zero."""
    x, y, z = Fraction(a), Fraction(b), Fraction(c)
    match operation:
        case "add" | "sub" | "fma":
            first, second = (x * y, z) if operation == "fma" else (x, y if operation == "add" else -y)
            signs = (sign(a) * sign(b), sign(c)) if operation == "fma" else (sign(a), sign(b))
            signs = (signs[0], -signs[1]) if operation == "sub" else signs
            both_zero = not first and not second
            return first + second, signs[0] < 0 if both_zero and signs[0] == signs[1] else way == "rm"
        case "mul":
            return x * y, sign(a) != sign(b)
        case "div":
            return x / y, sign(a) != sign(b)
        case "rcp":
            return 1 / x, False
        case _:
            return root(x), sign(a) < 0


def inputs(operation: str, type_: str, seed: int) -> list[NDArray[np.generic]]:
    """Numbers that the operation is defined for, also some with a sum near or equal to zero."""
    a, b, c = (numbers(type_, seed + step) for step in range(3))
    one = a.dtype.type(1)
    if operation == "div":
        b = np.where(b == 0, one, b)
    elif operation == "rcp":
        a = np.where(a == 0, one, a)
    elif operation == "sqrt":
        a = np.abs(a)
    elif operation in {"add", "sub"}:
        b[:8] = np.negative(a[:8])
    else:
        b[:8], c[:8] = 1, np.negative(a[:8])
    return [a, b, c]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("type_", ["f32", "f64"])
@pytest.mark.parametrize("operation", OPERANDS)
def test_arithmetic_is_the_exact_result_rounded(operation: str, type_: str, way: str) -> None:
    letter, bits = REGISTERS[type_], width(type_)
    moves = " ".join(f"mov.b{bits} %{letter}{place}, ${name};" for place, name in enumerate("abc", 1))
    given = ", ".join(f"%{letter}{place}" for place in range(1, OPERANDS[operation] + 1))
    text = f"{moves} {operation}.{way}.{type_} %{letter}4, {given}; mov.b{bits} $d, %{letter}4;"
    for seed in (0, 10):
        rows = inputs(operation, type_, seed)
        got = run(text, [row.view(WORDS[bits]) for row in rows], WORDS[bits])
        for found, *numbers_ in zip(values(got, type_), *(row.tolist() for row in rows), strict=True):
            wanted, negative = exact(operation, way, *numbers_)
            assert same(found, rounded(wanted, type_, way, negative=negative)), numbers_


def bits_of(type_: str) -> NDArray[np.generic]:
    """Any bits, few bits, and numbers beside the middle between two numbers of a shorter type."""
    random = np.random.default_rng(7)
    if type_ in REGISTERS:
        beside = [1 + 2**-11 + 2**-20, 65519.9, 65520, 2**-25, -(2.0**-25 + 2**-40), 3.4028235e38, -1e-39]
        found = np.concatenate([numbers(type_, 7)[len(beside) :], np.array(beside, f"f{width(type_) // 8}")])
        return found.view(WORDS[width(type_)])
    bits = width(type_)
    found = np.frombuffer(random.bytes(4 * bits), WORDS[bits]).copy()
    if type_ in PRECISION:
        found[[not math.isfinite(x) for x in values(found, type_)]] = 1
        return found
    found[8:] >>= random.integers(0, bits, 24).astype(found.dtype)
    found[:5] = [0, (1 << bits) - 1, 1 << bits - 1, (1 << bits - 1) - 1, 1]
    if bits == 64:  # beside the middle between two numbers of 8, of 24 and of 53 bits
        found[5:8] = [(1 << 62) + (1 << 54) + 1, (1 << 62) + (1 << 38) - 1, (1 << 62) + (1 << 9) + 1]
    return found


INTEGERS = [f"{letter}{bits}" for letter in "su" for bits in (16, 32, 64)]
NARROWER = [("f32", "f64"), ("f16", "f64"), ("bf16", "f64"), ("f16", "f32"), ("bf16", "f32"), ("bf16", "f16")]


@pytest.mark.parametrize(("to", "source"), [*NARROWER, *((to, source) for to in PRECISION for source in INTEGERS)])
def test_a_conversion_is_the_exact_value_rounded(to: str, source: str) -> None:
    given = bits_of(source)
    got = run(converting(to, source, ".rn"), [given], WORDS[width(to)])
    for found, number in zip(values(got, to), values(given, source), strict=True):
        negative = source in PRECISION and math.copysign(1, number) < 0
        assert same(found, rounded(Fraction(number), to, "rn", negative=negative)), number


def converting(to: str, source: str, modifiers: str) -> str:
    """cvt from $a to $d."""
    text, given, result = "", "$a", "$d"
    if source in REGISTERS:
        given = f"%{REGISTERS[source]}1"
        text = f"mov.b{width(source)} {given}, $a; "
    if to in REGISTERS:
        result = f"%{REGISTERS[to]}4"
    text += f"cvt{modifiers}.{to}.{source} {result}, {given};"
    return text if result == "$d" else f"{text} mov.b{width(to)} $d, {result};"


NAN = math.nan
SMALL = 2.0**-130  # subnormal, as a float
SPECIAL: dict[str, Rows] = {
    "mul.ftz.f32 $d, $a, $b;": ([0.0, 0.0], [SMALL, 2.0**20], [2.0**20, 2.0**-140]),
    "mul.rz.ftz.f32 $d, $a, $b;": ([0.0, 6.0], [2.0**-100, 2], [2.0**-30, 3]),
    "add.sat.f32 $d, $a, $b;": ([1.0, 0.0, 0.0, 0.75], [1, -3, NAN, 0.5], [1, 1, 1, 0.25]),
    "fma.rp.sat.f32 $d, $a, $b, $a;": ([0.0, 1.0], [-1, 2], [1, 2]),
    "min.f32 $d, $a, $b;": ([1.0, 2.0, -0.0], [NAN, 2, 0.0], [1, NAN, -0.0]),
    "min.NaN.f32 $d, $a, $b;": ([NAN, 2.0, -0.0], [NAN, 2, 0.0], [1, 3, -0.0]),
    "max.NaN.f32 $d, $a, $b;": ([NAN, 3.0, 0.0], [1, 2, 0.0], [NAN, 3, -0.0]),
    "min.ftz.f32 $d, $a, $b;": ([-0.0, 1.0], [-SMALL, 1], [1, 2]),
    "setp.eq.ftz.f32 %p1, $a, $b; selp.f32 $d, $a, $b, %p1;": ([SMALL, 2.0], [SMALL, 1], [0, 2]),
    "cvt.ftz.f32.f32 $d, $a;": ([0.0, -0.0, 3.0], [SMALL, -SMALL, 3], [0, 0, 0]),
    "cvt.sat.f32.f32 $d, $a;": ([0.0, 1.0, 0.5, 0.0], [-1, 7, 0.5, NAN], [0] * 4),
    "cvt.rna.tf32.f32 $d, $a;": ([NAN, 1 + 2.0**-10], [NAN, 1 + 2.0**-11], [0, 0]),
}


HALVES: dict[str, Rows] = {
    "add.ftz.f16 $d, $a, $b;": ([0.0, 2.0], [2.0**-16, 1], [2.0**-17, 1]),
    "add.sat.f16 $d, $a, $b;": ([1.0, 0.0, 0.0], [1, -3, NAN], [1, 1, 1]),
    "fma.rn.relu.f16 $d, $a, $b, $a;": ([0.0, 6.0, NAN], [-1, 2, NAN], [1, 2, 1]),
    "min.NaN.f16 $d, $a, $b;": ([NAN, 1.0], [NAN, 1], [1, 2]),
    "max.f16 $d, $a, $b;": ([1.0, 2.0], [NAN, 1], [1, 2]),
    "abs.ftz.f16 $d, $a;": ([0.0, 1.0], [-(2.0**-16), -1], [0, 0]),
}


@pytest.mark.parametrize("text", [*SPECIAL, *HALVES])
def test_modifiers_do_what_the_manual_says(text: str) -> None:
    (wanted, a, b), kind = (SPECIAL[text], np.float32) if text in SPECIAL else (HALVES[text], np.float16)
    words = np.dtype(f"u{kind().itemsize}").type
    rows = [np.resize(np.array(row, kind), 32).view(words) for row in (a, b)]
    got = run(text, rows, words)[: len(a)].view(kind)
    assert np.array_equal(_words(got.tolist(), kind), _words(wanted, kind)), got


def _words(numbers_: Sequence[float], kind: type[np.generic]) -> NDArray[np.generic]:
    """The bits of numbers; one NaN is as good as another."""
    found = np.array(numbers_, kind)
    return np.where(np.isnan(found), 1, found.view(f"u{found.itemsize}"))
