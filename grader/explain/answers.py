"""What a worker's answer says to a student."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from grader.contract.messages import Checked
from grader.explain import finding as explainers
from grader.explain.finding import Asked
from grader.model import Fault

if TYPE_CHECKING:
    from grader.contract.found import Finding

__all__ = ["Asked", "Explained", "diagnosis", "explained", "fault_of"]


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
    for name in ("driver_faults", "launches", "out_of_time", "races", "stopped_launches", "traced", "unset", "watched"):
        import_module(f"grader.explain.{name}")


def fault_of(finding: Finding, asked: Asked) -> Fault:
    """Return the fault of a finding. Raises InfrastructureError where a tool of the grader does not work."""
    _learn()
    return explainers.fault_of(finding, asked)


def explained(answer: Checked, asked: Asked) -> Explained:
    """Return what an answer says. Raises as `fault_of` does."""
    lines, finding, if_wrong = answer.constant_indices, answer.finding, answer.if_wrong
    if not (lines or finding or if_wrong or answer.remarks or answer.partly_searched):
        return NOTHING
    from grader.explain import constant_indices
    from grader.explain.remarks import UNSEARCHED, remark

    fault = constant_indices.explained(_diagnosed(finding, asked), lines) if finding else None
    remarks = [remark(found, asked) for found in answer.remarks]
    if not fault and lines:
        remarks.append(constant_indices.remark(lines))
    reason = fault_of(if_wrong, asked) if if_wrong else constant_indices.reason(lines)
    left_out = UNSEARCHED[answer.partly_searched] if answer.partly_searched else ""
    return Explained(fault, reason, " ".join(remarks), left_out)


def _diagnosed(finding: Finding, asked: Asked) -> Fault:
    """Return the fault of a finding with the word for its kind, which stays when its sentence changes."""
    return replace(fault_of(finding, asked), diagnosis=diagnosis(finding))


def diagnosis(finding: Finding) -> str:
    """Return a word for what a worker found: the kind of the record, and that of the memory for an access outside."""
    from grader.model.findings import OutOfBounds

    if isinstance(finding, OutOfBounds):
        return f"outside-{finding.beside.space}"
    return re.sub(r"(?<!^)(?=[A-Z])", "-", type(finding).__name__).lower()
