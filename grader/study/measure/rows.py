"""From what a worker measured to rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.model import Fault, Machine, Shape, Verdict
from grader.study.measure.records import SUBJECTS, Row
from grader.study.measure.variants import Variant
from grader.text.clean import one_line
from grader.timing.measuring import Timings
from grader.timing.subjects import LIBRARY, SUBMISSION, Subject

REASON_CHARACTERS = 300


def of_variant(one: Variant, shape: Shape | None = None, fault: Fault | None = None) -> Row:
    """The kernel's row as long as nothing was measured."""
    return judged(Row("kernel", one.name, one.file, one.defines, shape, Verdict.OK), fault)


def judged(row: Row, fault: Fault | None) -> Row:
    """The row with what became of it."""
    if fault is None:
        return row
    return replace(row, verdict=fault.verdict, reason=one_line(fault.sentence, REASON_CHARACTERS))


def timed(row: Row, timings: Timings, subjects: Sequence[Subject], machine: Machine) -> tuple[Row, ...]:
    """The kernel's row and those of its baselines; where it failed while it was timed, its row alone."""
    row = replace(judged(row, timings.result.fault), shape=timings.result.case.shape)
    if not timings.measurements:
        return (row,)
    launches = {one.name: one.launch for one in subjects if one.artifact}
    library = f"cuBLAS {machine.versions.get('nvidia-cublas', '')}".strip()
    return tuple(
        replace(
            row,
            subject=SUBJECTS[name],
            measurement=found,
            launch=launches.get(name),
            resources=row.resources if name == SUBMISSION else None,
            transfer=timings.product if name == SUBMISSION else None,
            implementation=library if name == LIBRARY else "",
        )
        for name, found in timings.measurements.items()
    )
