"""Bounds checks of local arrays: an instruction `within`, which PTX does not have, before accesses to a known array.

A register points into an array if its value is computed from the address of this array and of no other. A value with
another possible origin (memory, another lane, the difference of two addresses) may be any address. In a recursive
function, each call has its own array, and the address may be in that of any call, because another call may have passed
it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from grader.ptxsim.analysis.call_stack import bytes_of_a_call, restores
from grader.ptxsim.analysis.graph import Graph
from grader.ptxsim.analysis.registers import results
from grader.ptxsim.records.fields import LocalArray
from grader.ptxsim.syntax.records import (
    Address,
    Function,
    Instruction,
    Integer,
    Operand,
    Register,
    Symbol,
    Vector,
    address_of,
)

_KEEPS = frozenset({"mov", "cvta", "cvt"})
ADDRESSES = frozenset({"mov", "add", "sub", "mad", "or", "xor", "cvt", "cvta", "selp"})


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
    return function.rewritten(lambda instruction: _checked(instruction, found, strides))


def _strides(function: Function, of_registers: Mapping[str, set[LocalOrigin]]) -> dict[str, int]:
    """Return the distance in bytes between the arrays of successive calls, for variables of recursive functions."""
    return {
        origin.variable: stride
        for one in function.instructions
        if (stride := bytes_of_a_call(one))
        for register in results(one)
        for origin in of_registers.get(register.name, ())
    }


def _checked(
    instruction: Instruction, of_registers: Mapping[str, set[LocalOrigin]], strides: Mapping[str, int]
) -> Iterator[Instruction]:
    if instruction.opcode in {"ld", "st"}:
        address = address_of(instruction)
        if address and isinstance(address.base, Register):
            found = of_registers.get(address.base.name, set())
            if array := _only_array(found, address.offset):
                variable = next(iter(found)).variable
                yield _within(instruction, address, variable, array, strides.get(variable, 0))
    yield instruction


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
_Readers = Mapping[str, list[Instruction]]
Origin = TypeVar("Origin")


def origins(function: Function, known: _Known) -> dict[str, set[LocalOrigin]]:
    """Return the possible origins of each register's value; `known` has the arrays of each variable by start."""
    found: _Found = {}
    all_ = function.instructions
    computed = [instruction for instruction in all_ if instruction.opcode in ADDRESSES]
    readers = _readers(computed)

    def of_result(instruction: Instruction) -> set[LocalOrigin]:
        return _of_result(instruction, found, known)

    _follow(computed, found, readers, of_result)
    from_elsewhere = [one for one in all_ if _also_from_elsewhere(one, found, known)]
    todo: list[Instruction] = []
    for instruction in from_elsewhere:
        todo += _added(instruction, {_UNKNOWN}, found, readers)
    _follow(todo, found, readers, of_result)
    return found


def _readers(computed: Iterable[Instruction]) -> _Readers:
    readers: dict[str, list[Instruction]] = {}
    for instruction in computed:
        for name in names_of(instruction.operands[1:]):
            readers.setdefault(name, []).append(instruction)
    return readers


def _follow(
    todo: Iterable[Instruction],
    found: dict[str, set[Origin]],
    readers: _Readers,
    of_result: Callable[[Instruction], set[Origin]],
) -> None:
    """Propagate the origins of results to their readers until nothing changes."""
    left = [*todo]
    while left:
        instruction = left.pop()
        left += _added(instruction, of_result(instruction), found, readers)


def _added(
    instruction: Instruction, new: set[Origin], found: dict[str, set[Origin]], readers: _Readers
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


def arrays_of_registers(graph: Graph, variables: Collection[str]) -> dict[str, str]:
    """Return the variable of each register whose value is computed from a single variable.

    It probably points into this shared array, whose bounds can then be constants in the code. If it does not, the check
    fails, and the code looks up the right bounds.
    """
    computed = [instruction for instruction in graph.instructions if instruction.opcode in ADDRESSES]
    pointing: dict[str, set[str]] = {}

    def of_result(instruction: Instruction) -> set[str]:
        names = names_of(instruction.operands[1:])
        return {name for name in names if name in variables}.union(*(pointing.get(name, ()) for name in names))

    _follow(computed, pointing, _readers(computed), of_result)
    return {name: next(iter(variables_of)) for name, variables_of in pointing.items() if len(variables_of) == 1}


def names_of(operands: Collection[Operand]) -> list[str]:
    """Return the names of registers and variables among the operands."""
    names: list[str] = []
    for operand in operands:
        if isinstance(operand, Register | Symbol):
            names.append(operand.name)
        elif isinstance(operand, Vector):
            names += names_of(operand.items)
    return names
