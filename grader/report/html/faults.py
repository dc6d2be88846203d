"""What went wrong: the first fault of each kind, with a map of C for a wrong answer. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from grader.explain.own_lines import in_own_lines
from grader.explain.tables import Table, tables
from grader.model import CaseResult, Fault, Mismatch, Report, Source, ThreadAccess, Verdict, decisive
from grader.model.reports import leading_results
from grader.text.clean import clean, shorten
from grader.text.numbers import some

MOST_FAULTS = 4
MOST_SIZES = 6
LOG_CHARACTERS = 8000
PRINTED_CHARACTERS = 4000
DETAIL_TITLES = {Verdict.COMPILE_ERROR: "Output of the compiler", Verdict.DATA_RACE: "Another race"}
VALUE_DIGITS = 9  # enough to distinguish any two float32


@dataclass(frozen=True, slots=True)
class FaultView:
    """A fault, and what the page shows beside its own words; `map` is a figure of C, or None.

    `pair` has two accesses that nothing orders, each with its thread or block.
    """

    fault: Fault
    title: str
    mark: str
    detail: str
    detail_title: str
    shows_detail: bool
    also: str = ""
    pair: tuple[tuple[str, ThreadAccess], ...] = ()
    map: Markup | None = None
    elements: tuple[tuple[str, str, str, str], ...] = ()
    tables: tuple[Table, ...] = ()


@dataclass(frozen=True, slots=True)
class Printed:
    """The output of the kernel in one case."""

    where: str
    text: str


def shown(report: Report) -> tuple[FaultView, ...]:
    """Return the build's fault, or one of each kind: one mistake usually fails many cases."""
    if report.fault is not None:
        return (_view(report.fault, report.source),)
    every, shown = decisive(report.results), leading_results(report.results)[:MOST_FAULTS]
    return tuple(
        _of_case(result, _view(result.fault, report.source), every) for result in shown if result.fault is not None
    )


def printed(report: Report) -> Printed | None:
    """Return the first output of the kernel; None without any."""
    for result in report.results:
        if text := clean(result.printed).strip():
            return Printed(str(result.case), shorten(text, PRINTED_CHARACTERS))
    return None


def _of_case(result: CaseResult, view: FaultView, results: Sequence[CaseResult]) -> FaultView:
    view = replace(view, also=_also(result, results))
    if result.mismatch is None:
        return view
    from grader.report.html import error_map  # draws, with a library that takes half a second to import

    elements = tuple(_elements(result.mismatch, only_first=error_map.is_one_element(result.mismatch)))
    return replace(view, map=error_map.draw(result.mismatch, result.case.shape), elements=elements)


def _view(fault: Fault, source: Source) -> FaultView:
    title = fault.verdict.words
    return FaultView(
        fault,
        title=title[0].upper() + title[1:],
        mark="open" if fault.verdict.is_undecided else "wrong",
        detail=shorten(clean(fault.detail).strip(), LOG_CHARACTERS),
        detail_title=DETAIL_TITLES.get(fault.verdict, "More about this error"),
        shows_detail=fault.verdict in DETAIL_TITLES,
        pair=_pair(fault),
        tables=tuple(_in_own_lines(table, source) for table in tables(fault)),
    )


def _in_own_lines(table: Table, source: Source) -> Table:
    title, heads, rows = table
    return in_own_lines(title, source), heads, [tuple(in_own_lines(cell, source) for cell in row) for row in rows]


def _pair(fault: Fault) -> tuple[tuple[str, ThreadAccess], ...]:
    """Return the two accesses of a data race, by their blocks if these differ."""
    if not fault.memory:
        return ()
    between_blocks = len({access.block for access in fault.accesses}) > 1
    return tuple((_who(access, between_blocks), access) for access in fault.accesses)


def _who(access: ThreadAccess, between_blocks: bool) -> str:
    x, y, z = (access.block if between_blocks else access.thread) or (0, 0, 0)
    return f"{'block' if between_blocks else 'thread'} ({x}, {y}{f', {z}' if z else ''})"


def _also(result: CaseResult, results: Sequence[CaseResult]) -> str:
    """Return how many other cases have the same verdict."""
    others = [other for other in results if other.verdict is result.verdict and other is not result]
    if not others:
        return ""
    sizes = list(dict.fromkeys(str(other.case.shape) for other in others))
    places = some(sizes, MOST_SIZES)
    return f"The same verdict in {len(others)} more run{'' if len(others) == 1 else 's'}, at {places}."


def _elements(mismatch: Mismatch, *, only_first: bool) -> Iterator[tuple[str, str, str, str]]:
    """Yield name, place, expected and actual value of the first and the worst element."""
    untouched = mismatch.region.never_written == mismatch.region.wrong
    named = {"first": mismatch.first} | ({} if only_first else {"largest error": mismatch.worst})
    for name, element in named.items():
        got = "never written" if untouched else _value(element.got)
        yield name, f"C[{element.row}][{element.column}]", _value(element.expected), got


def _value(value: float) -> str:
    return "NaN" if math.isnan(value) else f"{value:.{VALUE_DIGITS}g}"
