"""The bounds of each local array: an instruction `within`, which PTX does not have, before accesses to a known one.

A register points into an array if its value is computed from the address of that array and of no other. Pointers that
are loaded from memory, and arrays of recursive functions, are not followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from grader.worker.frontend.local_arrays import LocalArray
from grader.worker.simulator.analysis.arrays import ADDRESSES, names_of
from grader.worker.simulator.analysis.registers import results
from grader.worker.simulator.syntax.records import Address, Function, Instruction, Integer, Label, Register, Symbol

_KEEPS = frozenset({"mov", "cvta", "cvt"})


@dataclass(frozen=True, slots=True)
class _Origin:
    """What a value was computed from: the start of a function's local memory, or an array in it; else neither.

    It is `moved` if it may be another address than that of the array's first byte.
    """

    variable: str = ""
    array: LocalArray | None = None
    moved: bool = False


_UNKNOWN = _Origin()


def with_bounds(function: Function, arrays: tuple[LocalArray, ...]) -> Function:
    """Return the function with a check before each access to a known local array."""
    known: dict[str, dict[int, LocalArray]] = {}
    for variable in function.variables:
        if variable.space == "local":
            own = (array for array in arrays if array.variable == variable.name.split("#")[0])
            known[variable.name] = {array.start: array for array in own if array.start + array.size <= variable.size}
    if not any(known.values()):
        return function
    origins = _origins(function, known)
    return replace(function, body=tuple(new for statement in function.body for new in _checked(statement, origins)))


def _checked(statement: Instruction | Label, origins: Mapping[str, set[_Origin]]) -> Iterator[Instruction | Label]:
    if isinstance(statement, Instruction) and statement.opcode in {"ld", "st"}:
        address = statement.operands[statement.opcode == "ld"]
        if isinstance(address, Address) and isinstance(address.base, Register):
            found = origins.get(address.base.name, set())
            if array := _only_array(found, address.offset):
                yield _within(statement, address, next(iter(found)).variable, array)
    yield statement


def _only_array(origins: set[_Origin], offset: int) -> LocalArray | None:
    """Return the array that an address points into; None if it may be another one, or is a constant inside it."""
    arrays = {(origin.variable, origin.array) for origin in origins}
    array = next(iter(arrays))[1] if len(arrays) == 1 else None
    constant = not any(origin.moved for origin in origins)
    return None if array is None or (constant and 0 <= offset < array.size) else array


def _within(access: Instruction, address: Address, variable: str, array: LocalArray) -> Instruction:
    """Return the check of an access: its address, the array's first byte, its size and its name."""
    operands = address, Symbol(variable, array.start), Integer(array.size), Symbol(array.name)
    return Instruction("within", (access.opcode, *access.modifiers), operands, access.guard, access.line)


def _origins(function: Function, known: Mapping[str, Mapping[int, LocalArray]]) -> dict[str, set[_Origin]]:
    """Return what the value of each register may be computed from."""
    origins: dict[str, set[_Origin]] = {}
    readers: dict[str, list[Instruction]] = {}
    todo = [s for s in function.body if isinstance(s, Instruction) and s.opcode in ADDRESSES]
    for instruction in todo:
        for name in names_of(instruction.operands[1:]):
            readers.setdefault(name, []).append(instruction)
    while todo:
        instruction = todo.pop()
        new = _origins_of(instruction, origins, known)
        for register in results(instruction):
            before = origins.setdefault(register.name, set())
            if not new <= before:
                before |= new
                todo += readers.get(register.name, ())
    return origins


def _origins_of(
    instruction: Instruction, origins: Mapping[str, set[_Origin]], known: Mapping[str, Mapping[int, LocalArray]]
) -> set[_Origin]:
    operands = instruction.operands[1:]
    named = [operand for operand in operands if isinstance(operand, Symbol) and operand.name in known]
    found = {_Origin(symbol.name) if not symbol.offset else _UNKNOWN for symbol in named}
    found |= {origin for name in names_of(operands) for origin in origins.get(name, ())}
    if instruction.opcode in _KEEPS:
        return found
    number = operands[1] if instruction.opcode == "add" and len(operands) == 2 else None
    return {replace(one, moved=True) if one.array else _array_at(one, number, known) for one in found}


def _array_at(origin: _Origin, number: object, known: Mapping[str, Mapping[int, LocalArray]]) -> _Origin:
    """Return the array whose address is the start of local memory plus a number."""
    if origin.variable and isinstance(number, Integer) and (array := known[origin.variable].get(number.value)):
        return _Origin(origin.variable, array)
    return _UNKNOWN
