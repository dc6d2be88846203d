"""A class as a whole: the points of each criterion, the most frequent mistakes, and what is odd, in sentences. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import mean, median

from grader.batch.present.student_summary import StudentResult, comparable
from grader.model import CriterionScore, Fault, Score, Verdict
from grader.model.reports import leading_faults
from grader.rubric.rounding import difference
from grader.rubric.score import is_full
from grader.text.clean import one_line
from grader.text.remarks import hidden_until

MOST_MISTAKES = 8
LONGEST_MISTAKE = LONGEST_NAMES = 300  # characters
SENTENCE_END = re.compile(r"(?<=[.?!])\s")


@dataclass(frozen=True, slots=True)
class CriterionStatistics:
    """The numbers of students with all, part or none of a criterion's points, and the `mean` of measured points."""

    title: str
    points: float
    mean: float | None
    all: int
    part: int
    none: int
    not_measured: int


@dataclass(frozen=True, slots=True)
class CommonMistake:
    """A mistake: its verdict, its cause if that is known, and the students who made it."""

    verdict: str
    cause: str
    students: tuple[StudentResult, ...]


def median_score(scores: Sequence[Score]) -> Score | None:
    """Return a score with the median of the points that comparable scores earned; None without a score."""
    same = comparable(scores)
    return replace(same[0], earned=median(score.earned for score in same)) if same else None


def by_criterion(rows: Sequence[StudentResult]) -> list[CriterionStatistics]:
    """Return the statistics of each criterion over the students with a score, in the order of the rubric."""
    scores: dict[str, list[CriterionScore]] = {}
    for row in rows:
        for score in row.finished.score.criteria if row.finished and row.finished.score else ():
            scores.setdefault(score.id, []).append(score)
    return [_statistics(same) for same in scores.values()]


def common_mistakes(rows: Sequence[StudentResult]) -> list[CommonMistake]:
    """Return the most frequent mistakes, the most frequent first; one of each student, the one to fix first."""
    students: dict[tuple[Verdict, str], list[tuple[StudentResult, Fault]]] = {}
    for row in rows:
        for fault in leading_faults(row.finished)[:1] if row.finished else ():
            if fault.verdict.is_students_fault:
                key = fault.verdict, fault.cause or fault.diagnosis or fault.hint
                students.setdefault(key, []).append((row, fault))
    ordered = sorted(students.items(), key=lambda made: -len(made[1]))[:MOST_MISTAKES]
    return [
        CommonMistake(verdict.words, _words([fault for _, fault in made]), tuple(row for row, _ in made))
        for (verdict, _), made in ordered
    ]


def _statistics(scores: Sequence[CriterionScore]) -> CriterionStatistics:
    measured = [score for score in scores if score.earned is not None]
    earned = [score.earned for score in measured if score.earned is not None]
    full = sum(map(is_full, measured))
    none = sum(not score.earned and not is_full(score) for score in measured)
    return CriterionStatistics(
        title=one_line(scores[0].title, LONGEST_MISTAKE),
        points=scores[0].points,
        mean=mean(earned) if earned else None,
        all=full,
        part=len(measured) - full - none,
        none=none,
        not_measured=len(scores) - len(measured),
    )


def _words(faults: Sequence[Fault]) -> str:
    """Return the compiler's message, what is wrong with a sum, or the first sentence of the hint that all have."""
    first, *others = faults
    found = first.diagnosis.replace("-", " ")
    hint = first.hint if all(fault.hint == first.hint for fault in others) else ""
    told = found if first.verdict is Verdict.WRONG_ANSWER or not hint else hint
    return one_line(SENTENCE_END.split(first.cause or told or first.hint or first.sentence)[0], LONGEST_MISTAKE)


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
