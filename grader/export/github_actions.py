"""GitHub Actions: annotations, and output that cannot be taken for a command (github/docs, "Workflow commands").

GitHub shows ten errors of one step, so the ten that matter come first and nothing else is an error.
"""

from __future__ import annotations

from grader.export import feedback, points
from grader.model import Report

LONGEST_MESSAGE = 2000


def log(report: Report, path: str, mark: str) -> str:
    """Return the whole explanation as output that is not obeyed, then the annotations.

    `mark` ends the part that GitHub does not obey, so it must be one that nobody can guess.
    """
    return f"::stop-commands::{mark}\n{feedback.explanation(report)}\n::{mark}::\n{annotated(report, path)}"


def annotated(report: Report, path: str) -> str:
    """Return the annotations, one on a line. `path` is the submission's, from the root of its repository."""
    commands = [_mistake(one, path) for one in feedback.mistakes(report)]
    if why := points.why_no_grade(report):
        return "\n".join([command("error", why, title="No grade"), *commands]) + "\n"
    summary = " ".join(part for part in (feedback.total(report), points.said_of_unmeasured(report)) if part)
    return "\n".join([*commands, command("notice", summary, title="Points")]) + "\n"


def outputs(report: Report) -> str:
    """Return the step's outputs. Where there is no grade, `earned` is empty and not zero."""
    graded = not points.why_no_grade(report)
    values = {
        "state": report.state,
        "earned": f"{points.earned(report):g}" if graded else "",
        "points": f"{points.maximum(report):g}" if graded else "",
        "not-measured": f"{sum(one.points for one in points.not_measured(report)):g}" if graded else "",
    }
    return "".join(f"{name}={value}\n" for name, value in values.items())


def command(name: str, message: str, **properties: str | int) -> str:
    """Return one workflow command, escaped so that nothing in it can begin another."""
    listed = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{name} {listed}::{_data(message)}" if listed else f"::{name}::{_data(message)}"


def _mistake(one: feedback.Mistake, path: str) -> str:
    hint = f"Try: {one.hint}" if one.hint else ""
    message = "\n".join(part for part in (one.sentence, hint, one.detail) if part)[:LONGEST_MESSAGE]
    place = {"file": path} | ({"line": one.line} if one.line else {})
    return command("error", message, **place, title=one.verdict.capitalize())


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
