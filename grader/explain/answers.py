"""What a worker's answer says to a student."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from grader.contract.messages import Checked
from grader.explain import finding as explainers
from grader.explain.finding import Asked, diagnosis
from grader.model import AccessKind, Fault, ThreadAccess
from grader.model.hints import reworded

if TYPE_CHECKING:
    from grader.contract.found import Finding

__all__ = ["Asked", "Explained", "explained", "fault_of", "parts"]


@dataclass(frozen=True, slots=True)
class Explained:
    """A launch in words: its fault, the reason if its answer is wrong, and what else is to be said of it."""

    fault: Fault | None
    reason: Fault | None
    remark: str
    partly_searched: str


NOTHING = Explained(None, None, "", "")


@cache
def _learn() -> None:
    """Import what explains findings: that takes long, and most kernels have none."""
    for name in ("launches", "limits", "races", "stopped_launches", "traced", "watched"):
        import_module(f"grader.explain.{name}")


def fault_of(finding: Finding, asked: Asked) -> Fault:
    """Return the fault of a finding. Raises InfrastructureError where a tool of the grader does not work."""
    _learn()
    fault = explainers.fault_of(finding, asked)
    named = replace(
        fault,
        sentence=_with_headers(fault.sentence),
        hint=reworded(fault.hint, _with_headers(fault.hint)),
        detail=_with_headers(fault.detail),
    )
    return replace(named, diagnosis=diagnosis(finding), accesses=fault.accesses or accesses(finding))


def _with_headers(text: str) -> str:
    """Return a text in which line 0, which is that of no line of the submission, is one of a header."""
    return re.sub(r"\bline 0\b", "a line of a header", re.sub(r"\bLine 0\b", "A line of a header", text))


def explained(answer: Checked, asked: Asked) -> Explained:
    """Return what an answer says. Raises as `fault_of` does."""
    finding, if_wrong = answer.finding, answer.if_wrong
    if not (finding or if_wrong or answer.remarks or answer.partly_searched):
        return NOTHING
    from grader.explain import remarks as of_remarks

    fault = fault_of(finding, asked) if finding else None
    reasons = [fault_of(if_wrong, asked)] if if_wrong else map(of_remarks.reason, answer.remarks)
    remarks = " ".join(of_remarks.remark(found, asked) for found in answer.remarks)
    left_out = (
        f"{of_remarks.UNSEARCHED[answer.partly_searched]} That costs no points." if answer.partly_searched else ""
    )
    return Explained(fault, next(filter(None, reasons), None), _with_headers(remarks), left_out)


def accesses(finding: Finding) -> tuple[ThreadAccess, ...]:
    """Return the threads of a finding with their lines, and what they do where the finding says so."""
    from grader.explain.elements import access, of_thread, reads_or_writes
    from grader.model.findings import Thread
    from grader.ptxsim.records.fields import Site
    from grader.ptxsim.records.races import TracedAccess

    writes = getattr(finding, "writes", None)
    does = AccessKind.OTHER if writes is None else reads_or_writes(writes)
    found: list[ThreadAccess] = []
    for part in parts(finding):
        match part:
            case TracedAccess():
                found.append(access(part))
            case Thread():
                found.append(of_thread(part, does))
            case Site(line=line):
                found.append(ThreadAccess(line or None, AccessKind.WAITS))
    return tuple(dict.fromkeys(found))


def parts(record: object) -> Iterator[object]:
    """Yield a record, and all values that it consists of."""
    yield record
    if isinstance(record, tuple):
        for each in record:
            yield from parts(each)
    elif is_dataclass(record):
        for field in fields(record):
            yield from parts(getattr(record, field.name))
