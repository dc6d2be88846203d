"""GitHub Actions: annotations, and output that GitHub does not read as commands (github/docs, "Workflow commands").

GitHub shows ten errors of a step and drops the others without notice. So there are never more, and the notice says
where the rest is.
"""

from __future__ import annotations

from grader.export import feedback, points
from grader.model import Fault, Report
from grader.rubric.outcome import outcome
from grader.rubric.rounding import shown, total
from grader.text.clean import shorten
from grader.text.remarks import hidden_note

MOST_ERRORS = 10
LONGEST_MESSAGE = 2000


def log(report: Report, path: str, mark: str) -> str:
    """Return the explanation as output in which GitHub reads no commands, then the annotations.

    `mark` ends that part, so it must be unpredictable.
    """
    return f"::stop-commands::{mark}\n{feedback.explanation(report)}\n::{mark}::\n{annotated(report, path)}"


def annotated(report: Report, path: str) -> str:
    """Return the annotations, one on each line. `path` is relative to the root of the repository."""
    every = [_mistake(report, mistake, path) for mistake in feedback.every_mistake(report)]
    why = points.why_no_grade(report)
    errors = [*([command("error", why, title=points.why_title(report))] if why else []), *every][:MOST_ERRORS]
    more = len(every) + bool(why) - len(errors)
    return "".join(f"{line}\n" for line in (*errors, *_notice(report, graded=not why, more=more)))


def outputs(report: Report) -> str:
    """Return the step's outputs. If there is no grade, `earned` is empty and not zero."""
    graded = not points.why_no_grade(report)
    not_measured = total(criterion.points for criterion in points.not_measured(report))
    numbers = {"earned": points.earned(report), "points": points.maximum(report), "not-measured": not_measured}
    lines = (f"{name}={shown(number)}\n" if graded else f"{name}=\n" for name, number in numbers.items())
    note = f"note={hidden_note(report.rubric)}\n"
    return "".join([f"state={report.state}\n", f"outcome={outcome(report)}\n", *lines, note])


def command(name: str, message: str, **properties: str | int) -> str:
    """Return one workflow command, escaped so that nothing in it can begin another."""
    listed = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{name} {listed}::{_data(message)}" if listed else f"::{name}::{_data(message)}"


def _notice(report: Report, graded: bool, more: int) -> list[str]:
    rest = f"Mistakes that are only in the summary of the job: {more}." if more else ""
    parts = (feedback.total(report), points.not_measured_sentence(report), rest) if graded else (rest,)
    message = " ".join(part for part in parts if part)
    return [command("notice", message, title="Points" if graded else "Mistakes")] if message else []


def _mistake(report: Report, mistake: Fault, path: str) -> str:
    message = shorten(feedback.with_hint(mistake, mistake.sentence), LONGEST_MESSAGE)
    line = feedback.line_to_show(report, mistake)
    return command("error", message, file=path.removeprefix("./"), line=line, title=mistake.verdict.words.capitalize())


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
