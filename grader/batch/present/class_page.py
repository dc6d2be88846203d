"""index.html: the class as a table to sort and filter, with statistics, in one file that needs only a browser. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from grader.batch.present.class_statistics import CommonMistake, by_criterion, common_mistakes
from grader.batch.present.distributions import figures
from grader.batch.present.page_template import FILTER, SORT, Cell, number, page
from grader.batch.present.student_result import StudentResult
from grader.batch.present.summary import NOT_YET, StudentSummary, measured, summarize
from grader.batch.results.folder_names import GRADEBOOK, JUNIT, LEADERBOARD
from grader.model import State, Verdict
from grader.rubric.outcome import GradeOutcome
from grader.text.clean import one_line

LONGEST_PROBLEM = 240
NAMES = {StudentState.NO_FILE: "with nothing to grade", StudentState.GRADER_ERROR: "with a grader error"}
FEW = 6  # students of a mistake that are listed without a click

Links = Mapping[str, Sequence[tuple[str, str]]]  # address and name of each report, by student


def class_page(rows: Sequence[StudentResult], links: Links) -> str:
    """Return the page. `links` are the addresses and names of each student's reports."""
    students = [summarize(row) for row in rows]
    speeds = any(student.speed for student in students)
    return page(
        "index.html",
        (SORT, FILTER),
        title=_title(rows),
        counts=_counts(students),
        machines=_machines(rows),
        figures=figures(rows),
        criteria=by_criterion(rows),
        mistakes=[_mistake(mistake, students, links) for mistake in common_mistakes(rows)],
        few=FEW,
        states=_options([state_of(student) for student in students]),
        verdicts=_options([verdict_words(student) for student in students]),
        speeds=speeds,
        lines=[_line(student, links, speeds=speeds) for student in students],
        gradebook=GRADEBOOK,
        junit=JUNIT,
        leaderboard=LEADERBOARD,
    )


def _title(rows: Sequence[StudentResult]) -> str:
    titles = dict.fromkeys(one_line(row.report.rubric.title, 120) for row in rows if row.report)
    return ", ".join(titles) or "Class"


def _counts(students: Sequence[StudentSummary]) -> list[tuple[int, str]]:
    """Return how many students are in each state, without the states of nobody."""
    states = Counter(state_of(student) for student in students)
    every = {
        "students": len(lines),
        "correct": sum(one.verdict == Verdict.OK for one in lines),
        "failed": kinds.count("failed"),
        "with nothing to grade": kinds.count("none"),
        "that cannot be graded on this machine": kinds.count("elsewhere"),
        "with a grader error": kinds.count("error"),
        "not graded yet": kinds.count("waiting"),
        "late": sum(one.late for one in lines),
    }
    return [(count, label) for label, count in every.items() if count or label == "students"]


def _machines(rows: Sequence[StudentResult]) -> list[str]:
    machines = [row.report.machine for row in rows if row.report]
    return list(dict.fromkeys(one_line(one.device or f"{one.backend}, {one.system}", 80) for one in machines))


def _cells(one: StudentSummary) -> list[Cell]:
    return [
        Cell(_words(one), _words(one), _kind(one)),
        _points(one),
        number(one.gflops, ",.0f"),
        number(one.speedup, ".2f"),
        number(one.library_percent, ".1f"),
        Cell(
            shown := one_line(one.problem, LONGEST_PROBLEM), shown, "problem", one_line(one.next_step, LONGEST_PROBLEM)
        ),
    ]
    return {"verdict": mistake.verdict, "cause": mistake.cause, "students": made}


def _words(one: StudentSummary) -> str:
    if one.state == GradeOutcome.NOT_HERE:
        return "cannot be graded here"
    if one.verdict:
        return "correct" if one.verdict == Verdict.OK else Verdict(one.verdict).words
    if one.state in {State.RUNNING, State.INTERRUPTED}:
        return "not finished"
    if one.state == NOT_YET:
        return "not graded yet"
    return "nothing to grade" if one.has_no_file else "grader error"


def _kind(one: StudentSummary) -> str:
    """Return the CSS class: good, failed, elsewhere (not on this machine), none (no file), error or waiting."""
    if one.state == GradeOutcome.NOT_HERE:
        return "elsewhere"
    if one.verdict:
        return "good" if one.verdict == Verdict.OK else "failed"
    if one.state == NOT_YET:
        return "waiting"
    return "none" if one.has_no_file else "error"


def _points(one: StudentSummary) -> Cell:
    if one.score is None:
        return Cell("", "")
    return Cell(f"{one.score.earned:.1f} / {measured(one.score):g}", f"{one.score.earned:.6f}")
