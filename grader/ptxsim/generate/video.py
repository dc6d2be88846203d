"""Bytes and halves of words, and masks (PTX ISA, "SIMD Video Instructions", bmsk, szext, prmt, dp4a, dp2a)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.operations import Writer, apply
from grader.ptxsim.syntax.records import Instruction, is_signed, types_of

_RELATIONS = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})


def simd(code: Code, instruction: Instruction) -> None:
    """Compute on the parts of two words; with .add, add all results to a third word instead of packing them."""
    kinds = types_of(instruction)
    to, *sources = kinds if len(kinds) > 2 else ("u32", *kinds)
    if len(instruction.operands) < 3 or len(sources) != 2:
        raise code.unsupported()
    how, bits = instruction.opcode[1:-1], 32 // int(instruction.opcode[-1])
    signs = [is_signed(kind) for kind in sources]

    def formula(w: Writer, first: str, second: str, *total: str) -> str:
        parts = [
            [part(w, name, place, bits, signed=signed) for name, signed in zip((first, second), signs, strict=True)]
            for place in range(32 // bits)
        ]
        results = [_combined(w, how, instruction, a, b, signed=any(signs)) for a, b in parts]
        if "add" in instruction.modifiers:
            return reduce(partial(w.op, "add"), results, *total)
        if "sat" in instruction.modifiers:
            results = [_saturated(w, value, bits, signed=is_signed(to)) for value in results]
        return _packed(w, results, bits)

    apply(code, instruction, "b32", formula)


def pairs(code: Code, instruction: Instruction) -> None:
    """add, sub, min and max of two numbers of 16 bits that a word holds."""
    signed = is_signed(types_of(instruction)[-1])

    def formula(w: Writer, first: str, second: str) -> str:
        results = []
        for place in range(2):
            a, b = (part(w, name, place, 16, signed=signed) for name in (first, second))
            value = _combined(w, instruction.opcode, instruction, a, b, signed=signed)
            if "relu" in instruction.modifiers:
                value = w.choose(w.op("icmp slt", value, 0), 0, value)
            results.append(value)
        return _packed(w, results, 16)

    apply(code, instruction, "b32", formula)


def part(w: Writer, name: str, place: int, bits: int, *, signed: bool) -> str:
    """Return one of the numbers that a word holds."""
    moved = w.op("shl", name, 32 - bits * (place + 1)) if bits * (place + 1) < 32 else name
    return w.op("ashr" if signed else "lshr", moved, 32 - bits)


def _packed(w: Writer, values: Sequence[str], bits: int) -> str:
    word = ""
    for place, value in enumerate(values):
        low = w.op("and", value, (1 << bits) - 1)
        moved = w.op("shl", low, bits * place) if place else low
        word = w.op("or", word, moved) if word else moved
    return word


def _combined(w: Writer, how: str, instruction: Instruction, a: str, b: str, *, signed: bool) -> str:
    """Combine two parts. They fit 17 bits with a sign, so that no result overflows and all comparisons are signed."""
    if how in {"add", "sub"}:
        return w.op(how, a, b)
    if how == "avrg":  # rounds away from zero
        total = w.op("add", a, b)
        more = w.op("add", total, 1)
        return w.op("ashr", w.choose(w.op("icmp slt", total, 0), total, more) if signed else more, 1)
    if how == "set":
        relation = next((modifier for modifier in instruction.modifiers if modifier in _RELATIONS), "eq")
        return w.choose(w.op(f"icmp {relation if relation in {'eq', 'ne'} else f's{relation}'}", a, b), 1, 0)
    less = w.op("icmp slt", a, b)
    if how == "absdiff":
        return w.choose(less, w.op("sub", b, a), w.op("sub", a, b))
    return w.choose(less, a, b) if how == "min" else w.choose(less, b, a)


def _saturated(w: Writer, value: str, bits: int, *, signed: bool) -> str:
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    value = w.choose(w.op("icmp slt", value, least), least, value)
    return w.choose(w.op("icmp sgt", value, most), most, value)


def bit_mask(code: Code, instruction: Instruction) -> None:
    """bmsk: a mask of so many ones from a position on."""
    clamps = "clamp" in instruction.modifiers

    def formula(w: Writer, *names: str) -> str:
        position, width = (name if clamps else w.op("and", name, 31) for name in names)
        below = w.op("sub", w.op("shl", 1, w.op("and", width, 31)), 1)
        ones = w.choose(w.op("icmp ugt", width, 31), -1, below)
        moved = w.op("shl", ones, w.op("and", position, 31))
        return w.choose(w.op("icmp ugt", position, 31), 0, moved)

    apply(code, instruction, "b32", formula)


def extend(code: Code, instruction: Instruction) -> None:
    """szext: keep a number of the lowest bits, and extend them by zeros or the sign."""
    signed, clamps = is_signed(types_of(instruction)[-1]), "clamp" in instruction.modifiers

    def formula(w: Writer, value: str, width: str) -> str:
        width = width if clamps else w.op("and", width, 31)
        amount = w.op("and", w.op("sub", 32, width), 31)
        kept = w.op("ashr" if signed else "lshr", w.op("shl", value, amount), amount)
        kept = w.choose(w.op("icmp eq", width, 0), 0, kept)
        return w.choose(w.op("icmp ugt", width, 31), value, kept)

    apply(code, instruction, "b32", formula)


# The bytes that each mode picks for the lowest two bits of its third operand (PTX ISA, "prmt").
_PICKS = {
    "f4e": (0x3210, 0x4321, 0x5432, 0x6543),
    "b4e": (0x5670, 0x6701, 0x7012, 0x0123),
    "rc8": (0x0000, 0x1111, 0x2222, 0x3333),
    "ecl": (0x3210, 0x3211, 0x3222, 0x3333),
    "ecr": (0x0000, 0x1110, 0x2210, 0x3210),
    "rc16": (0x1010, 0x3232, 0x1010, 0x3232),
}


def permute(code: Code, instruction: Instruction) -> None:
    """prmt: four bytes picked out of eight, or their signs."""
    picks = next((_PICKS[word] for word in instruction.modifiers if word in _PICKS), None)

    def formula(w: Writer, lower: str, upper: str, selector: str) -> str:
        word, selector = "", _chosen(w, picks, w.op("and", selector, 3)) if picks else selector
        for byte in range(4):
            nibble = w.op("lshr", selector, 4 * byte) if byte else selector
            within = w.op("shl", w.op("and", nibble, 3), 3)
            is_upper = w.op("icmp ne", w.op("and", nibble, 4), 0)
            picked = w.op("and", w.op("lshr", w.choose(is_upper, upper, lower), within), 255)
            sign = w.op("mul", w.op("lshr", picked, 7), 255)
            picked = w.choose(w.op("icmp ne", w.op("and", nibble, 8), 0), sign, picked)
            moved = w.op("shl", picked, 8 * byte) if byte else picked
            word = w.op("or", word, moved) if word else moved
        return word

    apply(code, instruction, "b32", formula)


def _chosen(w: Writer, picks: Sequence[int], number: str) -> str:
    chosen = w.kind.number(picks[-1])
    for place, pick in enumerate(picks[:-1]):
        chosen = w.choose(w.op("icmp eq", number, place), pick, chosen)
    return chosen


def dot_product(code: Code, instruction: Instruction) -> None:
    """dp4a, dp2a: products of bytes added up."""
    kinds = types_of(instruction)
    four, high = instruction.opcode == "dp4a", "hi" in instruction.modifiers

    def formula(w: Writer, first: str, second: str, total: str) -> str:
        for place in range(4 if four else 2):
            a = part(w, first, place, 8 if four else 16, signed=is_signed(kinds[-2]))
            b = part(w, second, place if four else place + 2 * high, 8, signed=is_signed(kinds[-1]))
            total = w.op("add", total, w.op("mul", a, b))
        return total

    apply(code, instruction, "b32", formula)
