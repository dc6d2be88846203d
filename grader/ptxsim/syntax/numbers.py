"""Integers as PTX writes them (PTX ISA, "Integer Constants")."""

from __future__ import annotations

from grader.ptxsim.records.lacks import Lack
from grader.ptxsim.syntax.errors import MalformedError

MOST_BITS = 64


def int_of(text: str) -> int:
    """Return the value of an integer without a sign.

    Raises:
        MalformedError: it has more than 64 bits.

    """
    digits = text.rstrip("uU") if text[:2].lower() != "0x" else text.rstrip("U")
    if len(digits.lstrip("0")) > len("b") + MOST_BITS or (value := _value(digits)) >> MOST_BITS:
        raise MalformedError(Lack.BITS, number=MOST_BITS)
    return value


def _value(digits: str) -> int:
    if digits[:2].lower() in {"0x", "0b"}:
        return int(digits, 0)
    return int(digits, 8) if digits.startswith("0") and digits.isdigit() and digits != "0" else int(digits)
