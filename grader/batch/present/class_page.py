"""index.html: the class as a sortable table with distributions, in one file that needs only a browser. Pure."""

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
    """Return how many students had each outcome, without the outcomes that nobody had."""
    kinds = [_kind(one) for one in lines]
    every = {
        "students": len(lines),
        "correct": sum(one.verdict == Verdict.OK for one in lines),
        "failed": kinds.count("failed"),
        "with nothing to grade": kinds.count("none"),
        "with a grader error": kinds.count("error"),
        "not graded yet": kinds.count("waiting"),
        "late": sum(one.late for one in lines),
    }
    return [(number, words) for words, number in every.items() if number or words == "students"]


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
        return "correct" if one.verdict == Verdict.OK else Verdict(one.verdict).words
    if one.state in {State.RUNNING, State.INTERRUPTED}:
        return "not finished"
    if one.state == NOT_YET:
        return "not graded yet"
    return "nothing to grade" if one.has_no_file else "grader error"


def _kind(one: StudentSummary) -> str:
    """Return the CSS class of the result: good, failed, none (no file), error (of the grader) or waiting."""
    if one.score is not None:
        neither = not one.verdict or Verdict(one.verdict).is_undecided
        return "good" if one.verdict == Verdict.OK else "error" if neither else "failed"
    if one.state == NOT_YET:
        return "waiting"
    return "none" if one.has_no_file else "error"


def _points(one: StudentSummary) -> Cell:
    if one.score is None:
        return Cell("", "")
    return Cell(f"{one.score.earned:.1f} / {one.score.points - one.score.not_measured:g}", f"{one.score.earned:.6f}")
