"""Sentences about a class as a whole, each empty if there is nothing to say. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from grader.batch.present.student_summary import StudentResult
from grader.rubric.rounding import difference
from grader.text.clean import one_line

LONGEST_NAMES = 300  # characters


def hidden_sizes(rows: Sequence[StudentResult]) -> str:
    """Return what the instructor's files show and students' pages do not."""
    rubric = next((row.report.rubric for row in rows if row.report and row.report.rubric.hidden_sizes), None)
    if rubric is None:
        return ""
    sizes = ", ".join(map(str, rubric.hidden_sizes))
    return f"Hidden sizes count here: {sizes}. What students open leaves them out until {rubric.visible_after}."


def several_rubrics(rows: Sequence[StudentResult]) -> str:
    """Return whose points do not compare with those of most students."""
    reports = {row.submission.source_name: row.report for row in rows if row.report}
    what = difference(reports.values())
    if not what:
        return ""
    used = {
        student: report.rubric.rules if what == "rubric" else report.naive_sha256 for student, report in reports.items()
    }
    ((usual, _),) = Counter(filter(None, used.values())).most_common(1)
    others = _names(student for student, one in used.items() if one and one != usual)
    return f"With another {what} than most students: {others}. Their points do not compare. Grade all with --apply."


def _names(students: Iterable[str]) -> str:
    return one_line(", ".join(students), LONGEST_NAMES)
