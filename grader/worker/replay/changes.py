"""Changes of one instruction each, such as a student would make in one place of the source."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from grader.model.remedies import Remedy
from grader.ptxsim.syntax.records import Address, Instruction, Integer, Operand, Register, Special, Symbol
from grader.worker.replay.debug_info import BASE, ENCODING, DebugInfo
from grader.worker.replay.program import FlatProgram

STRICT = {"lt": "le", "le": "lt", "gt": "ge", "ge": "gt"}
SIGNS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
INTEGERS, REAL = frozenset({0x05, 0x07}), frozenset({0x04})  # encodings of DWARF: int and unsigned, float
WHOLE = frozenset({"s32", "u32", "s64", "u64", "b32", "b64"})
COMPUTES = frozenset({"add", "sub", "mul", "mad", "setp", "div", "rem", "min", "max", "shl", "mov"})
COUNTS = frozenset({"add", "sub", "setp", "mov"})  # where a constant is a number of elements
AXES = {"x": "y", "y": "x"}
NAMES = {"tid": "threadIdx", "ctaid": "blockIdx", "ntid": "blockDim", "nctaid": "gridDim"}
SPARES = {"%spare32": "b32", "%spare64": "b64"}  # registers that no compiler names so


@dataclass(frozen=True, slots=True)
class ChangedInstruction:
    """The instruction that others replace, what that is in the source, and others of its line that change with it."""

    number: int
    instead: tuple[Instruction, ...]
    told: Remedy
    together: tuple[ChangedInstruction, ...] = ()

    @property
    def every(self) -> tuple[ChangedInstruction, ...]:
        """All instructions that change."""
        return self, *self.together


@dataclass(frozen=True, slots=True)
class ChangeableInstruction:
    """An instruction, and the names of the variables in scope by their registers: whole numbers, and real ones."""

    number: int
    instruction: Instruction
    whole: Mapping[str, str]
    real: Mapping[str, str]
    real_after: Mapping[str, str]  # the same behind the instruction
    kinds: Mapping[str, str]  # the types of registers

    def changed(self, was: str, instead: str, *instructions: Instruction) -> ChangedInstruction:
        """Return a change."""
        return ChangedInstruction(self.number, instructions, Remedy(self.instruction.line, was, instead))

    def with_operand(self, at: int, operand: Operand) -> Instruction:
        """Return the instruction with another operand."""
        every = list(self.instruction.operands)
        every[at] = operand
        return replace(self.instruction, operands=tuple(every))


def changes(
    code: FlatProgram, info: DebugInfo, numbers: Iterable[int], lines: Container[int], nearby: Container[int]
) -> Iterator[ChangedInstruction]:
    """Yield the changes of these instructions, the most usual mistakes first; of the others, those in `lines`.

    Of variables there are so many that in other lines one will do by chance; numbers are changed in lines `nearby` too.
    """
    loaded = dict(_loaded_parameters(code))
    sites = [_site(code, info, number, loaded) for number in numbers if code.instructions[number].line]
    for kind in USUAL:
        for site in sites:
            yield from kind(site)
    yield from _together([each for site in sites for each in _comparisons(site)])
    for kind, places in ((_other_variables, lines), (_constants, lines), (_constants, nearby)):
        for site in sites:
            if site.instruction.line in places:
                yield from kind(site)


def _loaded_parameters(code: FlatProgram) -> Iterator[tuple[str, str]]:
    """Yield the parameters of functions, and the registers to which they are loaded."""
    for each in code.instructions:
        match each:
            case Instruction("ld", ("param", *_), (Register(register), Address(Symbol(parameter), 0))):
                yield parameter, register


def _site(code: FlatProgram, info: DebugInfo, number: int, loaded: Mapping[str, str]) -> ChangeableInstruction:
    whole, real, after = (
        _named(info, at, code.instructions[number].line, encodings, loaded)
        for at, encodings in ((number, INTEGERS), (number, REAL), (number + 1, REAL))
    )
    return ChangeableInstruction(number, code.instructions[number], whole, real, after, code.owners[number].registers)


def _named(
    info: DebugInfo, number: int, line: int, encodings: frozenset[int], loaded: Mapping[str, str]
) -> dict[str, str]:
    """Return the names of variables by their registers; none that is declared below the line."""
    known = (each for each in info.in_scope(number) if each.line <= line)
    every = ((each, each.place.register or loaded.get(each.place.symbol, "")) for each in known)
    return {
        at: each.name for each, at in every if at and each.type.number(ENCODING) in encodings and each.type.tag == BASE
    }


def _comparisons(site: ChangeableInstruction) -> Iterator[ChangedInstruction]:
    """`<` for `<=`, and the like."""
    opcode, modifiers = site.instruction.opcode, site.instruction.modifiers
    if opcode == "setp" and modifiers[0] in STRICT and modifiers[-1] in WHOLE:
        other = STRICT[modifiers[0]]
        yield site.changed(
            SIGNS[modifiers[0]], SIGNS[other], replace(site.instruction, modifiers=(other, *modifiers[1:]))
        )


def _together(comparisons: Iterable[ChangedInstruction]) -> Iterator[ChangedInstruction]:
    """Yield the changes of all like comparisons of a line, as of row and column in one condition."""
    alike = defaultdict[Remedy, list[ChangedInstruction]](list)
    for each in comparisons:
        alike[each.told].append(each)
    yield from (replace(first, together=tuple(others)) for first, *others in alike.values() if others)


def _axes(site: ChangeableInstruction) -> Iterator[ChangedInstruction]:
    """`threadIdx.y` for `threadIdx.x`, and the like."""
    operands = site.instruction.operands
    if site.instruction.opcode == "mov" and isinstance(operands[1], Special):
        name, _, axis = operands[1].name.partition(".")
        if name in NAMES and axis in AXES:
            other = site.with_operand(1, Special(f"{name}.{AXES[axis]}"))
            yield site.changed(f"{NAMES[name]}.{axis}", f"{NAMES[name]}.{AXES[axis]}", other)


def _additions(site: ChangeableInstruction) -> Iterator[ChangedInstruction]:
    """`+=` for `=`: what a variable was before is added."""
    opcode, kind = site.instruction.opcode, site.instruction.modifiers[-1:]
    result = site.instruction.operands[0] if site.instruction.operands else None
    name = site.real_after.get(result.name) if isinstance(result, Register) else None
    before = next((each for each, known in site.real.items() if known == name), None)
    if name and before and isinstance(result, Register) and before != result.name and opcode in {"mov", "mul"}:
        added = (result, result, Register(before))
        yield site.changed("=", "+=", site.instruction, Instruction("add", kind, added, None, site.instruction.line))


def _beginnings(site: ChangeableInstruction) -> Iterator[ChangedInstruction]:
    """A variable that begins at 0 instead of 1."""
    if site.instruction.opcode == "mov" and site.instruction.operands[1] == Integer(1):
        yield site.changed("1", "0", site.with_operand(1, Integer(0)))


def _rounded_up(site: ChangeableInstruction) -> Iterator[ChangedInstruction]:
    """A division that rounds up."""
    kind = site.instruction.modifiers[-1] if site.instruction.modifiers else ""
    if site.instruction.opcode == "div" and kind in WHOLE:
        _, a, b = site.instruction.operands
        spare = Register(f"%spare{kind[1:]}")
        added = Instruction("add", (kind,), (spare, a, b), None, site.instruction.line)
        less = Instruction("add", (kind,), (spare, spare, Integer(-1)), None, site.instruction.line)
        yield site.changed("/", "up", added, less, site.with_operand(1, spare))


def _other_variables(site: ChangeableInstruction) -> Iterator[ChangedInstruction]:
    """A variable for another, which the instruction does not have yet: x - x would end a condition, not a mistake."""
    if not _computes(site):
        return
    present = {operand.name for operand in site.instruction.operands if isinstance(operand, Register)}
    for at, operand in enumerate(site.instruction.operands[1:], 1):
        known = site.whole.get(operand.name) if isinstance(operand, Register) else None
        if known is None or not isinstance(operand, Register):
            continue
        for register, name in site.whole.items():
            is_other = name != known and register not in present
            if is_other and site.kinds.get(register) == site.kinds.get(operand.name):
                yield site.changed(known, name, site.with_operand(at, Register(register)))


def _with_factor(site: ChangeableInstruction) -> Iterator[ChangedInstruction]:
    """A part of a sum times a parameter, such as the length of rows."""
    instruction, kind = site.instruction, site.instruction.modifiers[-1] if site.instruction.modifiers else ""
    if instruction.opcode != "add" or kind not in WHOLE:
        return
    lengths = [(each, name) for each, name in site.whole.items() if name in PARAMETERS]
    for at, operand in enumerate(instruction.operands[1:], 1):
        for register, name in lengths:
            yield from _times(site, at, operand, register, name, kind)


def _times(
    site: ChangeableInstruction, at: int, operand: Operand, register: str, name: str, kind: str
) -> Iterator[ChangedInstruction]:
    """Return the change to a part of a sum times a variable; in bytes, a step of a pointer has no name."""
    bits = site.kinds[register][1:]
    if not (known := _name(operand, site)) or known == name:
        return
    spare, line = Register(f"%spare{kind[1:]}"), site.instruction.line
    if bits == kind[1:]:
        product = Instruction("mul", ("lo", f"s{bits}"), (spare, operand, Register(register)), None, line)
        yield site.changed(known, f"{known} * {name}", product, site.with_operand(at, spare))
    elif isinstance(operand, Integer):
        wide = Instruction("cvt", ("s64", "s32"), (spare, Register(register)), None, line)
        product = Instruction("mul", ("lo", "s64"), (spare, spare, operand), None, line)
        yield site.changed("", f"times {name}", wide, product, site.with_operand(at, spare))


def _constants(site: ChangeableInstruction) -> Iterator[ChangedInstruction]:
    """A constant that is one too large or too small, or should be 0."""
    if not _computes(site) or site.instruction.opcode not in COUNTS:
        return
    for at, operand in enumerate(site.instruction.operands[1:], 1):
        if isinstance(operand, Integer):
            size, sign = abs(operand.value), -1 if operand.value < 0 else 1
            for other in dict.fromkeys((size + 1, size - 1, 0)):
                if other != size and other >= 0:
                    yield site.changed(str(size), str(other), site.with_operand(at, Integer(sign * other)))


def _computes(site: ChangeableInstruction) -> bool:
    modifiers = site.instruction.modifiers
    return site.instruction.opcode in COMPUTES and bool(modifiers) and modifiers[-1] in WHOLE


def _name(operand: Operand, site: ChangeableInstruction) -> str:
    """Return what an operand is in the source; nothing where it is computed there."""
    if isinstance(operand, Integer):
        return str(operand.value)
    return site.whole.get(operand.name, "") if isinstance(operand, Register) else ""


PARAMETERS = frozenset({"N", "M", "K"})
Kind = Callable[[ChangeableInstruction], Iterator[ChangedInstruction]]
USUAL: tuple[Kind, ...] = (
    _comparisons, _beginnings, _rounded_up, _additions, _axes, _with_factor,
)  # fmt: skip
