"""Remarks of a report: faults that cost no points, checks that were not possible, hidden sizes, a reduced clock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from grader.contract.inputs import CHECKED
from grader.explain.searches import ALL_BLOCKS
from grader.model import CaseResult, Report, Rubric
from grader.text.clean import one_line
from grader.text.numbers import listed

LONGEST = 600  # characters
CHECKED_SIZES = 2  # of several blocks
NO_POINTS = "What was not searched costs no points."
TOLERATED = "In this lab, that does not make an answer wrong."


def remarks(report: Report) -> Iterator[str]:
    """Yield each remark once, with its size, and what was not searched at any size."""
    seen = set()
    for result in report.results:
        found = f"{result.tolerated.sentence} {TOLERATED} " if result.tolerated else ""
        remark = f"{found}{result.remark}".strip()
        if remark and remark not in seen:
            seen.add(remark)
            yield f"Remark at {result.case.shape}: {one_line(remark, LONGEST)}"
    searched = [result for result in report.results if result.case.run == CHECKED]
    of_several_blocks = sorted(searched, key=lambda result: result.case.shape.flops)[-CHECKED_SIZES:]
    if searched and all(result.partly_searched for result in of_several_blocks):
        first = of_several_blocks[0]
        yield f"Remark at {first.case.shape}: {one_line(first.partly_searched, LONGEST)}"
    if searched and report.is_correct:
        yield from _extent(report.results, searched)


def _extent(results: Sequence[CaseResult], searched: Sequence[CaseResult]) -> Iterator[str]:
    """Yield where a correct kernel was searched for what chance may hide, unless that is everywhere."""
    complete = {str(result.case.shape): not result.partly_searched for result in searched}
    blocks = {result.searched for result in searched} - {"", ALL_BLOCKS}
    if (
        blocks
        or 0 < sum(complete.values()) < len(complete)
        or len(complete) < len({result.case.shape for result in results})
    ):
        at = listed([f"{shape}{'' if whole else ' in part'}" for shape, whole in complete.items()])
        yield f"Searched for data races and unset memory: {at}{''.join(f', {each}' for each in blocks)}. {NO_POINTS}"


def hidden_note(rubric: Rubric) -> str:
    """Return the sentence about sizes that a student's report leaves out; empty if there are none."""
    if not rubric.visible_after or rubric.hidden_sizes:
        return ""
    return f"More sizes count for the grade. They are shown after {hidden_until(rubric)}."


def hidden_until(rubric: Rubric) -> str:
    """Return the date until which a rubric hides sizes, as people read it."""
    return datetime.fromisoformat(rubric.visible_after).isoformat(" ", "minutes")


def speed_notes(report: Report) -> Iterator[str]:
    """Yield a sentence for a reduced clock."""
    throttled: set[str] = set()
    for measurement in report.measurements:
        throttled |= set(measurement.telemetry.throttle) if measurement.telemetry else set()
    if throttled:
        reasons = ", ".join(sorted(throttled))
        yield f"The GPU reduced its clock ({reasons}); ratios stay comparable, because it slows all kernels."
