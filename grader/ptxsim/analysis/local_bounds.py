"""Bounds checks of local arrays: an instruction `within`, which PTX does not have, before accesses to a known array.

A register points into an array if its value is computed from the address of this array and of no other
(`local_origins.py`). Pointers that are loaded from memory are not followed. In a recursive function, each call has its
own array, and the address may be in that of any call, because another call may have passed it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from grader.ptxsim.analysis.call_stack import bytes_of_a_call
from grader.ptxsim.analysis.local_origins import LocalOrigin, origins
from grader.ptxsim.analysis.registers import results
from grader.ptxsim.records.local_array import LocalArray
from grader.ptxsim.syntax.records import Address, Function, Instruction, Integer, Label, Register, Symbol


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
    strides = _strides(function, found)
    body = (new for statement in function.body for new in _checked(statement, found, strides))
    return replace(function, body=tuple(body))


def _strides(function: Function, of_registers: Mapping[str, set[LocalOrigin]]) -> dict[str, int]:
    """Return the distance in bytes between the arrays of successive calls, for variables of recursive functions."""
    return {
        origin.variable: stride
        for one in function.body
        if isinstance(one, Instruction) and (stride := bytes_of_a_call(one))
        for register in results(one)
        for origin in of_registers.get(register.name, ())
    }


def _checked(
    statement: Instruction | Label, of_registers: Mapping[str, set[LocalOrigin]], strides: Mapping[str, int]
) -> Iterator[Instruction | Label]:
    if isinstance(statement, Instruction) and statement.opcode in {"ld", "st"}:
        address = statement.operands[statement.opcode == "ld"]
        if isinstance(address, Address) and isinstance(address.base, Register):
            found = of_registers.get(address.base.name, set())
            if array := _only_array(found, address.offset):
                variable = next(iter(found)).variable
                yield _within(statement, address, variable, array, strides.get(variable, 0))
    yield statement


def _only_array(found: set[LocalOrigin], offset: int) -> LocalArray | None:
    """Return the array into which an address points; None if it is unknown or needs no check."""
    arrays = {(origin.variable, origin.array) for origin in found}
    array = next(iter(arrays))[1] if len(arrays) == 1 else None
    constant = not any(origin.moved for origin in found)
    return None if array is None or (constant and 0 <= offset < array.size) else array


def _within(access: Instruction, address: Address, variable: str, array: LocalArray, stride: int) -> Instruction:
    """Return the check of an access: address, first byte, size and name of the array, and the distance to the next."""
    operands = address, Symbol(variable, array.start), Integer(array.size), Symbol(array.name), Integer(stride)
    return Instruction("within", (access.opcode, *access.modifiers), operands, access.guard, access.line)
