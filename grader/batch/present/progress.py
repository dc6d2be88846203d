"""The lines in the terminal while a class is graded, and the summary at the end. Pure."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.table import Table
from rich.text import Text

from grader.batch.intake.source_entry import Submission
from grader.batch.present.class_statistics import median_score, several_rubrics
from grader.batch.present.student_summary import LONGEST_PROBLEM, StudentResult, StudentState, students
from grader.batch.results.reuse import Action, is_incomplete
from grader.batch.run.engine import FinishedTask
from grader.model import Report, State, Verdict
from grader.model.reports import leading_faults
from grader.rubric.outcome import grade
from grader.rubric.rounding import rounded, shown
from grader.text.clean import clean, one_line
from grader.text.numbers import duration
from grader.text.plain_table import numbers, plain_table

# Of students without a grade, by their state: how they are counted, the sentence that names them, and what to do.
_WITHOUT_GRADE = {
    StudentState.NOT_SUPPORTED: (
        "cannot be graded on this machine",
        "Not gradable here",
        "Their kernels may be correct. Grade them with --backend cuda on a machine with a GPU.",
    ),
    StudentState.GRADER_ERROR: (
        "not graded because of a grader error",
        "Not graded",
        "When the cause is fixed, run the same command with --retry infrastructure.",
    ),
}
_OTHER_CALL = {Verdict.NO_KERNEL, Verdict.WRONG_SIGNATURE}
PREVIEWED = "previewed"
NAME_CHARACTERS, REASON_CHARACTERS = 32, 100

# Seconds of a worker for one submission to the square lab: beside three other workers on a GPU, or alone without one
# (docs/measurements.md). They serve until the first submission of a class is graded.
SECONDS_ON_GPU, SECONDS_ON_SIMULATOR = 8.0, 10.0


@dataclass(frozen=True, slots=True)
class Pace:
    """The number of submissions graded between two times in seconds. Kept results do not count."""

    began: float
    now: float
    graded: int = 0

    def after(self, done: FinishedTask, now: float) -> Pace:
        """Return the pace after `done` arrived. Tasks that need no grading arrive before the others."""
        if done.task.action is Action.GRADE:
            return replace(self, now=now, graded=self.graded + 1)
        return Pace(now, now)

    def left(self, submissions: int, guess: float = 0.0, running: int = 0) -> str:
        """Return the estimated time for this many submissions as text; empty for none, or if nothing is known.

        `guess` is the seconds for each until the first is graded. After that, those `running` count as half graded.
        """
        if not self.graded:
            return f"{duration(guess * submissions)} left" if guess and submissions else ""
        each = (self.now - self.began) / (self.graded + running / 2)
        return f"{duration(each * (submissions - running / 2))} left" if submissions else ""


def being_graded(workers: Mapping[str, str]) -> str:
    """Return who is being graded, and on which GPU; `workers` has the name of the worker of each student."""
    gpus: dict[str, list[str]] = {}
    for student, worker in workers.items():
        gpus.setdefault(worker.rpartition(", ")[0], []).append(one_line(student, NAME_CHARACTERS))
    named = [", ".join(students) + (gpu and f" on {gpu}") for gpu, students in sorted(gpus.items())]
    return f"grading {'; '.join(named)}" if named else "starting workers"


def line(done: FinishedTask, number: int, total: int, left: str = "") -> Text:
    """Return the line of one student; `left` is the estimated time for the remaining ones."""
    name = _name(done.task.submission)
    how = "" if _how(done) == Action.GRADE else f" ({_how(done)})"
    text = Text(f"[{number:>{len(str(total))}}/{total}] {name}: {points(done.report)}{how}")
    reason = why(done.report)
    if reason:
        text.append(f"  {reason}", style="yellow" if is_incomplete(done.report) else "red")
    return text.append(left and f"; {left}")


def refused(submission: Submission) -> Text:
    """Return the line of a student who has nothing to grade."""
    return Text(f"{_name(submission)}: {one_line(submission.problem, LONGEST_PROBLEM)}", style="red")


def chosen(submission: Submission) -> Text:
    """Return the line that says which of several files is graded."""
    others = ", ".join(submission.others)
    rule = "the newest .cu file with a kernel, or of equally new ones the last by name"
    return Text(f"{_name(submission)}: {submission.file} is graded, {rule}; not {others}.")


def set_aside(folder: Path) -> Text:
    """Return the line with the new folder of an earlier result that no longer counts."""
    return Text(f"  Their earlier result no longer counts. It was moved to {folder}.")


def points(report: Report | None) -> str:
    """Return "earned / measured points", or a dash if there is no score."""
    score = None if report is None else grade(report)
    return "-" if score is None else f"{rounded(score.earned)} / {shown(score.measured)}"


def why(report: Report) -> str:
    """Return the grader error or the first fault of a report; empty if there is none."""
    if report.state is not State.FINISHED:
        return f"not graded: {one_line(report.infrastructure, REASON_CHARACTERS)}"
    first = next((fault for fault in leading_faults(report) if fault.verdict is not Verdict.SKIPPED), None)
    if first is None:
        return ""
    return f"{first.verdict.words}: {textwrap.shorten(clean(first.sentence), REASON_CHARACTERS, placeholder=' …')}"


def differences(finished: Iterable[FinishedTask]) -> Table:
    """Return a table with the old and the new points of these students, those whose points differ first."""
    table = plain_table("student", *numbers("old points", "new points", "difference"))
    changed = [(done, done.task.before.report if done.task.before else None) for done in finished]
    for done, old in sorted(changed, key=lambda each: (points(each[1]) == points(each[0].report), each[0].student)):
        table.add_row(_name(done.task.submission), points(old), points(done.report), _difference(old, done.report))
    return table


def summary(
    rows: Sequence[StudentResult], finished: Sequence[FinishedTask], earlier: Sequence[StudentResult]
) -> Iterator[str]:
    """Yield the counts, the median of the points, and the students without a grade because of a grader error."""
    actions = Counter(_how(done) for done in finished if not done.superseded)
    nothing = sum(row.report is None for row in rows)
    counts = [f"{actions[how]} {how}" for how in (*Action, PREVIEWED) if how in actions]
    yield f"{students(len(rows))}: {', '.join([*counts, *([f'{nothing} with nothing to grade'] if nothing else [])])}."
    ended = {state: [row.submission for row in rows if row.report and row.state is state] for state in StudentState}
    counts = [f"{len(ended[StudentState.CORRECT])} passed", f"{len(ended[StudentState.FAILED])} failed"]
    counts += [f"{len(ended[state])} {words}" for state, (words, *_) in _WITHOUT_GRADE.items() if ended[state]]
    yield f"{', '.join(counts)}."
    if score := median_score([row.score for row in rows if row.score]):
        yield f"Median {rounded(score.earned)} of {shown(score.measured)} points."
    faults = (row.report.fault for row in rows if row.report and row.report.fault)
    uncallable = [fault for fault in faults if fault.verdict in _OTHER_CALL]
    if len(uncallable) > len(rows) / 2:
        yield f"{len(uncallable)} of {len(rows)} cannot be called as the rubric says. Is it the right one for them?"
    for state, (_, what, then) in _WITHOUT_GRADE.items():
        if ended[state]:
            yield f"{what}, at no cost in points: {_names(ended[state])}."
            yield then
    if superseded := [done.task.submission for done in finished if done.superseded]:
        yield f"Not graded this time because of a grader error; the earlier results are kept: {_names(superseded)}."
        yield "When the cause is fixed, run the same command again."
    if earlier:
        who = "1 other student keeps" if len(earlier) == 1 else f"{len(earlier)} other students keep"
        yield f"{who} the results of an earlier run."
    if note := several_rubrics([*rows, *earlier]):
        yield f"Warning: {note}"
    if returned := [done.task.submission for done in finished if done.task.returns and not done.superseded]:
        yield f"Warning: an older file, graded before, now counts instead of a later one: {_names(returned)}."
        yield "If there are later files, name all folders with submissions in one command: the newest file is graded."


def _how(done: FinishedTask) -> str:
    return PREVIEWED if done.task.is_preview else done.task.action


def _names(submissions: Iterable[Submission]) -> str:
    return ", ".join(map(_name, submissions))


def _name(submission: Submission) -> str:
    return one_line(submission.source_name, NAME_CHARACTERS)


def _difference(before: Report | None, after: Report) -> Text:
    old, new = None if before is None else grade(before), grade(after)
    if old is None or new is None:
        return Text("-")
    change = rounded(rounded(new.earned) - rounded(old.earned))
    if not change:
        return Text("0.0")
    return Text(f"{change:+}", style="green" if change > 0 else "red")
