"""index.html: the class as a table to sort and filter, with statistics, in one self-contained file. Pure."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from grader.batch.present.class_figures import attempts_figure, figures
from grader.batch.present.class_statistics import by_criterion, common_mistakes, median_score, notes
from grader.batch.present.page_template import FILTER, SORT, Cell, page, speed_cells
from grader.batch.present.student_summary import LONGEST_PROBLEM, StudentResult, StudentState
from grader.batch.results.names import GRADEBOOK, JUNIT, LEADERBOARD
from grader.model import Machine, Report
from grader.rubric.rounding import rounded, shown
from grader.text.clean import one_line

NAMES = {StudentState.NO_FILE: "with nothing to grade", StudentState.GRADER_ERROR: "with a grader error"}
FEW = 6  # students of a mistake who are listed without a click


def class_page(rows: Sequence[StudentResult], similar: str = "") -> str:
    """Return the page. `similar` is the address of a report on similar files."""
    has_speeds = any(row.speed for row in rows)
    return page(
        "index.html",
        (SORT, FILTER),
        title=_title(rows),
        counts=_counts(rows),
        machines=list(dict.fromkeys(_machine(row.report.machine) for row in rows if row.report)),
        last=_last(rows),
        median=median_score([row.score for row in rows if row.score]),
        figures=[*figures(rows), *attempts_figure(rows)],
        criteria=by_criterion(rows),
        mistakes=common_mistakes(rows),
        few=FEW,
        states=_options([row.state for row in rows]),
        verdicts=_options([row.verdict.words for row in rows if row.verdict]),
        speeds=has_speeds,
        lines=[(row, (_points(row), *(speed_cells(row) if has_speeds else ()), _problem(row))) for row in rows],
        gradebook=GRADEBOOK,
        junit=JUNIT,
        leaderboard=LEADERBOARD,
        similar=similar,
        notes=notes(rows),
        rounded=rounded,
        shown=shown,
    )


def _title(rows: Sequence[StudentResult]) -> str:
    titles = dict.fromkeys(one_line(row.report.rubric.title, 120) for row in rows if row.report)
    return ", ".join(titles) or "Class"


def _counts(students: Sequence[StudentResult]) -> list[tuple[int, str]]:
    """Return the number of students in each state; states without students are left out."""
    states = Counter(student.state for student in students)
    every = {
        "students": len(students),
        **{NAMES.get(state, state): states[state] for state in StudentState},
        "late": sum(student.submission.is_late for student in students),
    }
    return [(count, label) for label, count in every.items() if count or label == "students"]


def _machine(machine: Machine) -> str:
    name = one_line(machine.device or machine.system, 80)
    return name if machine.backend.capabilities.measures_speed else f"the simulator ({name})"


def _last(rows: Sequence[StudentResult]) -> str:
    """Return the time at which the latest grade began; empty without a grade."""
    times = [started for row in rows if row.report and (started := _time(row.report))]
    return max(times).strftime("%Y-%m-%d %H:%M UTC") if times else ""


def _time(report: Report) -> datetime | None:
    try:
        return datetime.fromisoformat(report.started).astimezone(UTC)
    except ValueError:
        return None


def _options(values: Sequence[str]) -> list[tuple[str, int]]:
    """Return the values by which the table can be filtered, each with its number of students, most frequent first."""
    return Counter(value for value in values if value).most_common()


def _points(student: StudentResult) -> Cell:
    score = student.score
    if score is None or not score.measured:
        return Cell("", "", "number points")
    return Cell(f"{rounded(score.earned)} / {shown(score.measured)}", f"{score.earned:.6f}", "number points")


def _problem(student: StudentResult) -> Cell:
    shown = one_line(student.why, LONGEST_PROBLEM)
    return Cell(shown, shown, "problem", one_line(student.next_step, LONGEST_PROBLEM))
