"""Which faults of a report a reader sees, and in which order: the root cause first, and each verdict once."""

from __future__ import annotations

from collections.abc import Iterable

from grader.model.answers import CaseResult, decisive
from grader.model.reports import Report
from grader.model.verdicts import Fault, Verdict


def leading_results(results: Iterable[CaseResult]) -> list[CaseResult]:
    """Return the failed case of each verdict that says most: the first with a line, or else the first.

    What has a line goes before what has none, and what a thread did goes before wrong answers, which follow from it.
    """
    first: dict[Verdict, CaseResult] = {}
    for result in decisive(results):
        if result.fault is not None:
            known = first.setdefault(result.verdict, result)
            if known.fault is not None and not known.fault.line and result.fault.line:
                first[result.verdict] = result
    return sorted(first.values(), key=_depth)


def leading_faults(report: Report) -> list[Fault]:
    """Return the fault of the build, or else those of the cases."""
    if report.fault is not None:
        return [report.fault]
    return [result.fault for result in leading_results(report.results) if result.fault is not None]


def _depth(result: CaseResult) -> tuple[bool, bool, bool]:
    has_line = result.fault is not None and result.fault.line is not None
    return result.verdict.is_undecided, not has_line, has_line and result.verdict is Verdict.WRONG_ANSWER
