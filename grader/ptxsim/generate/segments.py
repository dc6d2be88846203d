"""Checks that a range of bytes lies in one segment or one array of shared memory, and the host's pointer to it."""

from __future__ import annotations

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.layout import (
    ARRAY_BITS,
    ARRAYS,
    SEGMENT_BITS,
    SEGMENTS,
    SHARED,
    Segment,
    SharedArray,
    window,
)
from grader.ptxsim.generate.values import Value, first_lane

_OUT_OF_BOUNDS = ("null", "false")
_RECORD = 8 * len(Segment._fields_)


def segment_check(code: Code, address: str, length: int, *, write: bool = False) -> tuple[str, str]:
    """Return the host's pointer to a generic address, and whether the bytes from there on lie in one segment."""
    if length >> SEGMENT_BITS:
        return _OUT_OF_BOUNDS
    emitter = code.emitter
    number = emitter.pure(f"lshr i64 {address}, {SEGMENT_BITS}")
    clamped = emitter.call("i64", "llvm.umin.i64", [("i64", number), ("i64", str(SEGMENTS - 1))])
    return _within(code, clamped, address, length, write=write)


def shared_check(code: Code, base: Value, low: int, length: int, array: SharedArray | None) -> tuple[str, str]:
    """Return the same for the bytes of shared memory that start `low` bytes after the only base of a value.

    If the array is known, they have to lie in it.
    """
    emitter, element = code.emitter, base.element
    if array is None:
        return _check_segment_of_array(code, base, low, length)
    if length > array.size:
        return _OUT_OF_BOUNDS
    place = _first_plus(code, base, low - array.address)
    inside = emitter.pure(f"icmp ule {element} {place}, {array.size - length}")
    wide = emitter.pure(f"zext {element} {place} to i64") if element != "i64" else place
    memory = emitter.at(code.processor("shared", "ptr"), array.place)
    return emitter.pure(f"getelementptr i8, ptr {memory}, i64 {wide}"), inside


def _check_segment_of_array(code: Code, base: Value, low: int, length: int) -> tuple[str, str]:
    emitter, element = code.emitter, base.element
    place = _first_plus(code, base, low)
    wide = emitter.pure(f"zext {element} {place} to i64") if element != "i64" else place
    number = emitter.pure(f"and i64 {emitter.pure(f'lshr i64 {wide}, {ARRAY_BITS}')}, {ARRAYS - 1}")
    generic = emitter.pure(f"add i64 {wide}, {window(SHARED)}")
    return _within(code, emitter.pure(f"add i64 {number}, {SEGMENTS}"), generic, length, write=True)


def _first_plus(code: Code, base: Value, bytes_: int) -> str:
    """Return the scalar of the first lane plus a number of bytes."""
    first = first_lane(code.emitter, base)
    return code.emitter.pure(f"add {base.element} {first}, {bytes_}") if bytes_ else first


def _within(code: Code, number: str, address: str, length: int, *, write: bool) -> tuple[str, str]:
    """Return the same for the segment with a `number` in the table of segments."""
    emitter = code.emitter
    segment = emitter.pure(f"getelementptr i8, ptr %m, i64 {emitter.pure(f'mul i64 {number}, {_RECORD}')}")
    start, end, delta = (emitter.load("i64", segment, 8 * field, 8) for field in range(3))
    room = emitter.pure(f"sub i64 {emitter.pure(f'sub i64 {end}, {start}')}, {length}")
    fits = emitter.pure(f"icmp sge i64 {room}, 0")
    inside = emitter.pure(f"icmp ule i64 {emitter.pure(f'sub i64 {address}, {start}')}, {room}")
    host = emitter.pure(f"add i64 {address}, {delta}")
    condition = emitter.pure(f"and i1 {fits}, {inside}")
    if write:
        writable = emitter.pure(f"icmp sgt i64 {emitter.load('i64', segment, 24, 8)}, 0")
        condition = emitter.pure(f"and i1 {condition}, {writable}")
    return emitter.pure(f"inttoptr i64 {host} to ptr"), condition
