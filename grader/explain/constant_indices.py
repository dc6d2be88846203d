"""What a student reads of a constant index outside of its array, of which the compiler warns.

The warning does not prove that a thread gets there, so it fails no kernel. It explains a wrong answer, and what is
found in such a line, or in a line that is not known because the compiler has removed the access.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.model import Fault, Verdict

HINT = (
    "what such an access reads or overwrites is undefined. The elements of an array of n have the numbers 0 to n - 1: "
    "correct the index, or the size of the array."
)


def remark(lines: Sequence[int]) -> str:
    """Return the remark on a kernel, whether it is correct or not; empty without such lines."""
    return f"{_warning(lines)}. It does no harm where no thread gets." if lines else ""


def reason(lines: Sequence[int]) -> Fault | None:
    """Return the reason of a wrong answer, if there are such lines."""
    return Fault(Verdict.WRONG_ANSWER, f"{_warning(lines)}:", HINT, lines[0]) if lines else None


def explained(fault: Fault | None, lines: Sequence[int]) -> Fault | None:
    """Return a fault with such an index as its reason, if it is in one of these lines or in none."""
    if fault is None or not (at := [line for line in lines if line in _lines(fault)] or _unknown(fault, lines)):
        return fault
    return replace(fault, hint=f"{_warning(at)}: {HINT}", line=fault.line or at[0])


def _unknown(fault: Fault, lines: Sequence[int]) -> Sequence[int]:
    return lines if fault.verdict is Verdict.UNSET_MEMORY and fault.line is None else ()


def _lines(fault: Fault) -> set[int | None]:
    return {fault.line, *(access.line for access in fault.accesses)}


def _warning(lines: Sequence[int]) -> str:
    where = f"line {lines[0]}" if len(lines) == 1 else f"lines {', '.join(map(str, lines[:-1]))} and {lines[-1]}"
    return f"The compiler warns that a constant index in {where} is outside of its array (subscript out of range)"
