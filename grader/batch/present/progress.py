"""What people read while a class is graded, and at its end. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from rich import box
from rich.table import Table
from rich.text import Text

from grader.batch.present.student_result import StudentResult
from grader.batch.results.reuse import Action, is_incomplete
from grader.batch.run.engine import FinishedTask
from grader.model import Report, State, Verdict
from grader.study.measure.progress import duration
from grader.text.clean import clean, one_line, shorten

NAME_CHARACTERS, REASON_CHARACTERS = 32, 100


@dataclass(frozen=True, slots=True)
class Pace:
    """How many were graded from one moment to another; what was there already took no time and counts for none."""

    began: float
    now: float
    graded: int = 0

    def after(self, done: FinishedTask, now: float) -> Pace:
        """The pace once `done` has arrived, what needs no grading before the rest."""
        return replace(self, now=now, graded=self.graded + 1) if done.task.action is Action.GRADE else Pace(now, now)

    def left(self, submissions: int) -> str:
        """How long so many more will take; empty until one was graded, and where nothing is left."""
        if not self.graded or not submissions:
            return ""
        return f"{duration((self.now - self.began) / self.graded * submissions)} left"


def line(done: FinishedTask, number: int, total: int, left: str = "") -> Text:
    """One student, in one line, and how long the rest will take."""
    name = one_line(done.task.submission.student, NAME_CHARACTERS)
    how = "" if done.task.action is Action.GRADE else f" ({done.task.action})"
    text = Text(f"[{number:>{len(str(total))}}/{total}] {name}: {points(done.report)}{how}")
    reason = why(done.report)
    if reason:
        text.append(f"  {reason}", style="yellow" if is_incomplete(done.report) else "red")
    return text.append(left and f"; {left}")


def refused(student: str, problem: str) -> Text:
    """A student of whom there is nothing to grade."""
    return Text(f"{one_line(student, NAME_CHARACTERS)}: {one_line(problem, REASON_CHARACTERS)}", style="red")


def set_aside(folder: Path) -> Text:
    """Where the earlier result of such a student is now."""
    return Text(f"  The earlier result counts no more; it is kept in {folder}.")


def earlier(students: int) -> str:
    """How many rows are there that this command had no sources for."""
    who = "1 student of an earlier run is" if students == 1 else f"{students} students of an earlier run are"
    whose = "the result stays" if students == 1 else "their results stay"
    return f"{who} not in these sources; {whose}."


def points(report: Report | None) -> str:
    """The points as a person writes them; a dash where there are none."""
    if report is None or report.score is None:
        return "-"
    return f"{report.score.earned:.1f} / {report.score.points - report.score.not_measured:g}"


def why(report: Report) -> str:
    """The first thing that is wrong, in a few words; empty where nothing is."""
    if report.state is not State.FINISHED:
        return f"not graded: {one_line(report.infrastructure, REASON_CHARACTERS)}"
    faults = [report.fault, *(one.fault for one in report.results)]
    first = next((one for one in faults if one and one.verdict is not Verdict.SKIPPED), None)
    if first is None:
        return ""
    return f"{first.verdict.words}: {shorten(one_line(clean(first.sentence), 500), REASON_CHARACTERS)}"


def differences(finished: Iterable[FinishedTask]) -> Table:
    """Old and new points of every student whose result a new rubric would change."""
    table = Table(box=box.SIMPLE_HEAD, header_style="bold", show_edge=False, pad_edge=False)
    for name in ("student", "old points", "new points", "difference"):
        table.add_column(name, justify="left" if name == "student" else "right")
    for done in sorted(finished, key=lambda one: one.task.submission.student):
        before = done.task.before.report if done.task.before else None
        name = one_line(done.task.submission.student, NAME_CHARACTERS)
        table.add_row(name, points(before), points(done.report), _difference(before, done.report))
    return table


def summary(rows: Sequence[StudentResult], finished: Sequence[FinishedTask]) -> Iterator[str]:
    """How many of what, the median of the points, and whom the grader failed."""
    steps = [done.task.action for done in finished if not done.superseded]
    counts = [f"{steps.count(action)} {action}" for action in Action if action in steps]
    nothing = sum(row.report is None for row in rows)
    yield _sentence(f"{len(rows)} students:", [*counts, *([f"{nothing} with nothing to grade"] if nothing else [])])
    reports = [row.report for row in rows if row.report is not None]
    failed = [row for row in rows if row.report and is_incomplete(row.report)]
    ours = [one_line(row.submission.student, NAME_CHARACTERS) for row in failed]
    short = sum(bool(why(report)) for report in reports) - len(ours)
    right = len(reports) - len(ours) - short
    yield _sentence("", [f"{right} right", f"{short} fell short", f"{len(ours)} not graded through a fault of ours"])
    earned = [report.score.earned for report in reports if report.score is not None]
    if earned:
        yield f"Median {median(earned):.1f} points."
    if ours:
        yield f"Not graded, at no cost to them: {', '.join(ours)}."
        yield "Run the same command with --retry infrastructure when the cause is mended."


def _sentence(beginning: str, parts: Sequence[str]) -> str:
    return f"{beginning} {', '.join(parts)}.".strip()


def _difference(before: Report | None, after: Report) -> Text:
    if before is None or before.score is None or after.score is None:
        return Text("-")
    change = after.score.earned - before.score.earned
    if not round(change, 1):
        return Text("0.0")
    return Text(f"{change:+.1f}", style="green" if change > 0 else "red")
