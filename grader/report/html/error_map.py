"""C drawn small, with the elements that are wrong: the words of `where` as rectangles. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from grader.model import Element, Mismatch, Shape
from grader.pages import plots

THINNEST = 0.018  # of C's side: a thinner line would not be seen
MOST_LINES = 24  # that can be told apart in so small a picture


@dataclass(frozen=True, slots=True)
class Part:
    """Some rows and columns of C, the ends left out, as in a range."""

    top: int
    bottom: int
    left: int
    right: int


def draw(mismatch: Mismatch, shape: Shape) -> Markup:
    """Return the figure: C, what is wrong in it, and the first and the worst element."""
    with plots.style():
        figure = Figure(figsize=(2.3, 2.3 * min(2.0, max(0.5, shape.M / shape.N))))
        axes = figure.subplots()
        _frame(axes, shape)
        found = parts(mismatch.region.where, shape)
        for part in found[:: max(1, len(found) // MOST_LINES)]:
            axes.add_patch(_rectangle(part, shape))
        for element, marker in _marked(mismatch):
            axes.plot(
                element.column + 0.5,
                element.row + 0.5,
                marker,
                color=plots.INK,
                markersize=6,
                fillstyle="none",
                clip_on=False,
            )
    words = f"{mismatch.region.wrong} elements of C are wrong, {mismatch.region.where}."
    return Markup(plots.svg(figure, "Where C is wrong", words))  # noqa: S704 - plots.svg escapes what it is given


def _marked(mismatch: Mismatch) -> Iterator[tuple[Element, str]]:
    first, worst = mismatch.first, mismatch.worst
    yield first, "o"
    if (first.row, first.column) != (worst.row, worst.column):
        yield worst, "x"


def parts(where: str, shape: Shape) -> tuple[Part, ...]:
    """The parts of C that the words name; none where they name no place, such as 'scattered'."""
    for pattern, read in _PHRASES:
        if found := re.fullmatch(pattern, where):
            return tuple(read(shape, *found.groups()))
    return ()


def _frame(axes: Axes, shape: Shape) -> None:
    axes.set_xlim(0, shape.N)
    axes.set_ylim(shape.M, 0)
    axes.set_xticks([0, shape.N], ["0", str(shape.N)])
    axes.set_yticks([0, shape.M], ["0", str(shape.M)])
    axes.set_xlabel("column", labelpad=-6)
    axes.set_ylabel("row", labelpad=-10)
    axes.grid(visible=False)
    axes.spines[["top", "right"]].set_visible(True)


def _rectangle(part: Part, shape: Shape) -> Rectangle:
    width, height = max(part.right - part.left, THINNEST * shape.N), max(part.bottom - part.top, THINNEST * shape.M)
    corner = min(part.left, shape.N - width), min(part.top, shape.M - height)
    return Rectangle(corner, width, height, facecolor=plots.VERMILION, alpha=0.8, linewidth=0)


def _all(shape: Shape) -> Iterator[Part]:
    yield Part(0, shape.M, 0, shape.N)


def _rows(shape: Shape, first: str, last: str | None = None) -> Iterator[Part]:
    yield Part(int(first), int(last or first) + 1, 0, shape.N)


def _columns(shape: Shape, first: str, last: str | None = None) -> Iterator[Part]:
    yield Part(0, shape.M, int(first), int(last or first) + 1)


def _box(_shape: Shape, *numbers: str | None) -> Iterator[Part]:
    top, bottom, left, right = numbers
    yield Part(int(top or 0), int(bottom or top or 0) + 1, int(left or 0), int(right or left or 0) + 1)


def _last_rows(shape: Shape, count: str | None) -> Iterator[Part]:
    yield Part(shape.M - int(count or 1), shape.M, 0, shape.N)


def _last_columns(shape: Shape, count: str | None) -> Iterator[Part]:
    yield Part(0, shape.M, shape.N - int(count or 1), shape.N)


def _both_edges(shape: Shape, rows: str | None, columns: str | None) -> Iterator[Part]:
    yield from _last_rows(shape, rows)
    (edge,) = _last_columns(shape, columns)
    yield Part(0, shape.M - int(rows or 1), edge.left, edge.right)


def _corner(shape: Shape, rows: str | None, columns: str | None) -> Iterator[Part]:
    yield Part(shape.M - int(rows or 1), shape.M, shape.N - int(columns or 1), shape.N)


def _every_row(shape: Shape, step: str, first: str) -> Iterator[Part]:
    yield from (Part(row, row + 1, 0, shape.N) for row in range(int(first), shape.M, _number(step)))


def _every_column(shape: Shape, step: str, first: str) -> Iterator[Part]:
    yield from (Part(0, shape.M, column, column + 1) for column in range(int(first), shape.N, _number(step)))


def _diagonal(shape: Shape) -> Iterator[Part]:
    yield from (Part(one, one + 1, one, one + 1) for one in range(min(shape.M, shape.N)))


def _number(ordinal: str) -> int:
    return {"second": 2, "third": 3, "fourth": 4}.get(ordinal) or int(re.sub(r"\D", "", ordinal))


_ROWS, _COLUMNS = r"the last (?:(\d+) )?rows?", r"the last (?:(\d+) )?columns?"
_PHRASES: tuple[tuple[str, Callable[..., Iterator[Part]]], ...] = (
    (r"everywhere|nearly everywhere|everywhere but on the diagonal", _all),
    (r"on the diagonal", _diagonal),
    (rf"in the corner where {_ROWS} and {_COLUMNS} meet", _corner),
    (rf"in {_ROWS} and {_COLUMNS}", _both_edges),
    (rf"in {_ROWS}", _last_rows),
    (rf"in {_COLUMNS}", _last_columns),
    (r"in every (\w+) row, from row (\d+) on", _every_row),
    (r"in every (\w+) column, from column (\d+) on", _every_column),
    (r"in rows? (\d+)(?: to (\d+))?", _rows),
    (r"in columns? (\d+)(?: to (\d+))?", _columns),
    (r"in all rows from row (\d+) on", lambda shape, first: _rows(shape, first, str(shape.M - 1))),
    (r"in all columns from column (\d+) on", lambda shape, first: _columns(shape, first, str(shape.N - 1))),
    (r"in rows? (\d+)(?: to (\d+))?, columns? (\d+)(?: to (\d+))?", _box),
)
