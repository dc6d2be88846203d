"""Names of what threads access, and of the threads."""

from __future__ import annotations

from grader.contract.layout import operands
from grader.model import AccessKind, Interface, Shape, ThreadAccess
from grader.model.findings import Thread
from grader.model.matrices import MATRICES
from grader.ptxsim.records.fields import Axes
from grader.ptxsim.records.races import Memory, TracedAccess, VariableKind

_ADDRESS_BITS = 64


def axes(place: Axes) -> str:
    """Return coordinates without a third axis that is not in use."""
    x, y, z = place
    return f"({x}, {y}, {z})" if z else f"({x}, {y})"


def in_line(line: int | None) -> str:
    """Name a line, if it is known."""
    return f" in line {line}" if line else ""


def who(thread: Thread) -> str:
    """Name a thread at the start of a sentence."""
    return f"Thread {thread.number} of block {thread.block}"


def verb(traced: TracedAccess) -> AccessKind:
    """Return what an access does."""
    if traced.atomic:
        return AccessKind.UPDATES
    if traced.copies:
        return AccessKind.COPIES_FROM if traced.reads else AccessKind.COPIES_TO
    return reads_or_writes(not traced.reads)


def reads_or_writes(writes: bool) -> AccessKind:
    """Return what a plain access does."""
    return AccessKind.WRITES if writes else AccessKind.READS


def access(traced: TracedAccess, does: AccessKind | None = None) -> ThreadAccess:
    """Return an access of a trace for the report; `does` is what it does if that is more than one access shows."""
    return ThreadAccess(traced.line or None, does or verb(traced), traced.block, traced.thread)


def of_thread(thread: Thread, does: AccessKind) -> ThreadAccess:
    """Return what a thread does, for the report."""
    return ThreadAccess(thread.line or None, does, thread.block, thread.number)


def element(memory: Memory, interface: Interface, shape: Shape) -> str:
    """Return an element of a matrix by row and column, of another array by its index, a variable, or a part of it."""
    if memory.name in MATRICES and not memory.is_shared:
        return _of_matrix(memory, interface, shape)
    if not memory.name:
        return "shared memory" if memory.is_shared else "global memory"
    space = "shared" if memory.is_shared else "__device__"
    if memory.kind is VariableKind.WHOLE:
        return f"the {space} variable {memory.name}"
    if memory.kind is VariableKind.STRUCT:
        last = memory.offset + memory.element - 1
        return f"bytes {memory.offset} to {last} of the {space} variable {memory.name}"
    unit = "byte" if memory.element == 1 else "element"
    array = f"the shared array “{memory.name}”" if memory.is_shared else memory.name
    return f"{unit} {memory.offset // max(1, memory.element)} of {array}"


def _of_matrix(memory: Memory, interface: Interface, shape: Shape) -> str:
    matrix = operands(interface, shape)[memory.name]
    line, place = divmod(memory.offset * matrix.elements // matrix.nbytes, matrix.stride)
    row, column = (line, place) if interface.layout == "row" else (place, line)
    return f"{memory.name}[{row}][{column}]"


def shape_of(name: str, interface: Interface) -> str:
    """Say what shape the lab gives to a matrix besides A, B and C; nothing of another name."""
    shapes = (" x ".join(matrix.shape) for matrix in interface.matrices if matrix.name == name)
    return next((f"The lab gives {name} the shape {shape}." for shape in shapes), "")


def place_in(offset: int, extent: int, element: int) -> str:
    """Return the place `offset` bytes after the start of an array of `extent` bytes, in elements of `element` bytes.

    No element is named where one would have the whole array, or a byte: a scalar, or a type that is not known.
    """
    offset = _signed(offset)
    return f"byte {offset} of {extent}{_in_elements(offset, extent, element)}"


def _in_elements(offset: int, extent: int, element: int) -> str:
    if not 1 < element < extent:
        return ""
    size = f"{element} bytes each"
    if offset < 0:
        before = -(offset // element)
        return f" ({before} element{'' if before == 1 else 's'} before its start, {size})"
    return f" (element {offset // element} of {extent // element}, counting from 0, {size})"


def _signed(offset: int) -> int:
    """Return an offset as an index below zero if it is one: addresses wrap around at their ends."""
    half = 1 << _ADDRESS_BITS - 1
    return (offset + half) % (1 << _ADDRESS_BITS) - half
