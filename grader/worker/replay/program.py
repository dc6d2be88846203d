"""What a machine runs: the instructions of a module, one after the other, and threads, each with its registers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.syntax.records import Function, Instruction, Integer, Label, Module, Operand, Symbol

NULL_CHECKS = frozenset({"setp.ne.s64", "setp.ne.u64"})
MOST_CALLS = 16  # of functions of headers by each other, and negations of a negation


class GivesUpError(Exception):
    """Something that is not replayed; nothing is reported then."""


class TooLongError(GivesUpError):
    """A run that takes too many steps or seconds."""


class TooManyValuesError(GivesUpError):
    """More values than are traced at a time."""


@dataclass(frozen=True, slots=True)
class FlatProgram:
    """Instructions by their number; `owners` are the functions, `labels` the numbers behind each function's labels."""

    module: Module
    instructions: tuple[Instruction, ...]
    owners: tuple[Function, ...]
    starts: Mapping[str, int]
    labels: Mapping[tuple[str, str], int]
    places: Mapping[str, int] = field(default_factory=dict)  # of labels that are unique in the file

    def function(self, name: str) -> Function:
        """Return a function that has a body."""
        if name not in self.starts:
            raise GivesUpError(f"no function {name}")
        return self.owners[self.starts[name]]


def program(module: Module) -> FlatProgram:
    """Return the instructions of a module."""
    instructions: list[Instruction] = []
    owners: list[Function] = []
    starts: dict[str, int] = {}
    labels: dict[tuple[str, str], int] = {}
    for function in module.functions:
        starts[function.name] = len(instructions)
        for item in function.body:
            if isinstance(item, Label):
                labels[function.name, item.name] = len(instructions)
            else:
                instructions.append(item)
                owners.append(function)
        instructions.append(Instruction("exit" if function.is_entry else "ret", (), (), None, 0))
        owners.append(function)
    places = {name: place for (_, name), place in labels.items()}
    return FlatProgram(module, _with_lines(instructions, owners), tuple(owners), starts, labels, places)


def _with_lines(instructions: list[Instruction], owners: list[Function]) -> tuple[Instruction, ...]:
    """Return the instructions; those of a function of a header have the line of its call, if there is one only."""
    calls: dict[str, set[int]] = {}
    callers: dict[str, set[str]] = {}
    for instruction, owner in zip(instructions, owners, strict=True):
        for operand in instruction.operands if instruction.opcode == "call" else ():
            if isinstance(operand, Symbol):
                calls.setdefault(operand.name, set()).add(instruction.line)
                callers.setdefault(operand.name, set()).add(owner.name)

    def line(name: str, depth: int = 0) -> int:
        lines = calls.get(name, set()) - {0}
        if not lines and depth < MOST_CALLS:
            lines = {line(caller, depth + 1) for caller in callers.get(name, set())}
        return lines.pop() if len(lines) == 1 else 0

    of_calls = {name: line(name) for name in {owner.name for owner in owners}}
    return tuple(
        instruction if instruction.line else replace(instruction, line=of_calls[owner.name])
        for instruction, owner in zip(instructions, owners, strict=True)
    )


def conditions(code: FlatProgram) -> Iterator[tuple[int, bool]]:
    """Yield every condition of the source as its branch, and whether that is taken where the condition holds.

    The compiler branches away from what an `if` guards, by a predicate that it has negated before. Methods begin with a
    check of `this` that no source has.
    """
    made: dict[tuple[str, Operand], Instruction] = {}
    for instruction, owner in zip(code.instructions, code.owners, strict=True):
        if instruction.opcode in {"not", "setp"}:
            made[owner.name, instruction.operands[0]] = instruction
    for number, instruction in enumerate(code.instructions):
        if instruction.opcode == "bra" and instruction.guard is not None:
            name = code.owners[number].name
            predicate = made.get((name, instruction.guard.register))
            is_negated = predicate is not None and predicate.opcode == "not"
            for _ in range(MOST_CALLS):
                if predicate is not None and predicate.opcode == "not":
                    predicate = made.get((name, predicate.operands[1]))
            is_of_this = predicate is not None and predicate.name in NULL_CHECKS and predicate.operands[2] == Integer(0)
            if not is_of_this:
                yield number, is_negated == instruction.guard.negated


Who: TypeAlias = "NDArray[np.int64]"  # numbers of threads


Step: TypeAlias = Callable[[Who], None]


class ReachedError(Exception):
    """The thread is at the access that is looked for."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@dataclass(slots=True)
class RegisterCell:
    """A register or a parameter: a value for each thread, and the node that it comes from, if any has one."""

    data: NDArray[np.generic]
    origins: NDArray[np.int64] | None = None

    def as_type(self, kind: np.dtype[np.generic]) -> NDArray[np.generic]:
        """Return the values as a type: the low part of wider ones."""
        wider = self.data.dtype.itemsize // kind.itemsize
        if self.data.dtype == np.bool_ or wider == 0:
            return self.data
        return self.data.view(kind) if wider == 1 else np.ascontiguousarray(self.data).view(kind)[::wider]

    def mark(self, who: Who, nodes: NDArray[np.int64] | int) -> None:
        """Say which nodes the values of these threads come from."""
        if self.origins is None:
            if isinstance(nodes, int):
                return
            self.origins = np.zeros(len(self.data), np.int64)
        self.origins[who] = nodes


@dataclass(frozen=True, slots=True)
class LaunchGeometry:
    """A grid, its blocks, and the linear numbers of those that run."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    blocks: NDArray[np.int64]

    @property
    def per_block(self) -> int:
        x, y, z = self.block
        return x * y * z

    def specials(self) -> dict[str, NDArray[np.uint32]]:
        """Return the predefined registers of every thread."""
        own, block = np.tile(np.arange(self.per_block), len(self.blocks)), np.repeat(self.blocks, self.per_block)
        values: dict[str, NDArray[np.int64] | int] = {"laneid": own % 32, "warpid": own // 32}
        for name, number, sides in (("tid", own, self.block), ("ctaid", block, self.grid)):
            x, y, _ = sides
            values |= {f"{name}.x": number % x, f"{name}.y": number // x % y, f"{name}.z": number // (x * y)}
            values |= {f"n{name}.{axis}": side for axis, side in zip("xyz", sides, strict=True)}
        values["reserved_smem_offset_1"] = 0
        values["nwarpid"] = -(-self.per_block // 32)
        return {name: np.broadcast_to(np.asarray(each, np.uint32), own.shape) for name, each in values.items()}


@dataclass(slots=True)
class SoughtAccess:
    """The access that is looked for, after some others of the same kind."""

    thread: int
    line: int
    address: int
    after: int = 0

    def reached(self) -> bool:
        """Whether this is the access, of those that are like it."""
        self.after -= 1
        return self.after < 0
