"""The parameters of a kernel: their offsets in the memory of a launch, and their copy for pointers.

A kernel can take the address of a parameter that is __grid_constant__. Then all parameters are copied to constant
memory before each launch.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.engine.shared_memory import aligned
from grader.ptxsim.generate.layout import CONSTANTS, window
from grader.ptxsim.records.lacks import Lack
from grader.ptxsim.syntax.errors import UnsupportedError
from grader.ptxsim.syntax.records import Function, Instruction, Symbol, Variable

COPY = "parameters of the launch"  # the name of a variable; no name in PTX has a space
Offsets = tuple[tuple[int, int], ...]


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


def places_of(function: Function, offsets: Offsets) -> dict[str, int]:
    """Return the offset of each parameter by name, and under the empty name the end of the last one."""
    places = {parameter.name: at for parameter, (at, _) in zip(function.parameters, offsets, strict=True)}
    return places | {"": max((at + size for at, size in offsets), default=0)}


def copy_of_parameters(function: Function, offsets: Offsets) -> tuple[Variable, ...]:
    """Return the variable for the copy if the kernel takes the address of a parameter; else nothing."""
    names = {parameter.name for parameter in function.parameters}
    operands = (o for item in function.body if isinstance(item, Instruction) for o in item.operands)
    if not any(isinstance(operand, Symbol) and operand.name in names for operand in operands):
        return ()
    return (Variable(COPY, "const", places_of(function, offsets)[""], 16),)


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
