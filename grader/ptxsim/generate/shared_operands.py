"""Warp operations with the operands of all their places in common registers, so that lanes may meet from several.

A kernel may contain one operation, such as `shfl.sync.bfly.b32`, in several places. Before each of them, lanes copy
what they give to it to registers that all these places share; the operation writes what they get to others, from where
lanes copy it. An operand that is the same number in all places stays where it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from grader.ptxsim.analysis.graph import Graph
from grader.ptxsim.analysis.registers import has_result
from grader.ptxsim.generate.warps import members
from grader.ptxsim.syntax.records import Instruction, Integer, Operand, Pair, Register, types_of

_PAIRS = frozenset({"shfl", "match", "elect"})  # they have a number and a predicate as results


def with_shared_operands(graph: Graph, registers: Mapping[str, str]) -> tuple[Graph, dict[str, str]]:
    """Return a graph whose warp operations have common registers, and all registers with their types."""
    shared = _shared(graph)
    blocks = []
    for block in graph.blocks:
        pieces = [_with_copies(instruction, shared) for instruction in block.instructions]
        blocks.append(replace(block, instructions=tuple(one for piece in pieces for one in piece)))
    common = {name: type_ for operation in shared.values() for name, type_ in registers_of(operation)}
    return Graph(tuple(blocks)), {**registers, **common}


def registers_of(operation: Instruction) -> Iterator[tuple[str, str]]:
    """Yield the name and the type of each common register of an operation."""
    for number, operand in enumerate(operation.operands):
        match operand:
            case Register(name):
                yield name, _type(operation, number)
            case Pair(Register(first), Register(second)):
                yield first, "b32"
                yield second, "pred"
    yield place_of(operation).name, "b32"


def place_of(operation: Instruction) -> Register:
    """Return the register in which traced code keeps at which place each lane is: its number plus one, 0 if unknown."""
    return Register(f"{operation.name} place")


def _shared(graph: Graph) -> dict[str, Instruction]:
    """Return each warp operation with common registers, by its name."""
    places: dict[str, list[Instruction]] = defaultdict(list)
    for block in graph.blocks:
        for instruction in block.instructions:
            if members(instruction) is not None:
                places[instruction.name].append(instruction)
    return {name: replace(own[0], operands=tuple(_operands(own))) for name, own in places.items()}


def _operands(places: Sequence[Instruction]) -> Iterator[Operand]:
    first = places[0]
    for number, (one, *others) in enumerate(zip(*(place.operands for place in places), strict=True)):
        register = Register(f"{first.name} {number}")
        if number == 0 and has_result(first):
            is_pair = first.opcode in _PAIRS
            yield Pair(register, Register(f"{register.name} holds")) if is_pair else register
        else:
            yield one if isinstance(one, Integer) and all(one == other for other in others) else register


def _with_copies(own: Instruction, shared: Mapping[str, Instruction]) -> Iterator[Instruction]:
    """Yield an instruction with common registers, between the copies to and from them."""
    if members(own) is None:
        yield own
        return
    operation, after = shared[own.name], []
    for number, (operand, common) in enumerate(zip(own.operands, operation.operands, strict=True)):
        if number == 0 and has_result(own):
            after = list(_copies_of_results(own, operand, common, _type(operation, 0)))
        elif operand != common:
            yield _copy(own, _type(operation, number), common, operand)
    yield replace(own, operands=operation.operands)
    yield from after


def _copies_of_results(own: Instruction, wanted: Operand, common: Operand, type_: str) -> Iterator[Instruction]:
    targets = (wanted.first, wanted.second) if isinstance(wanted, Pair) else (wanted, None)
    sources = (common.first, common.second) if isinstance(common, Pair) else (common, None)
    for target, source, kind in zip(targets, sources, (type_, "pred"), strict=True):
        if isinstance(target, Register) and source is not None:
            yield _copy(own, kind, target, source)


def _copy(own: Instruction, type_: str, target: Operand, source: Operand) -> Instruction:
    return Instruction("mov", (type_,), (target, source), None, own.line)


def _type(operation: Instruction, number: int) -> str:
    """Return the type of an operand; of a pair, that of the number."""
    if operation.opcode == "vote" and (number == 1 or (number == 0 and "ballot" not in operation.modifiers)):
        return "pred"
    return types_of(operation)[-1] if operation.opcode == "match" and number == 1 else "b32"
