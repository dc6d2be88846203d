"""Changes of one instruction each, such as a student would make in one place of the source."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from grader.model.remedies import Remedy
from grader.ptxsim.syntax.records import Instruction, Integer, Operand, Register, Special
from grader.worker.replay.program import FlatProgram

STRICT = {"lt": "le", "le": "lt", "gt": "ge", "ge": "gt"}
SIGNS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
WHOLE = frozenset({"s32", "u32", "s64", "u64", "b32", "b64"})
REAL = frozenset({"f32", "f64"})
OPPOSITE = {"add": "sub", "sub": "add"}
AXES = {"x": "y", "y": "x"}
NAMES = {"tid": "threadIdx", "ctaid": "blockIdx", "ntid": "blockDim", "nctaid": "gridDim"}
Change: TypeAlias = tuple[str, str, tuple[Instruction, ...]]
"""What is in the source, what would be instead, and the instructions of that."""
Kind: TypeAlias = Callable[[Instruction], Iterator[Change]]
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


def changes(code: FlatProgram, numbers: Iterable[int]) -> Iterator[ChangedInstruction]:
    """Yield the changes of these instructions, the most usual mistakes first."""
    every = [(number, code.instructions[number]) for number in numbers if code.instructions[number].line]
    for kind in USUAL:
        yield from _of_kind(kind, every)
    yield from _together(_of_kind(_comparisons, every))


def _of_kind(kind: Kind, every: Iterable[tuple[int, Instruction]]) -> Iterator[ChangedInstruction]:
    for number, instruction in every:
        for was, instead, instructions in kind(instruction):
            yield ChangedInstruction(number, instructions, Remedy(instruction.line, was, instead))


def _together(comparisons: Iterable[ChangedInstruction]) -> Iterator[ChangedInstruction]:
    """Yield the changes of all like comparisons of a line, as of row and column in one condition."""
    alike = defaultdict[Remedy, list[ChangedInstruction]](list)
    for each in comparisons:
        alike[each.told].append(each)
    yield from (replace(first, together=tuple(others)) for first, *others in alike.values() if others)


def _comparisons(own: Instruction) -> Iterator[Change]:
    """`<` for `<=`, and the like."""
    if own.opcode == "setp" and own.modifiers[0] in STRICT and own.modifiers[-1] in WHOLE:
        sign, *others = own.modifiers
        yield SIGNS[sign], SIGNS[STRICT[sign]], (replace(own, modifiers=(STRICT[sign], *others)),)


def _axes(own: Instruction) -> Iterator[Change]:
    """`threadIdx.y` for `threadIdx.x`, and the like."""
    if own.opcode == "mov" and isinstance(own.operands[1], Special):
        name, _, axis = own.operands[1].name.partition(".")
        if name in NAMES and axis in AXES:
            other = _with_operand(own, 1, Special(f"{name}.{AXES[axis]}"))
            yield f"{NAMES[name]}.{axis}", f"{NAMES[name]}.{AXES[axis]}", (other,)


def _beginnings(own: Instruction) -> Iterator[Change]:
    """A variable that begins at 0 instead of 1, or no 1 that is added where it begins."""
    for at, operand in enumerate(own.operands[1:], 1):
        if own.opcode in {"mov", "add"} and operand == Integer(1):
            yield "1", "0", (_with_operand(own, at, Integer(0)),)


def _rounded_up(own: Instruction) -> Iterator[Change]:
    """A division that rounds up."""
    kind = own.modifiers[-1] if own.modifiers else ""
    if own.opcode == "div" and kind in WHOLE:
        _, a, b = own.operands
        spare = Register(f"%spare{kind[1:]}")
        added = Instruction("add", (kind,), (spare, a, b), None, own.line)
        less = Instruction("add", (kind,), (spare, spare, Integer(-1)), None, own.line)
        yield "/", "up", (added, less, _with_operand(own, 1, spare))


def _signs(own: Instruction) -> Iterator[Change]:
    """`-` for `+` between real numbers, and the reverse, as in what a sum makes up for."""
    if own.opcode in OPPOSITE and own.modifiers[-1] in REAL:
        was, instead = ("+", "-") if own.opcode == "add" else ("-", "+")
        yield was, instead, (replace(own, opcode=OPPOSITE[own.opcode]),)


def _with_operand(own: Instruction, at: int, operand: Operand) -> Instruction:
    return replace(own, operands=(*own.operands[:at], operand, *own.operands[at + 1 :]))


USUAL: tuple[Kind, ...] = (_comparisons, _beginnings, _rounded_up, _axes, _signs)
