"""report.html: the whole grade in one file that loads nothing. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from grader.model import Report, Source, State
from grader.pages.templating import templates
from grader.report.html import advice, facts, faults, sizes, verdict
from grader.report.html.faults import FaultView
from grader.rubric import rounding
from grader.rubric.next_points import next_points
from grader.rubric.outcome import grade, own_reason
from grader.text import advice_text, profile_text
from grader.text.clean import clean, one_line, shorten
from grader.text.numbers import with_micro_sign
from grader.text.remarks import hidden_note

if TYPE_CHECKING:
    from grader.report.html.figures import SpeedFigure

LONGEST_NAME = 120
MOST_LINES = 1500  # more than any lab's kernel has; a file of 1 MiB would make a page that no browser opens
LINE_CHARACTERS = 300
AROUND = 12  # lines that are shown on each side of one with a remark, beyond the first MOST_LINES
EXCERPT = 2  # lines on each side of the one that a fault names
MOST_REMARKS = 50

# `file:12:5: error: …` as GCC and Clang write it, and `file(12): error #20: …` as nvcc does.
_MESSAGE = re.compile(
    r"^[^\s:()][^:()\n]*(?::(\d+)(?::\d+)?|\((\d+)\)) ?: (?:fatal |catastrophic )?(error|warning|note)\b[^:\n]*: (.+)$",
    re.MULTILINE,
)


def render(report: Report, content: bytes | None = None, origin: facts.Origin | None = None) -> str:
    """Return the page. `content` is the file that was graded; without it the page has no listing."""
    shown = faults.shown(report)
    listed = None if content is None else listing(content, remarks(report, shown))
    page = templates("grader.report.html").get_template("report.html")
    return page.render(
        report=report,
        name=one_line(report.source.name, LONGEST_NAME),
        origin=origin or facts.Origin(),
        started=facts.started(report),
        verdict=verdict.verdict(report),
        faults=shown,
        score=report.score if report.state is State.FINISHED else None,
        is_grade=grade(report) is not None,
        next_points=list(next_points(report)),
        own_reason=own_reason,
        rounding=rounding,
        sizes=sizes.table(report),
        unmeasured=sizes.why_not_timed(report),
        notes=list(sizes.notes(report)),
        more_sizes=hidden_note(report.rubric),
        figures=_figures(report),
        advice=advice,
        gain=advice_text.gain,
        profile_text=profile_text,
        with_micro_sign=with_micro_sign,
        printed=faults.printed(report),
        listing=listed,
        lines={line.number for line in listed.lines} if listed else set(),
        excerpt=partial(excerpt, listed),
        place=report.source.place,
        where=partial(where, report.source),
        resources=facts.resources(report),
        environment=facts.environment(report),
        stages=facts.stages(report),
        command=facts.command(report),
    )


def _figures(report: Report) -> tuple[SpeedFigure, ...]:
    if not report.measurements or report.state is State.RUNNING:
        return ()
    from grader.report.html import figures  # draws, with a library that takes half a second to import

    return figures.figures(report)


@dataclass(frozen=True, slots=True)
class Remark:
    """A message about a line. `kind` is 'error', 'warning' or 'note'."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the file. `skipped` is the number of lines before it that are not shown."""

    number: int
    text: str
    skipped: int
    remarks: tuple[Remark, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """The lines that are shown, and the number of lines after the last of them."""

    lines: tuple[Line, ...]
    rest: int


def remarks(report: Report, faults: Sequence[FaultView]) -> dict[int, tuple[Remark, ...]]:
    """Return the messages of the grader and the compiler, by line."""
    by_line: dict[int, list[Remark]] = {}
    for fault in (shown.fault for shown in faults):
        if fault.line is not None:
            by_line.setdefault(fault.line, []).append(Remark("error", fault.sentence))
    for tolerated in dict.fromkeys(result.tolerated for result in report.results):
        if tolerated is not None and tolerated.line is not None:
            by_line.setdefault(tolerated.line, []).append(Remark("warning", clean(tolerated.sentence)))
    log = report.fault.detail if report.fault else report.build.log if report.build else ""
    log = "" if report.source.parts else log  # its lines are those of the single files
    for message in islice(_MESSAGE.finditer(clean(log)), MOST_REMARKS):
        text = shorten(message[4], LINE_CHARACTERS)
        known = by_line.setdefault(int(message[1] or message[2]), [])
        if not any(remark.text.rstrip(".").endswith(text.rstrip(".")) for remark in known):
            known.append(Remark(message[3], text))
    return {number: tuple(known) for number, known in by_line.items()}


def listing(source: bytes, remarks: Mapping[int, tuple[Remark, ...]]) -> Listing:
    """Return the lines to show: the beginning of the file, and the surroundings of lines with remarks."""
    lines = clean(_text(source)).removeprefix("\ufeff").removesuffix("\n").split("\n")
    near = {number for line in remarks for number in range(line - AROUND, line + AROUND + 1)}
    wanted = [number for number in range(1, len(lines) + 1) if number <= MOST_LINES or number in near]
    shown = []
    for before, number in zip([0, *wanted], wanted, strict=False):
        text = shorten(lines[number - 1], LINE_CHARACTERS)
        shown.append(Line(number, text, number - before - 1, remarks.get(number, ())))
    return Listing(tuple(shown), len(lines) - (wanted[-1] if wanted else 0))


def _text(source: bytes) -> str:
    """The text of a file, which editors on Windows may have saved in code page 1252."""
    try:
        return source.decode("utf-8")
    except UnicodeDecodeError:
        return source.decode("cp1252", "replace")


def excerpt(listing: Listing | None, number: int | None) -> tuple[Line, ...]:
    """Return the line with this number and the two lines on each side; empty where the page does not show it."""
    if listing is None or number not in {line.number for line in listing.lines}:
        return ()
    return tuple(line for line in listing.lines if abs(line.number - number) <= EXCERPT)


def where(source: Source, number: int) -> str:
    """Return a line in words, with its file if another one includes that."""
    name, line = source.place(number)
    return f"line {line}" if name == source.name else f"line {line} of {one_line(name, LINE_CHARACTERS)}"
