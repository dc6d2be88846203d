"""Where an access outside an array lies: its byte and, where the type of the access is known, its element."""

from __future__ import annotations

_ADDRESS_BITS = 64


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
