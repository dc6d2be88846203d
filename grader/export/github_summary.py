"""GitHub Actions: the job's summary, in Markdown. One step may write 1 MiB of it, and beyond that all of it is lost.

Every text from outside is bounded and escaped, so it stays text: no heading, no link, no image, no HTML.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence

from grader.export import feedback, points
from grader.model import Report, Verdict
from grader.text.clean import clean, one_line, shorten

MOST_BYTES = 1 << 20
MOST_SIZES = 200
MOST_LISTED = 100
LONGEST_PRINTED = 4000
ELSEWHERE = "All of it is in report.html, among the job's artifacts where the workflow uploads it."
CUT = f"This summary ends here, because GitHub takes no longer one. {ELSEWHERE}"

# Whatever GitHub's Markdown gives a meaning: as a character reference it has none (CommonMark, section 2.5).
_SPECIAL = re.compile(r"[^\w ]|_")


def render(report: Report) -> str:
    """Return the summary: the points, the sizes, the mistakes, and what the kernel printed."""
    parts = [f"## {text(one_line(report.rubric.title, 200))}"]
    if why := points.why_no_grade(report):
        parts += [text(why), *_mistakes(report)]
    else:
        parts += [*_points(report), *_sizes(report), *_mistakes(report), *_printed(report)]
    return "".join(_fitting(parts))


def _fitting(parts: Sequence[str]) -> Iterator[str]:
    """The first parts, as many as GitHub takes; the last one says so where there were more."""
    room = MOST_BYTES - len(CUT.encode()) - 2
    for part in parts:
        room -= len(part.encode()) + 2
        if room < 0:
            yield f"{CUT}\n\n"
            return
        yield f"{part}\n\n"


def text(words: str) -> str:
    """Return words that Markdown shows as they are, on one line."""
    return _SPECIAL.sub(lambda match: f"&#{ord(match[0])};", " ".join(clean(words).split()))


def block(words: str) -> str:
    """Return lines that Markdown shows as they are."""
    return f"<pre>\n{html.escape(clean(words))}\n</pre>"


def _points(report: Report) -> Iterator[str]:
    rows = [
        (points.title(one), f"{points.rounded(one):g} / {one.points:g}", one.reason) for one in points.measured(report)
    ]
    rows += [(points.title(one), f"not measured / {one.points:g}", one.reason) for one in points.not_measured(report)]
    rows.append(("Total", f"{points.earned(report):g} / {points.maximum(report):g}", points.said_of_unmeasured(report)))
    shown = [(name, earned, one_line(why, feedback.LONGEST_SENTENCE)) for name, earned, why in rows]
    yield _table(("criterion", "points", "why"), shown)


def _sizes(report: Report) -> Iterator[str]:
    speeds = {one.shape: feedback.speed(one) for one in report.measurements}
    rows = []
    shapes = list(dict.fromkeys(one.case.shape for one in report.results))
    for shape in shapes[:MOST_SIZES]:
        bad = [one.verdict for one in report.results if one.case.shape == shape and one.verdict is not Verdict.OK]
        verdict = ", ".join(dict.fromkeys(one.words for one in bad)) or "right"
        rows.append((str(shape), verdict, speeds.get(shape, "not measured")))
    if rows:
        yield _table(("size", "verdict", "speed"), rows)
    if more := len(shapes) - len(rows):
        yield f"And {more} more sizes. {ELSEWHERE}"


def _mistakes(report: Report) -> Iterator[str]:
    """The first ones whole; each of the others in a line, so that what comes first is not buried."""
    whole = feedback.mistakes(report)
    rest = feedback.every_mistake(report)[len(whole) :]
    for one in whole:
        yield block(feedback.paragraph(one, report.source.name))
    if rest:
        yield f"{len(rest)} more, each in a line:"
        yield block("\n".join(feedback.sentence(one, report.source.name) for one in rest[:MOST_LISTED]))
    if more := len(rest[MOST_LISTED:]):
        yield f"And {more} more. {ELSEWHERE}"


def _printed(report: Report) -> Iterator[str]:
    printed = next((one for one in report.results if one.printed), None)
    if printed is not None:
        yield text(f"The kernel printed at {printed.case}:")
        yield block(shorten(printed.printed, LONGEST_PRINTED))


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *([text(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
