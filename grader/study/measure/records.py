"""What a study measured, as records, and the rows that follow from a worker's measurements. Free of effects."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

from grader.contract.timing_messages import Transfer
from grader.judge.stages import Subject
from grader.judge.worker_pool import LIBRARY, NAIVE, SUBMISSION
from grader.model import Fault, Interval, Launch, Machine, Measurement, Resources, Shape, Verdict
from grader.model.fields import ADDED_LATER, ElementType, Keyword
from grader.study.measure.variants import Variant
from grader.text.clean import one_line
from grader.timing.measuring import Timings

BLAS = "blas"
SUBJECTS = {SUBMISSION: "kernel", NAIVE: "naive", LIBRARY: "cublas"}
REASON_CHARACTERS = 300


@dataclass(frozen=True, slots=True)
class Row:
    """One subject at one size. What was not measured is null and never 0."""

    subject: Annotated[str, Keyword("enum", [*SUBJECTS.values(), BLAS])]
    """What ran: the kernel of a variant, a baseline beside it, or BLAS on the processor."""
    variant: str
    """Kernel file and macros as a name; for a baseline, the variant beside which it was measured; empty for BLAS."""
    file: str
    """The kernel's file."""
    defines: Mapping[str, str]
    """Values of the macros that the kernel was compiled with."""
    shape: Shape | None
    """The size; null for a variant that does not compile."""
    verdict: Verdict
    """The outcome."""
    reason: str = ""
    """Why the verdict is not ok, as a sentence; empty when it is."""
    launch: Launch | None = None
    """How the kernel is launched; null for a library."""
    resources: Resources | None = None
    """What the compiled kernel uses on the device; null where unknown."""
    measurement: Measurement | None = None
    """Its speed; null where none was measured."""
    transfer: Transfer | None = None
    """One product with its copies, in parts; null where not measured."""
    implementation: str = ""
    """Library that computed a baseline, and its number of threads; empty for kernels."""


@dataclass(frozen=True, slots=True)
class Roof:
    """What bounds a kernel on the device."""

    peak_gflops: float | None = None
    """GFLOPS of the multiply-add units at the highest clock; null where unknown."""
    bandwidth: float | None = None
    """GB/s of device memory in theory: its clock, twice, times the width of its bus; null where unknown."""
    sustained: Interval | None = None
    """GB/s that a copy within device memory read and wrote; null where not measured."""
    attributes: Mapping[str, int] = field(default_factory=dict)
    """The device's attributes, by CUDA's names for them; empty without a GPU."""


@dataclass(frozen=True, slots=True)
class Study:
    """Kernels by sizes by macros, measured like a grade, with their baselines."""

    grader_version: str
    """Version of the grader."""
    started: str
    """When the last run of the study began, as ISO 8601 with its offset from UTC."""
    command: str
    """The command line that repeats the study."""
    rubric: str
    """Title of the lab."""
    rubric_sha256: str
    """Hash of the rubric's file."""
    types: tuple[ElementType, ElementType, ElementType]
    """Types of the elements of A, B and C."""
    machine: Machine
    """Where it was measured, and with what."""
    roof: Roof
    """What bounds a kernel on that device."""
    rows: tuple[Row, ...]
    """What was measured, a row for each subject at each size."""
    timed_sizes: Annotated[tuple[Shape, ...], ADDED_LATER] = ()
    """Sizes at which the lab times kernels, independent of the sizes that were measured."""


def row_of_variant(variant: Variant, fault: Fault | None = None) -> Row:
    """The kernel's row before anything is measured."""
    return judged(Row("kernel", variant.name, variant.file, variant.defines, None, Verdict.OK), fault)


def judged(row: Row, fault: Fault | None) -> Row:
    """The row with its verdict."""
    if fault is None:
        return row
    return replace(row, verdict=fault.verdict, reason=one_line(fault.sentence, REASON_CHARACTERS))


def timed_rows(row: Row, timings: Timings, subjects: Sequence[Subject], machine: Machine) -> tuple[Row, ...]:
    """The rows of the kernel and its baselines; of the kernel alone if it failed while it was timed."""
    row = replace(judged(row, timings.result.fault), shape=timings.result.case.shape)
    if not timings.measurements:
        return (row,)
    launches = {subject.name: subject.launch for subject in subjects if subject.build}
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
