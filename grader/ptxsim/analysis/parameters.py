"""Parameters and results of device functions as registers, one for each word that is stored.

A load may read fewer bits than were stored, because compilers pass a char or a short as 32 bits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from grader.ptxsim.syntax.records import (
    WIDTHS,
    Function,
    Instruction,
    Integer,
    Operand,
    Register,
    Symbol,
    address_of,
    is_signed,
    items_of,
    simple,
    types_of,
)

Word = tuple[int, int]  # offset in bytes, width in bits
NARROWEST = 16  # bits of a register


def parameter(instruction: Instruction) -> str:
    """Return the name of the parameter that an instruction loads from or stores to."""
    address = address_of(instruction)
    return address.base.name if address and isinstance(address.base, Symbol) else ""


def word(name: str, offset: int, width: int) -> Register:
    """Return the register for the word of `width` bits at `offset` bytes in the parameter `name`."""
    return Register(f"{name}+{offset}.{width}")


def type_of(register: Register) -> str:
    """Return the type of a register that this module has named."""
    return f"b{max(NARROWEST, int(register.name.rpartition('.')[2]))}"


def stores(instruction: Instruction) -> Iterator[Instruction]:
    """Yield moves to the words of a parameter, which replace the store to it."""
    name, value = parameter(instruction), instruction.operands[1]
    for item, (offset, width) in zip(items_of(value), words_of(instruction), strict=True):
        type_ = f"b{max(NARROWEST, width)}"
        operands: tuple[Operand, ...] = (word(name, offset, width), item)
        yield Instruction("mov", (type_,), operands, instruction.guard, instruction.line)


def loads(instruction: Instruction, stored: Collection[Word], types: Mapping[str, str]) -> Iterator[Instruction]:
    """Yield code that replaces the load of a parameter. `stored` are its words, `types` the types of registers."""
    name, value, signed = parameter(instruction), instruction.operands[0], is_signed(types_of(instruction)[-1])
    for item, needed in zip(items_of(value), words_of(instruction), strict=True):
        if isinstance(item, Register):
            width = max(NARROWEST, WIDTHS[types[item.name]])
            for step in taken(item, width, name, needed, stored, signed=signed):
                yield Instruction(step.opcode, step.modifiers, step.operands, instruction.guard, instruction.line)


def taken(
    target: Register, width: int, name: str, needed: Word, stored: Collection[Word], *, signed: bool = False
) -> Iterator[Instruction]:
    """Yield code that moves a word of a parameter, made of the `stored` words, to a register of `width` bits."""
    offset, bits = needed
    around = [(at, size) for at, size in stored if at <= offset and offset * 8 + bits <= at * 8 + size]
    inside = [(at, size) for at, size in stored if offset <= at and at * 8 + size <= offset * 8 + bits]
    if not around:
        yield from _joined(target, width, name, offset, inside)
        return
    at, size = min(around, key=lambda other: other[1])
    source, size = word(name, at, size), max(NARROWEST, size)
    if offset > at:
        moved = Register(f"{source.name} from {offset}.{size}")
        yield simple("shr", f"u{size}", moved, source, Integer(8 * (offset - at)))
        source = moved
    held = max(NARROWEST, bits)
    if size > held:
        cut = Register(f"{source.name} cut.{held}")
        yield Instruction("cvt", (f"u{held}", f"u{size}"), (cut, source), None, 0)
        source = cut
    if bits == width:
        yield simple("mov", f"b{width}", target, source)
    else:
        kind = "s" if signed else "u"
        yield Instruction("cvt", (f"{kind}{width}", f"{kind}{bits}"), (target, source), None, 0)


def words(function: Function, name: str) -> set[Word]:
    """Return the words of the parameter or result `name` that a function loads or stores."""
    return {
        needed
        for statement in function.instructions
        if "param" in statement.modifiers and parameter(statement) == name
        for needed in words_of(statement)
    }


def words_of(instruction: Instruction) -> list[Word]:
    """Return the words that a load or store of a parameter accesses."""
    address, width = address_of(instruction), WIDTHS[types_of(instruction)[-1]]
    offset, value = address.offset if address else 0, instruction.operands[instruction.opcode != "ld"]
    return [(offset + number * width // 8, width) for number in range(len(items_of(value)))]


def _joined(target: Register, width: int, name: str, offset: int, parts: Collection[Word]) -> Iterator[Instruction]:
    """Yield code that joins smaller words; bytes that were not stored are 0."""
    yield simple("mov", f"b{width}", target, Integer(0))
    for at, size in sorted(parts):
        part = Register(f"{word(name, at, size).name} joined.{width}")
        yield Instruction("cvt", (f"u{width}", f"u{size}"), (part, word(name, at, size)), None, 0)
        if at > offset:
            yield simple("shl", f"b{width}", part, part, Integer(8 * (at - offset)))
        yield simple("or", f"b{width}", target, target, part)
