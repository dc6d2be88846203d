"""Changes of one instruction each, such as a student would make in one place of the source."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from grader.model.remedies import Remedy
from grader.ptxsim.syntax.records import Instruction, Integer, Operand, Register, Special
from grader.worker.replay.program import FlatProgram

STRICT = {"lt": "le", "le": "lt", "gt": "ge", "ge": "gt"}
SIGNS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
WHOLE = frozenset({"s32", "u32", "s64", "u64", "b32", "b64"})
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
    """An instruction that may be changed."""

    number: int
    instruction: Instruction

    def changed(self, was: str, instead: str, *instructions: Instruction) -> ChangedInstruction:
        """Return a change."""
        return ChangedInstruction(self.number, instructions, Remedy(self.instruction.line, was, instead))

    def with_operand(self, at: int, operand: Operand) -> Instruction:
        """Return the instruction with another operand."""
        every = list(self.instruction.operands)
        every[at] = operand
        return replace(self.instruction, operands=tuple(every))


def changes(code: FlatProgram, numbers: Iterable[int]) -> Iterator[ChangedInstruction]:
    """Yield the changes of these instructions, the most usual mistakes first."""
    every = ((number, code.instructions[number]) for number in numbers)
    sites = [ChangeableInstruction(number, instruction) for number, instruction in every if instruction.line]
    for kind in USUAL:
        for site in sites:
            yield from kind(site)
    yield from _together([each for site in sites for each in _comparisons(site)])


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


def _beginnings(site: ChangeableInstruction) -> Iterator[ChangedInstruction]:
    """A variable that begins at 0 instead of 1, or no 1 that is added where it begins."""
    for at, operand in enumerate(site.instruction.operands[1:], 1):
        if site.instruction.opcode in {"mov", "add"} and operand == Integer(1):
            yield site.changed("1", "0", site.with_operand(at, Integer(0)))


def _rounded_up(site: ChangeableInstruction) -> Iterator[ChangedInstruction]:
    """A division that rounds up."""
    kind = site.instruction.modifiers[-1] if site.instruction.modifiers else ""
    if site.instruction.opcode == "div" and kind in WHOLE:
        _, a, b = site.instruction.operands
        spare = Register(f"%spare{kind[1:]}")
        added = Instruction("add", (kind,), (spare, a, b), None, site.instruction.line)
        less = Instruction("add", (kind,), (spare, spare, Integer(-1)), None, site.instruction.line)
        yield site.changed("/", "up", added, less, site.with_operand(1, spare))


Kind = Callable[[ChangeableInstruction], Iterator[ChangedInstruction]]
USUAL: tuple[Kind, ...] = (_comparisons, _beginnings, _rounded_up, _axes)
