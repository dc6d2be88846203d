"""What instructions on integers and bits compute, one value at a time, as the PTX ISA describes it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.ptxsim.syntax.records import WIDTHS
from tests.ptxsim.generate.written import TABLE_OF_LOP3, Written

COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    **dict.fromkeys(("lt", "lo"), lambda a, b: a < b),
    **dict.fromkeys(("le", "ls"), lambda a, b: a <= b),
    **dict.fromkeys(("gt", "hi"), lambda a, b: a > b),
    **dict.fromkeys(("ge", "hs"), lambda a, b: a >= b),
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
}


def number(bits: int, kind: str) -> int:
    """The integer that bits mean."""
    width = WIDTHS[kind]
    bits &= (1 << width) - 1
    return bits - (1 << width) if kind[0] == "s" and bits >> width - 1 else bits


def limited(value: int, kind: str) -> int:
    """The nearest integer of a type."""
    width = WIDTHS[kind]
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if kind[0] == "s" else (0, (1 << width) - 1)
    return max(low, min(high, value))


@dataclass(frozen=True)
class Case:
    """An instruction, its operands as integers of their types, and as words."""

    written: Written
    words: Sequence[int]
    a: int
    b: int
    c: int
    d: int

    @property
    def kind(self) -> str:
        return self.written.sources[0]

    @property
    def width(self) -> int:
        return WIDTHS[self.kind]

    def part(self, product: int, shift: int) -> int:
        """The upper or the lower part of a product."""
        return product >> shift if self.written.has("hi") else product


def integer(instruction: Written, words: Sequence[int]) -> int | None:
    """The result, of which only the bits of its type count; None where it is not specified."""
    values = [number(word, kind) for word, kind in zip(words, instruction.sources, strict=False)]
    a, b, c, d = (*values, 0, 0, 0)[:4]
    return _RESULTS[instruction.opcode](Case(instruction, words, a, b, c, d))


def compared(instruction: Written, *, holds: bool, other: int) -> int:
    """The result of a comparison that holds or not, combined with a predicate."""
    also = bool(other & 1)
    combined = {"and": holds and also, "or": holds or also, "xor": holds != also}
    holds = next((combined[word] for word in instruction.modifiers if word in combined), holds)
    one = {"f16": 0x3C00, "bf16": 0x3F80, "pred": 1}.get(instruction.to, -1)
    return one if holds else 0


def _comparison(case: Case) -> int:
    relation = next(word for word in case.written.modifiers if word in COMPARISONS)
    return compared(case.written, holds=COMPARISONS[relation](case.a, case.b), other=case.c)


def _quotient(a: int, b: int) -> int:
    """The quotient rounded towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _product_of_24_bits(case: Case) -> int:
    kind = f"{case.kind[0]}32"
    a, b = (number(word << 8, kind) >> 8 for word in case.words[:2])
    return number(a * b, kind)


def _highest(case: Case) -> int:
    place = (~case.a if case.a < 0 else case.a).bit_length() - 1
    return case.width - 1 - place if place >= 0 and case.written.has("shiftamt") else place


def _in_range(value: int, width: int) -> int:
    """A position or a length: PTX says what 0 to 255 mean, and an H100 makes this of larger ones."""
    return min(value & 0xFFFFFFFF, 255) if width == 64 else value & 255


def _field(case: Case) -> int:
    start, size = _in_range(case.b, case.width), _in_range(case.c, case.width)
    bits = case.a & (1 << case.width) - 1
    last = min(start + size - 1, case.width - 1)
    sign = bits >> last & 1 if size and case.kind[0] == "s" else 0
    inside = [i < size and start + i < case.width for i in range(case.width)]
    return sum((bits >> start + i & 1 if inside[i] else sign) << i for i in range(case.width))


def _inserted(case: Case) -> int:
    start, size = _in_range(case.c, case.width), _in_range(case.d, case.width)
    mask = ((1 << size) - 1) << start
    return (case.a << start & mask) | (case.b & ~mask)


def _funnel(case: Case) -> int:
    amount = min(case.c, 32) if case.written.has("clamp") else case.c & 31
    both = case.b << 32 | case.a
    return both << amount >> 32 if case.written.has("l") else both >> amount


def _byte(both: int, selector: int) -> int:
    byte = both >> 8 * (selector & 7) & 255
    return byte if not selector & 8 else 255 if byte >> 7 else 0


def _dot(case: Case) -> int:
    kinds = [f"{word[0]}8" for word in case.written.modifiers[-2:]]
    pairs = [
        [number(word >> 8 * i, kind) for word, kind in zip((case.a, case.b), kinds, strict=True)] for i in range(4)
    ]
    return case.c + sum(a * b for a, b in pairs)


def _nth(case: Case) -> int | None:
    base, nth = case.b, number(case.c, "s32")
    if base > 31 or abs(nth) > 32:
        return None
    places = range(base, 32) if nth > 0 else range(base, -1, -1)
    places = places[:1] if nth == 0 else places
    found = [place for place in places if case.a >> place & 1]
    wanted = max(1, abs(nth))
    return found[wanted - 1] if wanted <= len(found) else -1


_RESULTS: dict[str, Callable[[Case], int | None]] = {
    "add": lambda x: x.a + x.b,
    "sub": lambda x: x.a - x.b,
    "mul": lambda x: x.part(x.a * x.b, x.width),
    "mad": lambda x: x.part(x.a * x.b, x.width) + x.c,
    "mul24": _product_of_24_bits,
    "mad24": lambda x: _product_of_24_bits(x) + x.c,
    "div": lambda x: _quotient(x.a, x.b) if x.b else None,
    "rem": lambda x: x.a - _quotient(x.a, x.b) * x.b if x.b else None,
    "min": lambda x: min(x.a, x.b),
    "max": lambda x: max(x.a, x.b),
    "neg": lambda x: -x.a,
    "abs": lambda x: abs(x.a),
    "and": lambda x: x.a & x.b,
    "or": lambda x: x.a | x.b,
    "xor": lambda x: x.a ^ x.b,
    "not": lambda x: ~x.a,
    "shl": lambda x: x.a << x.b if x.b < x.width else 0,
    "shr": lambda x: x.a >> min(x.b, 64),
    "setp": _comparison,
    "selp": lambda x: x.a if x.c & 1 else x.b,
    "mov": lambda x: x.a,
    "cvt": lambda x: number(x.a, x.written.to),
    "popc": lambda x: x.a.bit_count(),
    "clz": lambda x: x.width - x.a.bit_length(),
    "brev": lambda x: int(f"{x.a:0{x.width}b}"[::-1], 2),
    "bfind": _highest,
    "bfe": _field,
    "bfi": _inserted,
    "lop3": lambda x: sum(
        (TABLE_OF_LOP3 >> ((x.a >> i & 1) << 2 | (x.b >> i & 1) << 1 | (x.c >> i & 1)) & 1) << i for i in range(32)
    ),
    "shf": _funnel,
    "prmt": lambda x: sum(_byte(x.b << 32 | x.a, x.c >> 4 * i & 15) << 8 * i for i in range(4)),
    "dp4a": _dot,
    "fns": _nth,
}
