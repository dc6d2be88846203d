"""The row of one student in the tables of a class. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from grader.batch.intake.source_entry import Submission
from grader.model import Measurement, Report, Score, State, Verdict
from grader.model.reports import leading_faults
from grader.rubric.outcome import GradeOutcome, grade, next_step, outcome

LONGEST_PROBLEM = 240


@dataclass(frozen=True, slots=True)
class StudentResult:
    """`submission` has no content. `problem` is the reason for a missing `report`; without both, grading is pending."""

    submission: Submission
    report: Report | None
    problem: str = ""

    @property
    def is_waiting(self) -> bool:
        """Whether the file is not graded yet."""
        return self.report is None and not (self.problem or self.submission.problem)


NO_REPORT, NOT_YET = "not-graded", "not-graded-yet"


class StudentState(StrEnum):
    """The states of a student. Only the first two are grades."""

    CORRECT = "correct"
    FAILED = "failed"
    NOT_SUPPORTED = "cannot be graded here"
    NO_FILE = "nothing to grade"
    GRADER_ERROR = "grader error"
    WAITING = "not graded yet"


# The CSS class of each state.
STYLES: Mapping[StudentState, str] = {
    StudentState.CORRECT: "good",
    StudentState.FAILED: "failed",
    StudentState.NOT_SUPPORTED: "error",
    StudentState.NO_FILE: "none",
    StudentState.GRADER_ERROR: "error",
    StudentState.WAITING: "waiting",
}
_OF_OUTCOME = {
    GradeOutcome.CORRECT: StudentState.CORRECT,
    GradeOutcome.WRONG: StudentState.FAILED,
    GradeOutcome.NOT_HERE: StudentState.NOT_SUPPORTED,
}


@dataclass(frozen=True, slots=True)
class StudentSummary:
    """One student's row. `score` is None without a grade, which is not a score of 0."""

    student: str
    name: str
    email: str
    late: str  # as the source says it; empty if not late
    state: str  # in the gradebook
    shown_state: StudentState
    verdict: str  # the most severe one, the first of equals; empty without results
    score: Score | None
    speed: Measurement | None
    problem: str
    next_step: str  # what the instructor or the student can do; empty for a correct submission

    @property
    def verdict_words(self) -> str:
        return Verdict(self.verdict).words if self.verdict else ""

    @property
    def words(self) -> str:
        """The verdict, or else the state, as the table of students shows it."""
        if self.verdict and self.shown_state is not StudentState.NOT_SUPPORTED:
            return self.verdict_words
        return "not finished" if self.state in {State.RUNNING, State.INTERRUPTED} else self.shown_state

    @property
    def gflops(self) -> float | None:
        return self.speed.gflops.median if self.speed else None

    @property
    def speedup(self) -> float | None:
        return self.speed.speedup.median if self.speed and self.speed.speedup else None

    @property
    def library_percent(self) -> float | None:
        return 100 * self.speed.library_fraction.median if self.speed and self.speed.library_fraction else None


def summarize(row: StudentResult) -> StudentSummary:
    """Return the row, made from the report or from the reason why there is none."""
    submission, report = row.submission, row.report
    finished = report is not None and report.state is State.FINISHED
    return StudentSummary(
        student=submission.student,
        name=submission.name,
        email=submission.email,
        late=submission.late,
        state=_state(row),
        shown_state=_shown_state(row),
        verdict=max(report.verdicts, key=lambda verdict: verdict.severity, default="") if report and finished else "",
        score=grade(report) if report else None,
        speed=_largest(report) if report and finished else None,
        problem=row.problem or submission.problem or (_problem(report) if report else ""),
        next_step=_next_step(row),
    )


def comparable(scores: Iterable[Score]) -> list[Score]:
    """Return the scores with the largest measured maximum; points out of a smaller maximum do not compare."""
    every = list(scores)
    largest = max((score.measured for score in every), default=0.0)
    return [score for score in every if score.measured == largest]


def _state(row: StudentResult) -> str:
    if row.report is None:
        return NOT_YET if row.is_waiting else NO_REPORT
    return GradeOutcome.NOT_HERE if outcome(row.report) is GradeOutcome.NOT_HERE else row.report.state


def _shown_state(row: StudentResult) -> StudentState:
    if row.report is not None:
        return _OF_OUTCOME.get(outcome(row.report), StudentState.GRADER_ERROR)
    if row.is_waiting:
        return StudentState.WAITING
    return StudentState.NO_FILE if row.submission.problem else StudentState.GRADER_ERROR


def _next_step(row: StudentResult) -> str:
    if row.submission.problem:
        return "Submit one .cu file."
    if row.report is None:
        return "" if row.is_waiting else "Run the same command again."
    if outcome(row.report) is GradeOutcome.GRADER_ERROR:
        return "Fix the cause, and run the same command with --retry infrastructure."
    return next_step(row.report)


def _largest(report: Report) -> Measurement | None:
    """Return the measurement at the largest timed size; None without one, because other sizes do not compare."""
    largest = max(report.rubric.timed_sizes, key=lambda shape: shape.flops, default=None)
    return next((measurement for measurement in report.measurements if measurement.shape == largest), None)


def _problem(report: Report) -> str:
    sentences = (fault.sentence or str(fault.verdict) for fault in leading_faults(report))
    return report.infrastructure or next(sentences, "")
