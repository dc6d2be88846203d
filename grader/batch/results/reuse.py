"""What a result depends on: when it may be kept, when it is only scored again, and when it must be made anew. Pure."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from enum import StrEnum

import cattrs

import grader
from grader.host import cache
from grader.model import Backend, Report, Rubric, State, Verdict
from grader.rubric.score import score


@dataclass(frozen=True, slots=True)
class Lab:
    """What a whole class is graded by. `seed` is None where each run of the command draws one."""

    rubric: Rubric
    naive: bytes
    backend: Backend
    seed: int | None = None
    full: bool = False


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Hashes of everything that was run, and of the rubric with its points and its naive kernel."""

    measured: str
    rubric: str


@dataclass(frozen=True, slots=True)
class Result:
    """A report, and what it depends on."""

    fingerprint: Fingerprint
    report: Report


class Action(StrEnum):
    """What is to be done for a student."""

    KEEP = "kept"
    SCORE = "scored again"
    GRADE = "graded"


def fingerprint(lab: Lab, content: bytes) -> Fingerprint:
    """What the result of grading `content` in this lab depends on."""
    lab_run = (_text(_without_points(lab.rubric)), lab.naive, lab.backend, str(lab.full), str(lab.seed))
    return Fingerprint(
        measured=cache.key(grader.__version__, content, *lab_run),
        rubric=cache.key(_text(replace(lab.rubric, sha256="")), lab.naive),
    )


def action(wanted: Fingerprint, found: Result | None, *, retry: bool) -> Action:
    """What is to be done where `found` is there already. `retry` says that our own faults are graded again."""
    if found is None or found.fingerprint.measured != wanted.measured or (retry and is_incomplete(found.report)):
        return Action.GRADE
    return Action.KEEP if found.fingerprint == wanted else Action.SCORE


def scored_again(found: Result, wanted: Fingerprint, rubric: Rubric) -> Result:
    """The same measurements under another rubric's points."""
    report = replace(found.report, rubric=rubric)
    finished = report.state is State.FINISHED
    return Result(wanted, replace(report, score=score(report) if finished else None))


def is_incomplete(report: Report) -> bool:
    """Whether the grade is incomplete through a fault of ours, or of a machine that cannot run the kernel."""
    verdicts = {one.verdict for one in report.results} | ({report.fault.verdict} if report.fault else set())
    return report.state is not State.FINISHED or Verdict.NOT_SUPPORTED in verdicts


def _without_points(rubric: Rubric) -> Rubric:
    """What decides how a submission is run and measured, and not what that is worth."""
    return replace(rubric, title="", quick_sizes=(), criteria=(), sha256="")


def _text(rubric: Rubric) -> str:
    return json.dumps(cattrs.unstructure(rubric), sort_keys=True)
