"""GitHub Actions: annotations, and output that cannot be taken for a command (github/docs, "Workflow commands").

GitHub shows ten errors of one step and drops the others without a word, so there are never more, and the notice says
where to read the rest.
"""

from __future__ import annotations

from grader.export import feedback, points
from grader.model import Report
from grader.text.clean import shorten

MOST_ERRORS = 10
LONGEST_MESSAGE = 2000


def log(report: Report, path: str, mark: str) -> str:
    """Return the whole explanation as output that is not obeyed, then the annotations.

    `mark` ends the part that GitHub does not obey, so it must be one that nobody can guess.
    """
    return f"::stop-commands::{mark}\n{feedback.explanation(report)}\n::{mark}::\n{annotated(report, path)}"


def annotated(report: Report, path: str) -> str:
    """Return the annotations, one on a line. `path` is the submission's, from the root of its repository."""
    every = [_mistake(one, path) for one in feedback.every_mistake(report)]
    why = points.why_no_grade(report)
    errors = [*([command("error", why, title="No grade")] if why else []), *every][:MOST_ERRORS]
    more = len(every) + bool(why) - len(errors)
    return "".join(f"{one}\n" for one in (*errors, *_notice(report, graded=not why, more=more)))


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


def _notice(report: Report, graded: bool, more: int) -> list[str]:
    rest = f"Mistakes that are not shown here, but in the job's summary: {more}." if more else ""
    said = (feedback.total(report), points.said_of_unmeasured(report), rest) if graded else (rest,)
    message = " ".join(part for part in said if part)
    return [command("notice", message, title="Points" if graded else "Mistakes")] if message else []


def _mistake(one: feedback.Mistake, path: str) -> str:
    hint = f"Try: {one.hint}" if one.hint else ""
    message = shorten("\n".join(part for part in (one.sentence, hint, one.detail) if part), LONGEST_MESSAGE)
    place = {"file": path.removeprefix("./")} | ({"line": one.line} if one.line else {})
    return command("error", message, **place, title=one.verdict.capitalize())


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
