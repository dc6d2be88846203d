"""Whether an earlier result is kept, gets a new score, or must be graded again. Pure."""

import json
from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum

import cattrs

import grader
from grader.host import cache
from grader.model import Backend, Report, Rubric, State
from grader.rubric.outcome import GradeOutcome, outcome, unchecked
from grader.rubric.score import score


@dataclass(frozen=True, slots=True)
class Lab:
    """The settings that all grades of a class share. `seed` is None if each run of the command draws one."""

    rubric: Rubric
    naive: bytes
    backend: Backend
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """`measured` is a hash of all that affects measurements; `rubric` is one of the rubric with its points.

    `visible_after` is the date of the rubric's hidden sizes, which affects neither.
    """

    measured: str
    rubric: str
    visible_after: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """A report, and the fingerprint of its inputs."""

    fingerprint: Fingerprint
    report: Report


class Action(StrEnum):
    """What to do for a student."""

    KEEP = "kept"
    SCORE = "scored again"
    GRADE = "graded"


def fingerprint(lab: Lab, content: bytes) -> Fingerprint:
    """Return the fingerprint of grading `content` in this lab."""
    measured = replace(lab.rubric, title="", quick_sizes=(), criteria=(), sha256="", visible_after="")  # not the points
    lab_run = (_text(measured), lab.naive, lab.backend, str(lab.seed))
    return Fingerprint(
        measured=cache.key(grader.__version__, content, *lab_run),
        rubric=cache.key(_text(lab.rubric.rules), lab.naive),
        visible_after=lab.rubric.visible_after,
    )


def action(wanted: Fingerprint, result: Result | None, *, retry: Collection[GradeOutcome]) -> Action:
    """Return what to do for a submission with this earlier `result`, if any. Outcomes in `retry` are graded again."""
    if result is None or result.fingerprint.measured != wanted.measured or outcome(result.report) in retry:
        return Action.GRADE
    return Action.KEEP if result.fingerprint == wanted else Action.SCORE


def scored_again(result: Result, wanted: Fingerprint, rubric: Rubric) -> Result:
    """Return the same measurements with the points of another rubric."""
    report = replace(result.report, rubric=rubric)
    finished = report.state is State.FINISHED
    return Result(wanted, replace(report, score=score(report) if finished else None))


def is_incomplete(report: Report) -> bool:
    """Whether a grader error, or a machine that cannot run the kernel, prevented a complete grade."""
    return outcome(report) in {GradeOutcome.GRADER_ERROR, GradeOutcome.UNFINISHED, GradeOutcome.NOT_HERE} or bool(
        unchecked(report)
    )


def _text(rubric: Rubric) -> str:
    return json.dumps(cattrs.unstructure(rubric), sort_keys=True)
