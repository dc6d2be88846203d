"""A grade: who was graded where, and all that came of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from grader.model.answers import CaseResult
from grader.model.kernels import Build
from grader.model.labs import Rubric
from grader.model.speeds import Measurement, SharedBaselines
from grader.model.verdicts import Fault


class Backend(StrEnum):
    """Where the kernel runs."""

    CUDA = "cuda"
    SIMULATOR = "simulator"


@dataclass(frozen=True, slots=True)
class Machine:
    """Where the grade was made, and with what. `versions` maps a component to its version."""

    backend: Backend
    reason: str
    system: str
    device: str = ""
    architecture: str = ""
    peak_gflops: float | None = None
    versions: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Source:
    """The file that was handed in."""

    name: str
    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class CriterionScore:
    """Points for one criterion. `earned` is None where this machine cannot measure it."""

    id: str
    title: str
    points: float
    earned: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class Score:
    """Points of a submission. `earned` counts out of `points - not_measured`."""

    earned: float
    points: float
    not_measured: float
    criteria: tuple[CriterionScore, ...]


class State(StrEnum):
    """How far a report is. Only a FINISHED one has a score that counts."""

    RUNNING = "running"
    FINISHED = "finished"
    INTERRUPTED = "interrupted"
    INFRASTRUCTURE_FAULT = "infrastructure-fault"


@dataclass(frozen=True, slots=True)
class Report:
    """Everything a reader needs to believe, to explain and to repeat a grade."""

    state: State
    grader_version: str
    started: str
    seed: int
    source: Source
    rubric: Rubric
    machine: Machine
    build: Build | None = None
    fault: Fault | None = None
    results: tuple[CaseResult, ...] = ()
    measurements: tuple[Measurement, ...] = ()
    baselines: dict[str, tuple[Measurement, ...]] = field(default_factory=dict)
    shared_baselines: SharedBaselines | None = None
    score: Score | None = None
    infrastructure: str = ""
    stages: dict[str, float] = field(default_factory=dict)
