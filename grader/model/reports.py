"""A grade: what was graded, on which machine, and the results."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

from grader.model.answers import CaseResult, decisive
from grader.model.backends import Backend
from grader.model.counters import Counters, Profile
from grader.model.fields import ADDED_LATER, Count, Positive, Sha256
from grader.model.kernels import Build
from grader.model.labs import Rubric
from grader.model.matrices import Shape
from grader.model.speeds import Advice, Measurement, SharedBaselines
from grader.model.verdicts import Fault, Verdict


@dataclass(frozen=True, slots=True)
class Machine:
    """Where the grade was made, and with what."""

    backend: Backend
    """Where the kernel ran. The simulator measures no speed."""
    reason: str
    """Why this backend was chosen."""
    system: str
    """Operating system and processor."""
    device: str = ""
    """Name of the GPU; empty without one."""
    architecture: str = ""
    """GPU architecture that the kernel was compiled for; may be empty."""
    peak_gflops: float | None = None
    """Theoretical peak of the device in GFLOPS; null where unknown."""
    versions: dict[str, str] = field(default_factory=dict)
    """Versions of the driver, the compiler and the libraries, by name."""


@dataclass(frozen=True, slots=True)
class SourcePart:
    """Where the text of a file begins in a submission of several files, which are one text."""

    line: Positive
    """Line of the whole text."""
    file: str
    """The file as it is included; empty for the one that includes the others."""
    own_line: Positive
    """Line of the file."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was submitted."""

    name: str
    """Its name, without a folder."""
    sha256: Sha256
    """Hash of its bytes."""
    bytes: Count
    """Its size in bytes."""
    kernel_line: Annotated[Positive | None, ADDED_LATER] = None
    """Line of the kernel; null if it was not found by its name."""
    parts: Annotated[tuple[SourcePart, ...], ADDED_LATER] = ()
    """Where the text of which file begins; empty for a single file."""

    def place(self, line: int) -> tuple[str, int]:
        """Return the file that a line of the whole text is from, and its line there."""
        part = next((part for part in reversed(self.parts) if part.line <= line), SourcePart(1, "", 1))
        return part.file or self.name, line - part.line + part.own_line


@dataclass(frozen=True, slots=True)
class CriterionScore:
    """Points for one criterion."""

    id: str
    """The criterion's short name."""
    title: str
    """Its name for readers."""
    points: float
    """Points it is worth."""
    earned: float | None
    """Points earned; null where this machine cannot measure it."""
    reason: str
    """Why, as a sentence."""


@dataclass(frozen=True, slots=True)
class Score:
    """Points of a submission. `earned` counts out of `points - not_measured`."""

    earned: float
    """Points earned."""
    points: float
    """Points of the whole rubric."""
    not_measured: float
    """Points of the criteria that this machine cannot measure; neither earned nor lost."""
    criteria: tuple[CriterionScore, ...]
    """The points of each criterion, in the rubric's order."""

    @property
    def measured(self) -> float:
        """The points of all criteria that were measured."""
        return self.points - self.not_measured


class State(StrEnum):
    """How far a report is. Only a finished one has a score that counts."""

    RUNNING = "running"
    FINISHED = "finished"
    INTERRUPTED = "interrupted"
    INFRASTRUCTURE_FAULT = "infrastructure-fault"


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that is needed to check, to explain and to repeat a grade."""

    state: State
    """How far the report is. Only a finished one has a score that counts."""
    grader_version: str
    """Version of the grader."""
    started: str
    """When grading began, as ISO 8601 with its offset from UTC."""
    seed: int
    """Seed of all inputs; the same seed repeats the run."""
    source: Source
    """The submission."""
    rubric: Rubric
    """The rubric it was graded by, in full."""
    machine: Machine
    """Where it was graded, and with what."""
    build: Build | None = None
    """The compiled submission; null when it did not compile."""
    fault: Fault | None = None
    """What kept the submission from running at all; null when it ran."""
    results: tuple[CaseResult, ...] = ()
    """The outcome of each case, in the order they ran."""
    measurements: tuple[Measurement, ...] = ()
    """The submission's speed at each timed size. Empty where speed is not measured."""
    baselines: dict[str, tuple[Measurement, ...]] = field(default_factory=dict)
    """Speeds of the baselines, by name; measured in the same rounds unless shared_baselines says when."""
    shared_baselines: SharedBaselines | None = None
    """In a class: when the baselines were measured for this GPU, and how far they had drifted since. Ratios are then of
    medians from different rounds. Null where the baselines were measured in the same rounds as the submission."""
    counters: Annotated[Counters | None, ADDED_LATER] = None
    """What a launch at the largest timed size does; null for a kernel that is not correct, or where it is not known.
    Hidden sizes do not count."""
    advice: Annotated[Advice | None, ADDED_LATER] = None
    """What limits the kernel's speed and what to change; null without counters."""
    profile: Annotated[Profile | None, ADDED_LATER] = None
    """What Nsight Compute measured of one launch; null where nobody requested it, or no timed size is correct."""
    score: Score | None = None
    """The points; null until they are computed."""
    infrastructure: str = ""
    """The grader error that ended the grade, as a sentence; empty without one. It never costs points."""
    stages: dict[str, float] = field(default_factory=dict)
    """Seconds that each stage of grading took."""
    naive_sha256: Annotated[Sha256, ADDED_LATER] = ""
    """Hash of the naive kernel that the speed is compared with; empty without one, and where no speed is measured."""

    @property
    def speeds(self) -> dict[Shape, Measurement]:
        """The submission's measurements, by size."""
        return {measurement.shape: measurement for measurement in self.measurements}

    @property
    def is_correct(self) -> bool:
        """Whether the kernel is correct in every case so far."""
        return all(result.verdict is Verdict.OK for result in self.results)

    @property
    def verdicts(self) -> list[Verdict]:
        """That of the file if it cannot run, and those of the cases."""
        return [*([self.fault.verdict] if self.fault else []), *(result.verdict for result in self.results)]


def leading_results(results: Iterable[CaseResult]) -> list[CaseResult]:
    """Return a failed case of each verdict: the first that ran again, else the first with a line, else the first.

    Cases with a line come before those without. Among them, what depends on chance comes first, because the indices of
    a thread may follow from it, then what a thread did, then wrong answers.
    """
    first: dict[Verdict, CaseResult] = {}
    for result in decisive(results):
        if result.fault is not None:
            known = first.setdefault(result.verdict, result)
            if known.fault is not None and _says(result.fault) > _says(known.fault):
                first[result.verdict] = result
    return sorted(first.values(), key=_depth)


def _says(fault: Fault) -> tuple[bool, bool]:
    """Return whether a fault shows what its launch did when it ran again, and whether it has a line."""
    return bool(fault.scene or fault.story), bool(fault.line)


def leading_faults(report: Report) -> list[Fault]:
    """Return the fault of the build, or else those of the cases."""
    if report.fault is not None:
        return [report.fault]
    return [result.fault for result in leading_results(report.results) if result.fault is not None]


def _depth(result: CaseResult) -> tuple[bool, bool, int]:
    has_line = result.fault is not None and result.fault.line is not None
    depth = (not result.verdict.is_undefined) + (result.verdict is Verdict.WRONG_ANSWER)
    return result.verdict.is_undecided, not has_line, depth if has_line else 0
