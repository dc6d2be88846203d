"""What went wrong, the first of each kind, with the map of C where the record knows it. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from grader.model import CaseResult, Element, Fault, Mismatch, Report, Verdict
from grader.report.html.wording import WORDS
from grader.text.clean import clean, shorten

MOST_FAULTS = 4
LOG_CHARACTERS = 8000
PRINTED_CHARACTERS = 4000
VALUE_DIGITS = 9  # tell any two float32 apart


@dataclass(frozen=True, slots=True)
class Shown:
    """A fault as the page tells it. `line` is that of the source; `map` a figure of C, or empty."""

    title: str
    mark: str
    sentence: str
    hint: str
    line: int | None
    detail: str
    also: str = ""
    map: Markup | None = None
    elements: tuple[tuple[str, str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Printed:
    """What the kernel printed in one case."""

    where: str
    text: str


def shown(report: Report) -> tuple[Shown, ...]:
    """The build's fault, or the first of each kind: one mistake usually fails many cases."""
    if report.fault is not None:
        return (_shown(report.fault),)
    first: dict[Verdict, tuple[CaseResult, Fault]] = {}
    for one in report.results:
        if one.fault is not None:
            first.setdefault(one.verdict, (one, one.fault))
    return tuple(_of_case(one, fault, report.results) for one, fault in list(first.values())[:MOST_FAULTS])


def printed(report: Report) -> Printed | None:
    """What the kernel printed, where it first did."""
    one = next((one for one in report.results if one.printed.strip()), None)
    return Printed(str(one.case), shorten(clean(one.printed).strip(), PRINTED_CHARACTERS)) if one else None


def _of_case(one: CaseResult, fault: Fault, results: Sequence[CaseResult]) -> Shown:
    told = replace(_shown(fault), also=_also(one, results))
    if one.mismatch is None:
        return told
    from grader.report.html import error_map  # draws, with a library that takes half a second to import

    return replace(told, map=error_map.draw(one.mismatch, one.case.shape), elements=_elements(one.mismatch))


def _shown(fault: Fault) -> Shown:
    words = WORDS[fault.verdict]
    return Shown(
        title=words[0].upper() + words[1:],
        mark="open" if fault.verdict.is_undecided else "wrong",
        sentence=fault.sentence,
        hint=fault.hint,
        line=fault.line,
        detail=shorten(clean(fault.detail).strip(), LOG_CHARACTERS),
    )


def _also(one: CaseResult, results: Sequence[CaseResult]) -> str:
    """In how many other cases the same happened."""
    others = [other for other in results if other.verdict is one.verdict and other is not one]
    if not others:
        return ""
    sizes = list(dict.fromkeys(str(other.case.shape) for other in others))
    places = ", ".join(sizes[:6]) + (f" and {len(sizes) - 6} more sizes" if len(sizes) > 6 else "")  # noqa: PLR2004
    return f"The same verdict in {len(others)} more case{'' if len(others) == 1 else 's'}, at {places}."


def _elements(mismatch: Mismatch) -> tuple[tuple[str, str, str, str], ...]:
    untouched = mismatch.region.never_written == mismatch.region.wrong
    both = {"first": mismatch.first} | ({} if _is_one(mismatch) else {"farthest off": mismatch.worst})
    return tuple((which, *_element(one, untouched=untouched)) for which, one in both.items())


def _is_one(mismatch: Mismatch) -> bool:
    first, worst = mismatch.first, mismatch.worst
    return (first.row, first.column) == (worst.row, worst.column)


def _element(one: Element, *, untouched: bool) -> tuple[str, str, str]:
    return f"C[{one.row}][{one.column}]", _value(one.expected), "never written" if untouched else _value(one.got)


def _value(value: float) -> str:
    return "NaN" if math.isnan(value) else f"{value:.{VALUE_DIGITS}g}"
