"""The buffer or the variable of the kernel to which an address in a trace belongs, and the kind of the variable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from grader.ptxsim.checked.accesses import WORD, Mask, acting
from grader.ptxsim.checked.traced_launch import TracedLaunch
from grader.ptxsim.engine.memory_layout import array_at
from grader.ptxsim.engine.program import Kernel
from grader.ptxsim.generate.layout import SEGMENT_BITS, SHARED, window
from grader.ptxsim.generate.traces import Event
from grader.ptxsim.records.races import Memory, VariableKind
from grader.ptxsim.syntax.declarations import source_name
from grader.ptxsim.syntax.records import REALS, WIDTHS, types_of

_ACCESSES = (Event.READ, Event.WRITE, Event.ATOMIC, Event.OBJECT)
_WIDEST = 64  # bytes of a lane's access
_ElementType = tuple[int, bool]  # its size in bytes, and whether it is floating-point


@dataclass(frozen=True, slots=True)
class _Variable:
    """A variable: its first generic address, its size in bytes, and whether it is a scalar."""

    name: str
    start: int
    size: int
    is_scalar: bool


def memory_at(launch: TracedLaunch, address: int, size: int) -> Memory:
    """Return the memory at a generic address; `size` is the number of bytes of the access."""
    segment = address >> SEGMENT_BITS
    if 1 <= segment <= len(launch.buffers):
        return Memory(launch.buffers[segment - 1], False, address - window(segment), size)
    variable = _variable(launch.kernel, address)
    if variable is None:
        return Memory("", segment == SHARED, 0, size)
    read_as = _read_as(launch, variable)
    element = min([width for width, _ in read_as] or [min(size, WORD)])
    kind = _kind(variable, element, read_as)
    of_access = size if kind is VariableKind.STRUCT else element
    return Memory(variable.name, segment == SHARED, address - variable.start, of_access, kind)


def _variable(kernel: Kernel, address: int) -> _Variable | None:
    if address >> SEGMENT_BITS == SHARED:
        array = array_at(kernel.arrays, address - window(SHARED))
        start = window(SHARED) + array.address if array else 0
        return _Variable(source_name(array.name), start, array.size, array.is_scalar) if array else None
    for variable, start in kernel.variables:
        if start <= address < start + variable.size:
            return _Variable(source_name(variable.name), start, variable.size, variable.is_scalar)
    return None


def _kind(variable: _Variable, element: int, read_as: Mapping[_ElementType, Mask]) -> VariableKind:
    if variable.is_scalar or element >= variable.size:
        return VariableKind.WHOLE
    types = sum((mark.astype(np.int64) for mark in read_as.values()), np.zeros(variable.size, np.int64))
    kinds = [mark for mark in read_as.values() if mark.any()]
    return VariableKind.STRUCT if len(kinds) > 1 and types.max() == 1 else VariableKind.ARRAY


def _read_as(launch: TracedLaunch, variable: _Variable) -> dict[_ElementType, Mask]:
    """Return, for each type with which threads access a variable, the bytes at which they do (a mask of its size)."""
    events = launch.events
    words = events["words"] - variable.start
    inside = acting(events) & (words >= 0) & (words < variable.size) & np.isin(events["kind"], _ACCESSES)[:, None]
    rows = np.flatnonzero(inside.any(axis=1))
    read_as: dict[_ElementType, Mask] = {}
    for where in np.unique(events["where"][rows]).tolist():
        record = launch.kernel.places[where].record
        types = types_of(record) if record else ()
        if types:
            mark = read_as.setdefault(
                (max(1, WIDTHS[types[-1]] // 8), types[-1] in REALS), np.zeros(variable.size, np.bool_)
            )
            own = rows[(events["where"][rows] == where) & (events["kind"][rows] != Event.WRITE)]
            starts = np.unique(words[own][inside[own]])
            for byte in range(min(_WIDEST, int(events["size"][own].max(initial=0)))):
                mark[starts[starts + byte < variable.size] + byte] = True
    return read_as
