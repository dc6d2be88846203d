"""The layout of shared memory: arrays are adjacent in memory, but far apart in simulated addresses.

The lowest bits of an address equal those on the device, so that the same accesses are misaligned.
"""

from __future__ import annotations

from grader.ptxsim.analysis.reserved_memory import MEMORY
from grader.ptxsim.generate.layout import ARRAY_BITS, ARRAYS, FIRST_SHARED, SharedArray
from grader.ptxsim.records.lacks import Lack
from grader.ptxsim.syntax.errors import UnsupportedError
from grader.ptxsim.syntax.records import Function, Module, Variable

MOST_SHARED = 1 << 20  # bytes of a block

DYNAMIC = "dynamic bytes"


def place_shared(module: Module, function: Function, dynamic: int) -> tuple[dict[str, int], tuple[SharedArray, ...]]:
    """Return the address of each variable in shared memory, and the arrays; the dynamic array comes last.

    Raises:
        UnsupportedError: they take more than MOST_SHARED bytes.

    """
    variables = [v for v in (*module.variables, *function.variables) if v.space == "shared"]
    variables.sort(key=lambda variable: variable != MEMORY)
    arrays: list[SharedArray] = []
    end, symbols = 0, {DYNAMIC: dynamic}
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
