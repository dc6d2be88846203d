"""What instructions on floating-point numbers compute, one value at a time, from exact fractions.

A number is a float of Python, which holds every number of every type exactly; NaN stands for all of them.
"""

import math
import struct
from collections.abc import Callable, Sequence
from fractions import Fraction

from grader.ptxsim.syntax.records import REALS, WIDTHS
from tests.ptxsim.generate.exact import ALL, root, rounded
from tests.ptxsim.generate.reference_integers import COMPARISONS, compared, limited, number
from tests.ptxsim.generate.written import Written

_CODES = {"f16": ("<H", "<e"), "f32": ("<I", "<f"), "tf32": ("<I", "<f"), "f64": ("<Q", "<d")}
_TO_INTEGER: dict[str, Callable[[Fraction], int]] = {
    "rni": round,
    "rzi": math.trunc,
    "rmi": math.floor,
    "rpi": math.ceil,
}
_WAYS = frozenset({"rn", "rz", "rm", "rp", "rna"})
_LEAST_OF_TF32 = -136


def _root_of_reciprocal(x: float) -> float:
    return 1 / math.sqrt(x) if x > 0 else math.copysign(math.inf, x) if x == 0 else math.nan


def _logarithm(x: float) -> float:
    return math.log2(x) if x > 0 else -math.inf if x == 0 else math.nan


# Functions that the device approximates, with their values at both infinities.
APPROXIMATED: dict[str, tuple[Callable[[float], float], float, float]] = {
    "ex2": (lambda x: math.ldexp(2 ** (x % 1), math.floor(x)) if x < 1024 else math.inf, 0.0, math.inf),
    "lg2": (_logarithm, math.nan, math.inf),
    "sin": (math.sin, math.nan, math.nan),
    "cos": (math.cos, math.nan, math.nan),
    "tanh": (math.tanh, -1.0, 1.0),
    "rsqrt": (_root_of_reciprocal, math.nan, 0.0),
}


def real(bits: int, kind: str) -> float:
    """The number that bits mean."""
    if kind == "bf16":
        return real((bits & 0xFFFF) << 16, "f32")
    whole, code = _CODES[kind]
    return float(struct.unpack(code, struct.pack(whole, bits & (1 << WIDTHS[kind]) - 1))[0])


def bits_of(value: float, kind: str) -> int:
    """The bits of a number that the type has."""
    if kind == "bf16":
        return bits_of(value, "f32") >> 16
    whole, code = _CODES[kind]
    return int(struct.unpack(whole, struct.pack(code, value))[0])


def to_type(exact: Fraction, kind: str, way: str, *, negative: bool) -> float:
    """The number of a type that a fraction is rounded to."""
    if kind != "tf32" or not exact:
        return rounded(exact, "f32" if kind == "tf32" else kind, "rn" if way == "rna" else way, negative=negative)
    # To nearest, ties away from zero: half a unit more, then towards zero.
    half = Fraction(2) ** max(math.frexp(float(exact))[1] - 12, _LEAST_OF_TF32 - 1)
    exact += half if exact > 0 else -half
    if abs(exact) >= 2**128:
        return math.copysign(math.inf, exact)
    return rounded(exact, "tf32", "rz", negative=negative)


def without_subnormal(value: float, kind: str) -> float:
    """The number, or zero with its sign."""
    least = Fraction(2) ** (ALL[kind][0] + ALL[kind][1] - 1)
    return math.copysign(0.0, value) if math.isfinite(value) and abs(Fraction(value)) < least else value


def _flushed(instruction: Written, value: float, kind: str) -> float:
    """The number after .ftz, which in conversions is for f32 only, and on an H100 for none to f16."""
    kinds = {"f32"} if instruction.opcode == "cvt" else {"f16", "f32", "f64"}
    if instruction.opcode == "cvt" and instruction.to.removesuffix("x2") == "f16":
        return value
    return without_subnormal(value, kind) if instruction.has("ftz") and kind in kinds else value


def computed(instruction: Written, words: Sequence[int]) -> float | int | None:
    """The result: a number, or bits if it is an integer; None where it is not specified."""
    values = [
        _flushed(instruction, real(word, kind), kind) if kind in REALS else float(number(word, kind) & 1)
        for word, kind in zip(words, instruction.sources, strict=False)
    ]
    if instruction.opcode == "cvt":
        source = instruction.sources[0]
        return _converted(instruction, values[0] if source in REALS else number(words[0], source))
    if instruction.opcode in {"set", "setp"}:
        return _compared(instruction, values[0], values[1], (*words, 0)[2])
    if instruction.opcode in {"selp", "mov"}:
        return words[0] if instruction.opcode == "mov" or values[2] else words[1]
    value = _arithmetic(instruction, values)
    return None if value is None else _finished(instruction, value)


def _compared(instruction: Written, a: float, b: float, other: int) -> int:
    name = next(word for word in instruction.modifiers if word in {"num", "nan"} or word[:2] in COMPARISONS)
    unordered = math.isnan(a) or math.isnan(b)
    if name in {"num", "nan"}:
        holds = unordered == (name == "nan")
    else:
        holds = len(name) > 2 if unordered else COMPARISONS[name[:2]](a, b)
    return compared(instruction, holds=holds, other=other)


