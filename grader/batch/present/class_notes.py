"""Sentences about a class as a whole, each empty if there is nothing to say. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from grader.batch.present.student_summary import StudentResult
from grader.rubric.rounding import difference
from grader.text.clean import one_line
from grader.text.remarks import hidden_until

LONGEST_NAMES = 300  # characters


def notes(rows: Sequence[StudentResult]) -> list[str]:
    """Return the sentences for the page of the class."""
    return [note for note in (hidden_sizes(rows), several_rubrics(rows), equal_files(rows)) if note]


def hidden_sizes(rows: Sequence[StudentResult]) -> str:
    """Return what the instructor's files show and students' pages do not."""
    rubric = next((row.report.rubric for row in rows if row.report and row.report.rubric.hidden_sizes), None)
    if rubric is None:
        return ""
    sizes = ", ".join(map(str, rubric.hidden_sizes))
    return f"Hidden sizes count here: {sizes}. What students open leaves them out until {hidden_until(rubric)}."


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


def equal_files(rows: Sequence[StudentResult]) -> str:
    """Return the groups of students whose files have the same hash."""
    owners: dict[str, list[str]] = {}
    for row in rows:
        if row.report:
            owners.setdefault(row.report.source.sha256, []).append(row.submission.source_name)
    groups = [" and ".join(students) for students in owners.values() if len(students) > 1]
    return f"Equal files: {_names(groups)}." if groups else ""


def _names(students: Iterable[str]) -> str:
    return one_line(", ".join(students), LONGEST_NAMES)
