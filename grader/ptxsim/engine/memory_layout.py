"""The layout of shared memory, and of the parameters of a launch.

Shared arrays are adjacent in memory, but far apart in simulated addresses. The lowest bits of an address equal those on
the device, so that the same accesses are misaligned. A kernel can take the address of a parameter that is
__grid_constant__: then all parameters are copied to constant memory before each launch.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.analysis.lowering import MEMORY
from grader.ptxsim.generate.layout import ARRAY_BITS, ARRAYS, CONSTANTS, FIRST_SHARED, SharedArray, window
from grader.ptxsim.records.lacks import Lack, UnsupportedError
from grader.ptxsim.syntax.records import Function, Module, Symbol, Variable

MOST_SHARED = 1 << 20  # bytes of a block

COPY = "parameters of the launch"  # the name of a variable; no name in PTX has a space
Offsets = tuple[tuple[int, int], ...]


def place_shared(module: Module, function: Function, dynamic: int) -> tuple[dict[str, int], tuple[SharedArray, ...]]:
    """Return the address of each variable in shared memory, and the arrays; the dynamic array comes last.

    Raises:
        UnsupportedError: they take more than MOST_SHARED bytes.

    """
    variables = [v for v in (*module.variables, *function.variables) if v.space == "shared"]
    variables.sort(key=lambda variable: variable != MEMORY)
    arrays: list[SharedArray] = []
    end, symbols = 0, dict[str, int]()
    for variable in (v for v in variables if not v.dynamic):
        place = aligned(end, variable.alignment)
        end = place + variable.size
        _refuse_too_much(end)
        symbols[variable.name] = _place(arrays, variable, place, variable.size)
    open_ended = [variable for variable in variables if variable.dynamic]
    if open_ended:
        place = aligned(end, max(variable.alignment for variable in open_ended))
        _refuse_too_much(place + dynamic)
        address = _place(arrays, open_ended[0], place, dynamic)
        symbols |= {variable.name: address for variable in open_ended}
    return symbols, tuple(arrays)


def aligned(place: int, alignment: int) -> int:
    """Return the smallest multiple of an alignment that is not below `place`."""
    return -(-place // alignment) * alignment


def array_at(arrays: tuple[SharedArray, ...], address: int) -> SharedArray | None:
    """Return the array in whose range of simulated addresses an address is; None if there is none."""
    number = address >> ARRAY_BITS
    return arrays[number] if 0 <= number < len(arrays) else None


def _place(arrays: list[SharedArray], variable: Variable, place: int, size: int) -> int:
    """Append an array, or extend the last one if there are ARRAYS already. Return its address."""
    if len(arrays) < ARRAYS:
        address = (len(arrays) << ARRAY_BITS) + FIRST_SHARED + place
        arrays.append(SharedArray(variable.name, address, place, size, variable.is_scalar, variable.dynamic))
        return address
    last = arrays[-1]
    arrays[-1] = SharedArray("", last.address, last.place, place + size - last.place)
    return last.address + place - last.place


def _refuse_too_much(end: int) -> None:
    if end > MOST_SHARED:
        raise UnsupportedError(Lack.SHARED)


def offsets_of(function: Function) -> Offsets:
    """Return offset and size of each parameter, in bytes."""
    place, parameters = 0, []
    for parameter in function.parameters:
        place = aligned(place, parameter.alignment)
        if not 0 <= parameter.size <= 4096 or parameter.alignment > 4096:
            raise UnsupportedError(Lack.ARGUMENT)
        parameters.append((place, parameter.size))
        place += parameter.size
    return tuple(parameters)


def offsets_by_name(function: Function, offsets: Offsets) -> dict[str, int]:
    """Return the offset of each parameter by name, and under the empty name the end of the last one."""
    places = {parameter.name: at for parameter, (at, _) in zip(function.parameters, offsets, strict=True)}
    return places | {"": max((at + size for at, size in offsets), default=0)}


def copy_of_parameters(function: Function, offsets: Offsets) -> tuple[Variable, ...]:
    """Return the variable for the copy if the kernel takes the address of a parameter; else nothing."""
    names = {parameter.name for parameter in function.parameters}
    operands = (operand for instruction in function.instructions for operand in instruction.operands)
    if not any(isinstance(operand, Symbol) and operand.name in names for operand in operands):
        return ()
    return (Variable(COPY, "const", offsets_by_name(function, offsets)[""], 16),)


def addresses_of_parameters(function: Function, offsets: Offsets, symbols: Mapping[str, int]) -> dict[str, int]:
    """Return the address of each parameter in the copy."""
    if COPY not in symbols:
        return {}
    return {p.name: symbols[COPY] + at for p, (at, _) in zip(function.parameters, offsets, strict=True)}


def copy(parameters: NDArray[np.uint8], symbols: Mapping[str, int], variables: Mapping[int, NDArray[np.uint8]]) -> None:
    """Fill the copy, if there is one, with the parameters of a launch."""
    if COPY in symbols:
        start = symbols[COPY] - window(CONSTANTS)
        variables[CONSTANTS][start : start + parameters.size] = parameters