def _way(instruction: Written) -> str:
    return next((word for word in instruction.modifiers if word in _WAYS), "rn")


def _finished(instruction: Written, value: float) -> float:
    if instruction.has("sat"):
        value = 0.0 if math.isnan(value) or value <= 0 else min(value, 1.0)
    if instruction.has("relu") and not math.isnan(value):
        value = value if value > 0 else 0.0
    return _flushed(instruction, value, instruction.to)


def _arithmetic(instruction: Written, values: list[float]) -> float | None:
    opcode = instruction.opcode
    a, b = (*values, 0.0)[:2]
    if opcode in APPROXIMATED:
        return _approximated(instruction, a)
    signs: dict[str, Callable[[], float]] = {
        "neg": lambda: -a,
        "abs": lambda: abs(a),
        "copysign": lambda: math.copysign(b, a),
        "min": lambda: _extreme(instruction, a, b),
        "max": lambda: _extreme(instruction, a, b),
    }
    if opcode in signs:
        return signs[opcode]()
    if opcode == "sqrt":
        return _root(instruction, a)
    if opcode in {"mul", "div", "rcp"}:
        return _scaled(instruction, *((1.0, a) if opcode == "rcp" else (a, b)))
    one = (a, 1.0, b if opcode == "add" else -b) if opcode in {"add", "sub"} else (a, b, values[2])
    return _sum(instruction, *one)


def _sum(instruction: Written, a: float, b: float, c: float) -> float:
    """The product of two numbers plus a third."""
    if not all(map(math.isfinite, (a, b, c))):
        product = a * b if not (math.isfinite(a) and math.isfinite(b)) else 0.0
        return product + c
    way, sign = _way(instruction), math.copysign(1, a) * math.copysign(1, b)
    exact = Fraction(a) * Fraction(b)
    same_zeros = not exact and not c and sign == math.copysign(1, c)
    return to_type(exact + Fraction(c), instruction.to, way, negative=sign < 0 if same_zeros else way == "rm")


def _root(instruction: Written, a: float) -> float:
    if not math.isfinite(a) or a < 0:
        return a if a > 0 else math.nan
    return to_type(root(Fraction(a)), instruction.to, _way(instruction), negative=math.copysign(1, a) < 0)


def _scaled(instruction: Written, a: float, b: float) -> float:
    """A product or a quotient."""
    sign = math.copysign(1, a) * math.copysign(1, b)
    if instruction.opcode == "mul":
        if not (math.isfinite(a) and math.isfinite(b)):
            return a * b
        return to_type(Fraction(a) * Fraction(b), instruction.to, _way(instruction), negative=sign < 0)
    if math.isnan(a) or math.isnan(b) or (math.isinf(a) and math.isinf(b)) or (not a and not b):
        return math.nan
    if math.isinf(a) or not b:
        return sign * math.inf
    large = instruction.has("approx") and instruction.opcode == "div" and abs(b) > 2.0**126
    exact = Fraction(0) if math.isinf(b) or large else Fraction(a) / Fraction(b)
    return to_type(exact, instruction.to, _way(instruction), negative=sign < 0)


def _extreme(instruction: Written, a: float, b: float) -> float:
    numbers = sorted((x for x in (a, b) if not math.isnan(x)), key=lambda value: (value, math.copysign(1, value)))
    if not numbers or (instruction.has("NaN") and len(numbers) < 2):
        return math.nan
    return numbers[0] if instruction.opcode == "min" else numbers[-1]


def _approximated(instruction: Written, a: float) -> float | None:
    function, at_minus, at_plus = APPROXIMATED[instruction.opcode]
    if not math.isfinite(a):
        return a if math.isnan(a) else at_plus if a > 0 else at_minus
    if instruction.opcode in {"sin", "cos"} and abs(a) > math.pi:
        return None  # the error grows with the angle
    found = function(a)
    return to_type(Fraction(found), instruction.to, "rn", negative=a < 0) if math.isfinite(found) else found


def _converted(instruction: Written, value: float) -> float | int | None:
    to = instruction.to
    whole = next((word for word in instruction.modifiers if word in _TO_INTEGER), None)
    if to not in REALS:
        if math.isnan(value):
            return None
        exact = Fraction(value) if math.isfinite(value) else Fraction(math.copysign(2**80, value))
        return limited(_TO_INTEGER[whole or "rzi"](exact), to)
    found = value
    if math.isfinite(value):
        exact = Fraction(_TO_INTEGER[whole](Fraction(value))) if whole else Fraction(value)
        found = to_type(exact, to, _way(instruction), negative=math.copysign(1, value) < 0)
    return _finished(instruction, found)


def to_type_of_sum(a: float, b: float, kind: str) -> float:
    """The sum of two numbers, rounded to nearest."""
    return _sum(Written("add", (kind,), kind, (kind, kind)), a, 1.0, b)
