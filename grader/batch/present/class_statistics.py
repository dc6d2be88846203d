"""Statistics of a class: the points of each criterion, and the most frequent mistakes. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import mean, median

from grader.batch.present.student_summary import StudentResult, comparable
from grader.model import CriterionScore, Fault, Score, Verdict
from grader.model.reports import leading_faults
from grader.rubric.score import is_full
from grader.text.clean import one_line

MOST_MISTAKES = 8
LONGEST_MISTAKE = 300
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
