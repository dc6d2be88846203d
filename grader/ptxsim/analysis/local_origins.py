"""The local array from whose address the value of each register is computed.

A value with another possible origin (memory, another lane, the difference of two addresses) may be any address.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from grader.ptxsim.analysis.arrays import ADDRESSES, names_of
from grader.ptxsim.analysis.call_stack import bytes_of_a_call, restores
from grader.ptxsim.analysis.registers import results
from grader.ptxsim.records.local_array import LocalArray
from grader.ptxsim.syntax.records import Function, Instruction, Integer, Operand, Symbol

_KEEPS = frozenset({"mov", "cvta", "cvt"})


@dataclass(frozen=True, slots=True)
class LocalOrigin:
    """The origin of a value: the start of a function's local memory, or an array in it; else neither is set.

    It is `moved` if it may differ from the address of the array's first byte.
    """

    variable: str = ""
    array: LocalArray | None = None
    moved: bool = False


_UNKNOWN = LocalOrigin()
_Known = Mapping[str, Mapping[int, LocalArray]]
_Found = dict[str, set[LocalOrigin]]


def origins(function: Function, known: _Known) -> dict[str, set[LocalOrigin]]:
    """Return the possible origins of each register's value; `known` has the arrays of each variable by start."""
    found: _Found = {}
    all_ = [statement for statement in function.body if isinstance(statement, Instruction)]
    computed = [instruction for instruction in all_ if instruction.opcode in ADDRESSES]
    readers: dict[str, list[Instruction]] = {}
    for instruction in computed:
        for name in names_of(instruction.operands[1:]):
            readers.setdefault(name, []).append(instruction)
    _follow(computed, found, readers, known)
    from_elsewhere = [one for one in all_ if _also_from_elsewhere(one, found, known)]
    todo: list[Instruction] = []
    for instruction in from_elsewhere:
        todo += _added(instruction, {_UNKNOWN}, found, readers)
    _follow(todo, found, readers, known)
    return found


def _follow(todo: list[Instruction], found: _Found, readers: Mapping[str, list[Instruction]], known: _Known) -> None:
    """Propagate the origins of results to their readers until nothing changes."""
    todo = [*todo]
    while todo:
        instruction = todo.pop()
        todo += _added(instruction, _of_result(instruction, found, known), found, readers)


def _added(
    instruction: Instruction, new: set[LocalOrigin], found: _Found, readers: Mapping[str, list[Instruction]]
) -> list[Instruction]:
    """Add origins to the results of an instruction. Return the readers of results that changed."""
    changed: list[Instruction] = []
    for register in results(instruction):
        before = found.setdefault(register.name, set())
        if not new <= before:
            before |= new
            changed += readers.get(register.name, ())
    return changed


def _also_from_elsewhere(instruction: Instruction, found: _Found, known: _Known) -> bool:
    """Whether a result that may be a local address can also have another origin, due to this instruction."""
    if not any(found.get(register.name) for register in results(instruction)):
        return False
    if restores(instruction):
        return False
    local = [bool(_of_operand(operand, found, known)) for operand in instruction.operands[1:]]
    match instruction.opcode:
        case "mov" | "cvt" | "cvta":
            return not all(local)
        case "selp":
            return not all(local[:2])
        case "add" | "or" | "xor":
            return all(local)
        case "sub":
            return local[1]
        case "mad":
            return any(local[:2])
    return True


def _of_result(instruction: Instruction, found: _Found, known: _Known) -> set[LocalOrigin]:
    operands = instruction.operands[1:]
    origins = {origin for operand in operands for origin in _of_operand(operand, found, known)}
    if instruction.opcode in _KEEPS or bytes_of_a_call(instruction):
        return origins
    number = operands[1] if instruction.opcode == "add" and len(operands) == 2 else None
    return {replace(one, moved=True) if one.array else _array_at(one, number, known) for one in origins}


def _of_operand(operand: Operand, found: _Found, known: _Known) -> set[LocalOrigin]:
    if isinstance(operand, Symbol) and operand.name in known:
        return {LocalOrigin(operand.name) if not operand.offset else _UNKNOWN}
    return {origin for name in names_of([operand]) for origin in found.get(name, ())}


def _array_at(origin: LocalOrigin, number: Operand | None, known: _Known) -> LocalOrigin:
    """Return the origin of the sum of the start of local memory and a number: the array at this address, if known."""
    if origin.variable and isinstance(number, Integer) and (array := known[origin.variable].get(number.value)):
        return LocalOrigin(origin.variable, array)
    return _UNKNOWN
