"""What a worker's answer says to a student."""

from __future__ import annotations

from dataclasses import dataclass

from grader.contract.messages import Checked
from grader.explain import (  # noqa: F401 - they register what they explain
    constant_indices,
    driver_faults,
    launches,
    races,
    stopped_launches,
    traced,
    unset,
    watched,
)
from grader.explain.finding import Asked, fault_of
from grader.explain.remarks import UNSEARCHED, remark
from grader.model import Fault

__all__ = ["Asked", "Explained", "explained", "fault_of"]


@dataclass(frozen=True, slots=True)
class Explained:
    """A launch in words: its fault, the reason if its answer is wrong, and what else is to be said of it."""

    fault: Fault | None
    reason: Fault | None
    remark: str
    partly_searched: str


def explained(answer: Checked, asked: Asked) -> Explained:
    """Return what an answer says. Raises InfrastructureError where a tool of the grader does not work."""
    lines, finding, if_wrong = answer.constant_indices, answer.finding, answer.if_wrong
    fault = constant_indices.explained(fault_of(finding, asked), lines) if finding else None
    remarks = [remark(found, asked) for found in answer.remarks]
    if not fault and lines:
        remarks.append(constant_indices.remark(lines))
    reason = fault_of(if_wrong, asked) if if_wrong else constant_indices.reason(lines)
    left_out = UNSEARCHED[answer.partly_searched] if answer.partly_searched else ""
    return Explained(fault, reason, " ".join(remarks), left_out)
