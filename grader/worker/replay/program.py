"""The instructions of all functions of a module, one after the other, with the places of their labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from grader.ptxsim.syntax.records import Function, Instruction, Integer, Label, Module, Operand
from grader.worker.replay.header_lines import one_for_each_line, with_lines

NULL_CHECKS = frozenset({"setp.ne.s64", "setp.ne.u64"})
MOST_NEGATIONS = 16  # of a negation


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
    for function in one_for_each_line(module.functions):
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
    return FlatProgram(module, with_lines(instructions, owners), tuple(owners), starts, labels, places)


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
            for _ in range(MOST_NEGATIONS):
                if predicate is not None and predicate.opcode == "not":
                    predicate = made.get((name, predicate.operands[1]))
            is_of_this = predicate is not None and predicate.name in NULL_CHECKS and predicate.operands[2] == Integer(0)
            if not is_of_this:
                yield number, is_negated == instruction.guard.negated
