"""The row of one student in the tables of a class. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from grader.batch.intake.source_entry import Submission
from grader.model import Measurement, Report, Score, State, Verdict
from grader.model.reports import leading_faults
from grader.rubric.outcome import GradeOutcome, grade, next_step, outcome
from grader.text.clean import one_line

LONGEST_PROBLEM = 240


class StudentState(StrEnum):
    """The state of a student, in the gradebook and on the page. Only the first two are grades."""

    CORRECT = "correct"
    FAILED = "failed"
    NOT_SUPPORTED = "cannot be graded here"
    NO_FILE = "nothing to grade"
    GRADER_ERROR = "grader error"
    WAITING = "not graded yet"


_OF_OUTCOME = {
    GradeOutcome.CORRECT: StudentState.CORRECT,
    GradeOutcome.WRONG: StudentState.FAILED,
    GradeOutcome.NOT_HERE: StudentState.NOT_SUPPORTED,
}


@dataclass(frozen=True, slots=True)
class StudentResult:
    """One student's row.

    `submission` has no content. If it has no problem, and there is no `report`, grading is pending. `links` are the
    addresses and names of the files of the report, and `earlier` the grades that it replaced.
    """

    submission: Submission
    report: Report | None
    links: tuple[tuple[str, str], ...] = ()
    earlier: tuple[Report, ...] = ()

    @property
    def student(self) -> str:
        return self.submission.student

    @property
    def name(self) -> str:
        return self.submission.name or self.student

    @property
    def finished(self) -> Report | None:
        """The report, if it is finished."""
        return self.report if self.report and self.report.state is State.FINISHED else None

    @property
    def state(self) -> StudentState:
        if self.report is not None:
            return _OF_OUTCOME.get(outcome(self.report), StudentState.GRADER_ERROR)
        return StudentState.NO_FILE if self.submission.problem else StudentState.WAITING

    @property
    def verdict(self) -> Verdict | None:
        """The verdict of the fault to correct first, or else the most severe one; None without results."""
        if self.finished is None:
            return None
        first = [fault.verdict for fault in leading_faults(self.finished)][:1]
        return max(first or self.finished.verdicts, key=lambda verdict: verdict.severity, default=None)

    @property
    def words(self) -> str:
        """The verdict, or else the state, as the table of students shows it."""
        if self.verdict and self.state is not StudentState.NOT_SUPPORTED:
            return self.verdict.words
        return "not finished" if self.report and outcome(self.report) is GradeOutcome.UNFINISHED else self.state

    @property
    def score(self) -> Score | None:
        """The score that counts; None without a grade, which is not a score of 0."""
        return grade(self.report) if self.report else None

    @property
    def speed(self) -> Measurement | None:
        """The measurement at the largest timed size; None without one, because other sizes do not compare."""
        if self.finished is None:
            return None
        largest = self.finished.rubric.largest_timed
        return self.finished.speeds.get(largest) if largest else None

    @property
    def gflops(self) -> float | None:
        return self.speed.gflops.median if self.speed else None

    @property
    def speedup(self) -> float | None:
        return self.speed.speedup.median if self.speed and self.speed.speedup else None

    @property
    def library_percent(self) -> float | None:
        return 100 * self.speed.library_fraction.median if self.speed and self.speed.library_fraction else None

    @property
    def why(self) -> str:
        """What is wrong with the submission or kept it from being graded; empty for a correct one."""
        known = self.submission.problem or (self.report.infrastructure if self.report else "")
        faults = leading_faults(self.report) if self.report else ()
        return known or next((fault.sentence or str(fault.verdict) for fault in faults), "")

    @property
    def files(self) -> str:
        """Which of several files was graded; empty if there is only one."""
        others = ", ".join(self.submission.others)
        return one_line(f"{self.submission.file} is graded, not {others}", LONGEST_PROBLEM) if others else ""

    @property
    def next_step(self) -> str:
        """What the instructor or the student can do; empty for a correct submission."""
        if self.submission.problem:
            return "Submit one .cu file."
        if self.report is None:
            return ""
        if outcome(self.report) is GradeOutcome.GRADER_ERROR:
            return "Fix the cause, and run the same command with --retry infrastructure."
        return next_step(self.report)


def comparable(scores: Iterable[Score]) -> list[Score]:
    """Return the scores with the largest measured maximum; points out of a smaller maximum do not compare."""
    every = list(scores)
    largest = max((score.measured for score in every), default=0.0)
    return [score for score in every if score.measured == largest]


def students(number: int) -> str:
    """Return how many students there are, in words."""
    return f"{number} student{'' if number == 1 else 's'}"
