"""gradebook.csv: a row for each student, for spreadsheets."""

from collections.abc import Sequence

from grader.batch.intake.source_entry import Submission
from grader.batch.present.student_summary import StudentResult, StudentState
from grader.errors import UsageError
from grader.rubric.rounding import rounded
from grader.text.csv_cells import document, free_text, parse

WITHOUT_REPORT = {StudentState.NO_FILE, StudentState.WAITING, "not-graded", "not-graded-yet"}  # also of older ones
FIRST = ("student", "name", "email", "late", "state")  # the columns that are read again


def gradebook(rows: Sequence[StudentResult]) -> str:
    """Return the CSV text. The cell of an unmeasured value is empty, not 0."""
    criteria = _criteria(rows)
    header = [
        *(*FIRST, "verdict", "earned", "points", "not measured"),
        *map(free_text, criteria.values()),
        *("GFLOPS at the largest size", "x naive", "% of cuBLAS", "problem", "next step"),
    ]
    return document([header, *(_cells(row, list(criteria)) for row in rows)])


def people(text: str) -> dict[str, Submission]:
    """Return the students of a gradebook by identifier, with the fields that no report has; empty for another text."""
    return {who: Submission(who, name, email, late=late) for who, name, email, late, _ in _first_cells(text)}


def with_report(text: str) -> list[str]:
    """Return the students with a report in a gradebook, even if that report has no grade."""
    return [who for who, *_, state in _first_cells(text) if state not in WITHOUT_REPORT]


def _first_cells(text: str) -> list[tuple[str, ...]]:
    """Return the student, name, email, lateness and state in each row of a gradebook; none of another text."""
    try:
        table = parse(text, "the gradebook")
    except UsageError:
        return []
    return [row[: len(FIRST)] for row in table.rows if row[0]] if table.header[: len(FIRST)] == FIRST else []


def _criteria(rows: Sequence[StudentResult]) -> dict[str, str]:
    """Return a unique heading for each criterion's id."""
    titles = {criterion.id: criterion.title for row in rows if row.score for criterion in row.score.criteria}
    often = [title for title in titles.values() if list(titles.values()).count(title) > 1]
    return {id_: f"{title} ({id_})" if title in often else title for id_, title in titles.items()}


def _cells(row: StudentResult, criteria: Sequence[str]) -> list[str]:
    who, score = row.submission, row.score
    earned = {criterion.id: criterion.earned for criterion in score.criteria} if score else {}
    totals = (score.earned, score.measured, score.not_measured) if score else (None, None, None)
    return [
        who.student,
        *map(free_text, (who.name, who.email, who.late)),
        row.state,
        row.verdict or "",
        *map(_points, totals),
        *(_points(earned.get(criterion)) for criterion in criteria),
        *map(_number, (row.gflops, row.speedup, row.library_percent)),
        free_text(row.why),
        free_text(row.next_step),
    ]


def _points(value: float | None) -> str:
    return _number(None if value is None else rounded(value))


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
