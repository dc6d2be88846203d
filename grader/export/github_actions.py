"""GitHub Actions: annotations, output that GitHub does not read as commands, and the summary of a job, in Markdown.

GitHub shows ten errors of a step and drops the others without notice. So there are never more, and the notice says
where the rest is. It drops a longer summary than 1 MiB completely. Every text from outside is bounded and escaped in a
summary, so that it contains no heading, link, image or HTML (github/docs, "Workflow commands").
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from itertools import islice

from grader.export import feedback, points
from grader.model import Fault, Report
from grader.model.answers import by_size
from grader.model.verdicts import words_of
from grader.rubric.outcome import outcome
from grader.rubric.rounding import shown, total
from grader.text.clean import clean, one_line, shorten
from grader.text.numbers import speed_in_words
from grader.text.remarks import hidden_note

MOST_ERRORS = 10
LONGEST_MESSAGE = 2000
MOST_BYTES = 1 << 20
MOST_SIZES = 200
MOST_LISTED = 100
LONGEST_PRINTED = 4000
ELSEWHERE = "report.html has all of it; look for it in the artifacts of the job, if the workflow uploads it."
CUT = f"This summary ends here, because GitHub accepts no longer one. {ELSEWHERE}"

# Characters that have a meaning in GitHub's Markdown have none as character references (CommonMark, section 2.5).
_SPECIAL = re.compile(r"[^\w ]|_")


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


def summary(report: Report) -> str:
    """Return the summary: the points, the sizes, the mistakes, and what the kernel printed."""
    parts = [f"## {text(one_line(report.rubric.title, 200))}"]
    if why := points.why_no_grade(report):
        parts += [text(f"{points.why_title(report)}. {why}"), *_every_mistake(report)]
    else:
        note = hidden_note(report.rubric)
        parts += [
            _points_table(report),
            *([text(note)] if note else []),
            *_sizes(report),
            *_every_mistake(report),
            *_printed(report),
        ]
    return "".join(_fitting(parts))


def text(words: str) -> str:
    """Return words that Markdown shows as they are, on one line."""
    return _SPECIAL.sub(lambda match: f"&#{ord(match[0])};", " ".join(clean(words).split()))


def block(words: str) -> str:
    """Return lines that Markdown shows as they are."""
    return f"<pre>\n{html.escape(clean(words))}\n</pre>"


def _fitting(parts: Sequence[str]) -> Iterator[str]:
    """Yield as many parts as GitHub accepts, and a last one that says so if there are more."""
    room = MOST_BYTES - len(CUT.encode()) - 2
    for part in parts:
        room -= len(part.encode()) + 2
        if room < 0:
            yield f"{CUT}\n\n"
            return
        yield f"{part}\n\n"


def _points_table(report: Report) -> str:
    rows = [
        (criterion.title, f"{shown(criterion.earned)} / {shown(criterion.points)}", criterion.reason)
        for criterion in points.measured(report)
    ]
    rows += [
        (criterion.title, f"not measured / {shown(criterion.points)}", criterion.reason)
        for criterion in points.not_measured(report)
    ]
    sums = f"{shown(points.earned(report))} / {shown(points.maximum(report))}"
    rest = one_line(points.not_measured_sentence(report), feedback.LONGEST_SENTENCE)
    return _table(("criterion", "points", "why"), [*rows, ("Total", sums, rest)])


def _sizes(report: Report) -> Iterator[str]:
    speeds = {measurement.shape: speed_in_words(measurement) for measurement in report.measurements}
    sizes, rows = by_size(report.results), []
    for shape, results in islice(sizes.items(), MOST_SIZES):
        verdicts = words_of(result.verdict for result in results)
        row = (str(shape), verdicts, speeds.get(shape, "not measured"))
        rows.append(row if speeds else row[:2])
    if rows:
        yield _table(("size", "verdict", "speed") if speeds else ("size", "verdict"), rows)
    if more := len(sizes) - len(rows):
        yield f"And {more} more sizes. {ELSEWHERE}"


def _every_mistake(report: Report) -> Iterator[str]:
    """Yield the first mistakes in full and the others in a line each, so that they do not hide the first ones."""
    full = feedback.mistakes(report)
    rest = feedback.every_mistake(report)[len(full) :]
    for mistake in full:
        yield block(feedback.paragraph(mistake, report.source))
    if rest:
        yield f"{len(rest)} more, each in one line:"
        yield block("\n".join(feedback.in_a_line(mistake, report.source) for mistake in rest[:MOST_LISTED]))
    if more := len(rest[MOST_LISTED:]):
        yield f"And {more} more. {ELSEWHERE}"


def _printed(report: Report) -> Iterator[str]:
    printed = next((result for result in report.results if result.printed), None)
    if printed is not None:
        yield text(f"The kernel printed at {printed.case}:")
        yield block(shorten(printed.printed, LONGEST_PRINTED))


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *([text(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
