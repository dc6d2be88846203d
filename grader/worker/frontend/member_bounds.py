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
USE_AT, USE_BITS, MARK_AT = 44, 12, 56  # of an address, as the header composes it: first bits
MOST_SUBSCRIPTS = 31
SHOWN = re.compile(r"[\w.:>()\[\]*+&-]{1,60}")  # an expression, and no sentence
MARKED = re.compile(r"\b7[789]\d{17}\b")  # a constant with a mark in its last 8 bits
COMMENT = re.compile(r"^// member array (\d{1,9}) in line (\d{1,9})( &)?: (.*)$", re.MULTILINE)
SUSPECT = re.compile(r"(?<=\b__lab_suspect = )1(?=;)")


@dataclass(frozen=True, slots=True)
class _Address:
    """The first bits of what an address says, and how many bits the index has; the count ends where the use begins."""

    count_at: int
    index_at: int
    index_bits: int


ADDRESSES = {0x6C: _Address(28, 8, 20), 0x6D: _Address(32, 20, 12)}  # by the mark: of small elements, of large ones


@dataclass(frozen=True, slots=True)
class OutsideOfMember:
    """An element outside of a member array: the array and its line in the source, its elements or 0, and the index."""

    name: str
    line: int
    count: int
    index: int


def with_checks(content: bytes) -> bytes:
    """Return the text with a check of each element of a member array; the text itself if there is none."""
    uses = member_uses(content)
    pieces = [(use.end, 0, b")") for use in uses]
    for number, use in enumerate(uses):
        of_use = number << 6 | min(use.subscripts, MOST_SUBSCRIPTS) << 1 | use.may_end
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
    return ptx + "".join(_comment(content, number, use) for number, use in enumerate(member_uses(content)))


def with_suspect(address: int, ptx: str) -> str:
    """Return the PTX with a check of only that element which a fault's address names."""
    room = ADDRESSES[address >> MARK_AT].index_at
    return SUSPECT.sub(str(address >> room << room), ptx, count=1)


def outside_of_member(address: int, ptx: str) -> OutsideOfMember | None:
    """Return what an address says that a check has made; None for any other address."""
    uses = {int(found[1]): found for found in COMMENT.finditer(ptx, max(0, ptx.rfind("\n}")))}
    kind, use = ADDRESSES.get(address >> MARK_AT), uses.get(_bits(address, USE_AT, USE_BITS))
    if kind is None or use is None:
        return None
    count, index = _bits(address, kind.count_at, USE_AT - kind.count_at), _bits(address, kind.index_at, kind.index_bits)
    index -= index >> kind.index_bits - 1 << kind.index_bits
    # An address before the end of an array may have been computed from that of its end, and any other from a pointer.
    is_computed = 0 <= index < count or (use[3] is not None and _bits(address, 0, kind.index_at))
    return None if is_computed else OutsideOfMember(use[4], int(use[2]), count, index)


def _bits(address: int, first: int, bits: int) -> int:
    return address >> first & (1 << bits) - 1


def _comment(content: bytes, number: int, use: Use) -> str:
    line, sign = 1 + content.count(b"\n", 0, use.end), " &" if use.is_address else ""
    return f"\n// member array {number} in line {line}{sign}: {_name(content, use)}"


def _name(content: bytes, use: Use) -> str:
    """Return the array as the source names it; of an unusual object only the member."""
    whole = "".join(content[use.start : use.end].decode("ascii", "replace").split())
    return whole if SHOWN.fullmatch(whole) else re.split(r"\W", whole)[-1] or "of a struct"
