"""From what a worker measured to rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from grader.errors import InfrastructureError
from grader.measuring import TRANSFERS, Timings
from grader.messages import TimedTransfers, TimeTransfers, Transfer
from grader.model import Fault, Limits, Machine, Shape, Verdict
from grader.report.text import one_line
from grader.rounds import LIBRARY, SUBMISSION, Subject
from grader.sandbox import Worker, WorkerLostError
from grader.study.records import SUBJECTS, Row
from grader.study.variants import Variant

REASON_CHARACTERS = 300


def of_variant(one: Variant, shape: Shape | None = None, fault: Fault | None = None) -> Row:
    """The kernel's row as long as nothing was measured."""
    return judged(Row("kernel", one.name, one.file, one.defines, shape, Verdict.OK), fault)


def judged(row: Row, fault: Fault | None) -> Row:
    """The row with what became of it."""
    if fault is None:
        return row
    return replace(row, verdict=fault.verdict, reason=one_line(fault.sentence, REASON_CHARACTERS))


def timed(
    row: Row, timings: Timings, subjects: Sequence[Subject], workers: Mapping[str, Worker], machine: Machine,
    limits: Limits,
) -> tuple[Row, ...]:  # fmt: skip
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
            transfer=_transfer(workers[name], limits) if name == SUBMISSION else None,
            implementation=library if name == LIBRARY else "",
        )
        for name, found in timings.measurements.items()
    )


def _transfer(one: Worker, limits: Limits) -> Transfer | None:
    """The middle one of a few products with their copies; the worker still holds the size that was timed last."""
    try:
        answer = one.ask(TimeTransfers(TRANSFERS), TRANSFERS * limits.case_seconds)
    except WorkerLostError:
        return None
    if not isinstance(answer, TimedTransfers):
        raise InfrastructureError("The worker did not time the transfers.")
    return sorted(answer.products, key=lambda product: product.total)[len(answer.products) // 2]
