"""A second translation of a submission, in which elements of member arrays are compared with the bounds of their array.

PTX has one variable for all members of a struct: `s.a[i + 16]` becomes the same PTX as `s.b[i]` if `a` has 16 elements.
So each such array is the argument of a function in a copy of the text, on the same line, and the compiler, which knows
the size, adds the comparison (`member_checks/inside.h`). The PTX ends with comments that name the arrays.

The copy is executed beside the submission itself: whatever it does, no other finding depends on it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from grader.worker.frontend.member_uses import Use, member_uses

HEADER = Path(__file__).with_name("member_checks") / "inside.h"
# Of an address, as the header composes it: the first bits of all but the mark, which has the last 8.
MARK, MARK_AT, USE_AT, COUNT_AT, INDEX_AT = 0x6C, 56, 44, 28, 8
USE_BITS, COUNT_BITS, INDEX_BITS = 12, 16, 20
MOST_SUBSCRIPTS = 31
SHOWN = re.compile(r"[\w.:>()\[\]*+&-]{1,60}")  # an expression, and no sentence
MARKED = re.compile(r"\b7[78]\d{17}\b")  # a constant with the mark in its last 8 bits
COMMENT = re.compile(r"^// member array (\d{1,9}): (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class OutsideOfMember:
    """An element outside of a member array: the array as the source names it, its elements (0: unknown), the index."""

    name: str
    count: int
    index: int


def with_checks(content: bytes) -> bytes:
    """Return the text with a check of each element of a member array; the text itself if there is none."""
    uses = member_uses(content)
    pieces = [(use.end, 0, b")") for use in uses]
    for number, use in enumerate(uses):
        of_use = number << 6 | min(use.subscripts, MOST_SUBSCRIPTS) << 1 | use.is_address
        pieces.append((use.start, 1, b"__lab_array<%d>(" % of_use))
    changed, before = [], 0
    for place, _, piece in sorted(pieces, key=lambda piece: piece[:2]):
        changed += [content[before:place], piece]
        before = place
    return b"".join([*changed, content[before:]])


def checked_ptx(content: bytes, ptx: str) -> str:
    """Return the PTX of the copy with lines that name the arrays; empty if no element has to be compared."""
    if not MARKED.search(ptx):
        return ""
    names = (_name(content, use) for use in member_uses(content))
    return ptx + "".join(f"\n// member array {number}: {name}" for number, name in enumerate(names))


def outside_of_member(address: int, ptx: str) -> OutsideOfMember | None:
    """Return what an address says that a check has made; None for any other address."""
    names = {int(found[1]): found[2] for found in COMMENT.finditer(ptx, max(0, ptx.rfind("\n}")))}
    number, count = _bits(address, USE_AT, USE_BITS), _bits(address, COUNT_AT, COUNT_BITS)
    index = _bits(address, INDEX_AT, INDEX_BITS)
    index -= index >> INDEX_BITS - 1 << INDEX_BITS
    # An address before the end of an array may have been computed from that of its end.
    is_outside = index < 0 or index >= count
    if address >> MARK_AT != MARK or number not in names or not is_outside:
        return None
    return OutsideOfMember(names[number], count, index)


def _bits(address: int, first: int, bits: int) -> int:
    return address >> first & (1 << bits) - 1


def _name(content: bytes, use: Use) -> str:
    """Return the array as the source names it; of an unusual object only the member."""
    whole = "".join(content[use.start : use.end].decode("ascii", "replace").split())
    return whole if SHOWN.fullmatch(whole) else re.split(r"\W", whole)[-1]
