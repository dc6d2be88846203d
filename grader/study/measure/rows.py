"""Make the rows of a study from a worker's measurements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.model import Fault, Machine, Verdict
from grader.study.measure.records import SUBJECTS, Row
from grader.study.measure.variants import Variant
from grader.text.clean import one_line
from grader.timing.measuring import Timings
from grader.timing.subjects import LIBRARY, SUBMISSION, Subject

REASON_CHARACTERS = 300


def of_variant(variant: Variant, fault: Fault | None = None) -> Row:
    """The kernel's row before anything is measured."""
    return judged(Row("kernel", variant.name, variant.file, variant.defines, None, Verdict.OK), fault)


def judged(row: Row, fault: Fault | None) -> Row:
    """The row with its verdict."""
    if fault is None:
        return row
    return replace(row, verdict=fault.verdict, reason=one_line(fault.sentence, REASON_CHARACTERS))


def timed(row: Row, timings: Timings, subjects: Sequence[Subject], machine: Machine) -> tuple[Row, ...]:
    """The rows of the kernel and its baselines; of the kernel alone if it failed while it was timed."""
    row = replace(judged(row, timings.result.fault), shape=timings.result.case.shape)
    if not timings.measurements:
        return (row,)
    launches = {subject.name: subject.launch for subject in subjects if subject.artifact}
    library = f"cuBLAS {machine.versions.get('nvidia-cublas', '')}".strip()
    return tuple(
        replace(
            row,
            subject=SUBJECTS[name],
            measurement=measurement,
            launch=launches.get(name),
            resources=row.resources if name == SUBMISSION else None,
            transfer=timings.product if name == SUBMISSION else None,
            implementation=library if name == LIBRARY else "",
        )
        for name, measurement in timings.measurements.items()
    )
