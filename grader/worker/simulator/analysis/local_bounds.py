"""The bounds of each local array: an instruction `within`, which PTX does not have, before accesses to a known one.

A register points into an array if its value is computed from the address of that array and of nothing else
(`local_origins.py`). Pointers that are loaded from memory, and arrays of recursive functions, are not followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from grader.worker.frontend.local_arrays import LocalArray
from grader.worker.simulator.analysis.local_origins import LocalOrigin, origins
from grader.worker.simulator.syntax.records import Address, Function, Instruction, Integer, Label, Register, Symbol


def with_bounds(function: Function, arrays: tuple[LocalArray, ...]) -> Function:
    """Return the function with a check before each access to a known local array."""
    known: dict[str, dict[int, LocalArray]] = {}
    for variable in function.variables:
        if variable.space == "local":
            own = (array for array in arrays if array.variable == variable.name.split("#")[0])
            known[variable.name] = {array.start: array for array in own if array.start + array.size <= variable.size}
    if not any(known.values()):
        return function
    found = origins(function, known)
    return replace(function, body=tuple(new for statement in function.body for new in _checked(statement, found)))


def _checked(
    statement: Instruction | Label, of_registers: Mapping[str, set[LocalOrigin]]
) -> Iterator[Instruction | Label]:
    if isinstance(statement, Instruction) and statement.opcode in {"ld", "st"}:
        address = statement.operands[statement.opcode == "ld"]
        if isinstance(address, Address) and isinstance(address.base, Register):
            found = of_registers.get(address.base.name, set())
            if array := _only_array(found, address.offset):
                yield _within(statement, address, next(iter(found)).variable, array)
    yield statement


def _only_array(found: set[LocalOrigin], offset: int) -> LocalArray | None:
    """Return the array that an address points into; None if it may be another one, or is a constant inside it."""
    arrays = {(origin.variable, origin.array) for origin in found}
    array = next(iter(arrays))[1] if len(arrays) == 1 else None
    constant = not any(origin.moved for origin in found)
    return None if array is None or (constant and 0 <= offset < array.size) else array


def _within(access: Instruction, address: Address, variable: str, array: LocalArray) -> Instruction:
    """Return the check of an access: its address, the array's first byte, its size and its name."""
    operands = address, Symbol(variable, array.start), Integer(array.size), Symbol(array.name)
    return Instruction("within", (access.opcode, *access.modifiers), operands, access.guard, access.line)
