"""A second translation of a submission, in which elements of member arrays are compared with the bounds of their array.

PTX has one variable for all members of a struct: `s.a[i + 16]` becomes the same PTX as `s.b[i]` if `a` has 16 elements.
So each such element is named together with its array in a copy of the text, on the same line, and the compiler, which
knows the size, adds the comparison (`member_checks/inside.h`). The PTX ends with comments that name the arrays.

The copy is executed beside the submission itself: whatever it does, no other finding depends on it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from grader.worker.frontend.member_uses import Use, member_uses

HEADER = Path(__file__).with_name("member_checks") / "inside.h"
MARK, USE_BITS, COUNT_BITS, INDEX_BITS = 0x6C, 40, 20, 20  # of an address, as the header composes it
MOST_SHOWN = 60
COMMENT = re.compile(r"^// member array (\d{1,9}): (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class OutsideOfMember:
    """An element outside of a member array: the array as the source names it, its elements (0: unknown), the index."""

    name: str
    count: int
    index: int


def with_checks(content: bytes) -> bytes:
    """Return the text with a check of each element of a member array; the text itself if there is none."""
    uses = _uses(content)
    pieces = [(use.end, 0, b")") for use in uses]
    for number, use in enumerate(uses):
        pieces.append((use.start, 1, b"__lab_inside<%d>(%s, " % (number, content[use.start : use.named])))
    changed, before = [], 0
    for place, _, piece in sorted(pieces, key=lambda piece: piece[:2]):
        changed += [content[before:place], piece]
        before = place
    return b"".join([*changed, content[before:]])


def comments(content: bytes) -> str:
    """Return the lines that name the arrays of the checks in their order, to be put behind the PTX."""
    names = (content[use.start : use.named].decode("ascii", "replace") for use in _uses(content))
    return "".join(f"\n// member array {number}: {_printable(name)}" for number, name in enumerate(names))


def outside_of_member(address: int, ptx: str) -> OutsideOfMember | None:
    """Return what an address says to which a check has stored; None for any other address."""
    number = address >> USE_BITS & (1 << 16) - 1
    names = {int(found[1]): found[2] for found in COMMENT.finditer(ptx, max(0, ptx.rfind("\n}")))}
    if address >> USE_BITS + 16 != MARK or number not in names:
        return None
    index = address & (1 << INDEX_BITS) - 1
    below_zero = index >> INDEX_BITS - 1
    count = address >> INDEX_BITS & (1 << COUNT_BITS) - 1
    return OutsideOfMember(names[number], count, index - (below_zero << INDEX_BITS))


def _uses(content: bytes) -> tuple[Use, ...]:
    """Return the uses whose array is named on one line."""
    return tuple(use for use in member_uses(content) if _is_plain(content[use.start : use.named]))


def _is_plain(text: bytes) -> bool:
    return not any(mark in text for mark in (b"\n", b"\\", b"//", b"/*"))


def _printable(name: str) -> str:
    shown = "".join(letter for letter in name if letter.isprintable())
    return shown if len(shown) <= MOST_SHOWN else f"{shown[:MOST_SHOWN]}..."
