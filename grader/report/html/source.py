"""The student's file, line by line, with what the compiler and the grader say of each. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.model import Report
from grader.report.html.faults import Shown
from grader.text.clean import clean, shorten

MOST_LINES = 1500  # more than any lab's kernel; a file of 1 MiB must not make a page that no browser opens
LINE_CHARACTERS = 300
AROUND = 12  # lines that are shown on each side of one with a remark, beyond the first MOST_LINES
MOST_REMARKS = 50

# `file:12:5: error: …` as GCC and Clang write it, and `file(12): error #20: …` as nvcc does.
_MESSAGE = re.compile(
    r"^[^\s:()][^:()\n]*(?::(\d+)(?::\d+)?|\((\d+)\)) ?: (?:fatal |catastrophic )?(error|warning|note)\b[^:\n]*: (.+)$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Remark:
    """What is said of a line. `kind` is 'error', 'warning' or 'note'."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the file. `skipped` is how many before it are not shown."""

    number: int
    text: str
    skipped: int
    remarks: tuple[Remark, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """The lines that are shown, and how many the file has after them."""

    lines: tuple[Line, ...]
    rest: int


def remarks(report: Report, faults: Sequence[Shown]) -> dict[int, tuple[Remark, ...]]:
    """What the compiler and the grader say, by line."""
    found: dict[int, list[Remark]] = {}
    for fault in faults:
        if fault.line is not None:
            found.setdefault(fault.line, []).append(Remark("error", fault.sentence))
    log = report.fault.detail if report.fault else report.build.log if report.build else ""
    for one in list(_MESSAGE.finditer(clean(log)))[:MOST_REMARKS]:
        text = shorten(one[4], LINE_CHARACTERS)
        said = found.setdefault(int(one[1] or one[2]), [])
        if not any(other.text.rstrip(".").endswith(text.rstrip(".")) for other in said):
            said.append(Remark(one[3], text))
    return {number: tuple(said) for number, said in found.items()}


def listing(source: bytes, said: Mapping[int, tuple[Remark, ...]]) -> Listing:
    """The file as it is shown: its beginning, and what surrounds the lines that something is said of."""
    lines = clean(source.decode("utf-8", "replace")).removeprefix("\ufeff").removesuffix("\n").split("\n")
    wanted = [number for number in range(1, len(lines) + 1) if number <= MOST_LINES or _near(number, said)]
    shown = []
    for before, number in zip([0, *wanted], wanted, strict=False):
        text = shorten(lines[number - 1], LINE_CHARACTERS)
        shown.append(Line(number, text, number - before - 1, said.get(number, ())))
    return Listing(tuple(shown), len(lines) - (wanted[-1] if wanted else 0))


def _near(number: int, said: Mapping[int, tuple[Remark, ...]]) -> bool:
    return any(abs(number - other) <= AROUND for other in said)
