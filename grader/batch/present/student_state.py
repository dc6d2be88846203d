"""The states of a grade by which the class page counts and filters students. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from grader.batch.present.summary import NOT_YET, StudentSummary
from grader.model import State, Verdict
from grader.rubric.outcome import GradeOutcome


class StudentState(StrEnum):
    """The states of a student. Only the first two are grades."""

    CORRECT = "correct"
    FAILED = "failed"
    NOT_SUPPORTED = "cannot be graded here"
    NO_FILE = "nothing to grade"
    GRADER_ERROR = "grader error"
    WAITING = "not graded yet"


# The CSS class of each state.
STYLES: Mapping[StudentState, str] = {
    StudentState.CORRECT: "good",
    StudentState.FAILED: "failed",
    StudentState.NOT_SUPPORTED: "error",
    StudentState.NO_FILE: "none",
    StudentState.GRADER_ERROR: "error",
    StudentState.WAITING: "waiting",
}


def state_of(student: StudentSummary) -> StudentState:
    """Return the state of a student."""
    if student.state == GradeOutcome.NOT_HERE:
        return StudentState.NOT_SUPPORTED
    if student.verdict:
        return StudentState.CORRECT if student.verdict == Verdict.OK else StudentState.FAILED
    if student.state == NOT_YET:
        return StudentState.WAITING
    return StudentState.NO_FILE if student.has_no_file else StudentState.GRADER_ERROR


def verdict_words(student: StudentSummary) -> str:
    """Return the verdict in words; empty without one."""
    if not student.verdict:
        return ""
    return "correct" if student.verdict == Verdict.OK else Verdict(student.verdict).words


def words(student: StudentSummary) -> str:
    """Return the verdict, or else the state, as the table of students shows it."""
    if student.verdict and state_of(student) is not StudentState.NOT_SUPPORTED:
        return verdict_words(student)
    return "not finished" if student.state in {State.RUNNING, State.INTERRUPTED} else state_of(student)
