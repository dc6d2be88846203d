"""The source on the page: its lines, with the messages of the grader and the compiler at them. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from grader.model import Report
from grader.report.html.faults import FaultView
from grader.text.clean import clean, shorten

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
