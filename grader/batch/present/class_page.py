"""index.html: the class as a table to sort, with its distributions. It needs nothing but a browser. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.batch.present.distributions import figures
from grader.batch.present.page_template import Cell, number, page
from grader.batch.present.student_result import StudentResult
from grader.batch.present.summary import NOT_YET, StudentSummary, summarize
from grader.batch.results.folder_names import GRADEBOOK, JUNIT, LEADERBOARD
from grader.model import State, Verdict
from grader.text.clean import one_line

LONGEST_PROBLEM = 240


def class_page(rows: Sequence[StudentResult], links: Mapping[str, Sequence[tuple[str, str]]]) -> str:
    """Return the page. `links` are the addresses and names of each student's reports."""
    lines = [summarize(row) for row in rows]
    return page(
        "index.html",
        title=_title(rows),
        counts=_counts(lines),
        machines=_machines(rows),
        figures=figures(rows),
        lines=[
            {"who": student, "cells": _cells(student), "links": links.get(student.student, ())} for student in lines
        ],
        gradebook=GRADEBOOK,
        junit=JUNIT,
        leaderboard=LEADERBOARD,
    )


def _title(rows: Sequence[StudentResult]) -> str:
    titles = dict.fromkeys(one_line(row.report.rubric.title, 120) for row in rows if row.report)
    return ", ".join(titles) or "Class"


def _counts(lines: Sequence[StudentSummary]) -> list[tuple[int, str]]:
    """How many ended how; what there is none of is left out."""
    every = {
        "students": len(lines),
        "right": sum(one.verdict == Verdict.OK for one in lines),
        "fell short": sum(_kind(one) == "short" for one in lines),
        "with nothing to grade": sum(_kind(one) == "none" for one in lines),
        "with a fault of ours": sum(_kind(one) == "ours" for one in lines),
        "not graded yet": sum(_kind(one) == "waiting" for one in lines),
        "late": sum(one.late for one in lines),
    }
    return [(many, words) for words, many in every.items() if many or words == "students"]


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
        Cell(shown := one_line(one.problem, LONGEST_PROBLEM), shown, "problem"),
    ]


def _words(one: StudentSummary) -> str:
    if one.verdict:
        return "right" if one.verdict == Verdict.OK else Verdict(one.verdict).words
    if one.state in {State.RUNNING, State.INTERRUPTED}:
        return "not finished"
    if one.state == NOT_YET:
        return "not graded yet"
    return "nothing to grade" if one.theirs else "our fault"


def _kind(one: StudentSummary) -> str:
    """How the row is to be read: good, short (theirs), none (no file that could be graded), ours, waiting."""
    if one.score is not None:
        neither = not one.verdict or Verdict(one.verdict).is_undecided
        return "good" if one.verdict == Verdict.OK else "ours" if neither else "short"
    if one.state == NOT_YET:
        return "waiting"
    return "none" if one.theirs else "ours"


def _points(one: StudentSummary) -> Cell:
    if one.score is None:
        return Cell("", "")
    return Cell(f"{one.score.earned:.1f} / {one.score.points - one.score.not_measured:g}", f"{one.score.earned:.6f}")
