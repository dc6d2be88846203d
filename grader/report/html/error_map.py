"""A small picture of C with its wrong elements: the words of `Region.where` drawn as rectangles. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from grader.model import Element, Mismatch, Shape
from grader.pages import plots

THINNEST = 0.018  # of C's side: a thinner line would be invisible
MOST_PARTS = 24  # that so small a picture can show
DARKEST, LIGHTEST = 0.8, 0.1  # the opacity of a wrong part, and the share of wrong elements that can be seen
ORDINALS = {"second": 2, "third": 3, "fourth": 4}


@dataclass(frozen=True, slots=True)
class WrongPart:
    """Some rows and columns of C, without the ends, as in a range."""

    top: int
    bottom: int
    left: int
    right: int


def draw(mismatch: Mismatch, shape: Shape) -> Markup:
    """Return the figure: C, the wrong parts of it, and the first and the worst element."""
    with plots.style():
        figure = Figure(figsize=(2.3, 2.3 * min(2.0, max(0.5, shape.M / shape.N))))
        axes = figure.subplots()
        _frame(axes, shape)
        wrong = parts(mismatch.region.where, shape)
        for part in wrong[:: max(1, len(wrong) // MOST_PARTS)]:
            axes.add_patch(_rectangle(part, shape, DARKEST))
        if not wrong:  # somewhere in C: as dark as many are wrong
            share = max(LIGHTEST, mismatch.region.wrong / (shape.M * shape.N))
            axes.add_patch(_rectangle(WrongPart(0, shape.M, 0, shape.N), shape, share * DARKEST))
        _mark(axes, mismatch.first, "o")
        if not is_one_element(mismatch):
            _mark(axes, mismatch.worst, "x")
    words = f"{mismatch.region.wrong} elements of C are wrong, {mismatch.region.where}."
    return Markup(plots.svg(figure, "Where C is wrong", words))  # noqa: S704 - plots.svg escapes what it is given


def is_one_element(mismatch: Mismatch) -> bool:
    """Whether the first wrong element is also the worst."""
    first, worst = mismatch.first, mismatch.worst
    return (first.row, first.column) == (worst.row, worst.column)


def parts(where: str, shape: Shape) -> tuple[WrongPart, ...]:
    """Return the parts of C that the words name; none where they name no place, such as 'scattered'."""
    if where in {"everywhere", "nearly everywhere"}:
        return (WrongPart(0, shape.M, 0, shape.N),)
    words = where.removeprefix("in ").removeprefix("the corner where ").removesuffix(" meet")
    first, *second = re.split(" and |, (?=column)", words, maxsplit=1)
    rows, columns = _runs(first, "row", shape.M), _runs("".join(second) or first, "column", shape.N)
    if rows and columns and (" and " not in where or where.endswith(" meet")):
        return tuple(WrongPart(*row, *column) for row in rows for column in columns)
    above = rows[0][0] if rows else shape.M  # two edges are an L: the columns end where the last rows begin
    return (*(WrongPart(*row, 0, shape.N) for row in rows), *(WrongPart(0, above, *column) for column in columns))


def _runs(words: str, name: str, length: int) -> list[tuple[int, int]]:
    """Return start and end of each run of rows or columns that the words name."""
    if last := re.fullmatch(rf"the last (?:(\d+) )?{name}s?", words):
        return [(length - int(last[1] or 1), length)]
    if every := re.fullmatch(rf"every (\w+) {name}, from {name} (\d+) on", words):
        step = ORDINALS.get(every[1]) or int(re.sub(r"\D", "", every[1]))
        return [(place, place + 1) for place in range(int(every[2]), length, step)]
    if rest := re.fullmatch(rf"all {name}s from {name} (\d+) on", words):
        return [(int(rest[1]), length)]
    if some := re.fullmatch(rf"{name}s? (\d+)(?: to (\d+))?", words):
        return [(int(some[1]), int(some[2] or some[1]) + 1)]
    return []


def _frame(axes: Axes, shape: Shape) -> None:
    axes.set_xlim(0, shape.N)
    axes.set_ylim(shape.M, 0)
    axes.set_xticks([0, shape.N], ["0", str(shape.N)])
    axes.set_yticks([0, shape.M], ["0", str(shape.M)])
    axes.set_xlabel("column", labelpad=-6)
    axes.set_ylabel("row", labelpad=-10)
    axes.grid(visible=False)
    axes.spines[["top", "right"]].set_visible(True)


def _rectangle(part: WrongPart, shape: Shape, opacity: float) -> Rectangle:
    width, height = max(part.right - part.left, THINNEST * shape.N), max(part.bottom - part.top, THINNEST * shape.M)
    corner = min(part.left, shape.N - width), min(part.top, shape.M - height)
    return Rectangle(corner, width, height, facecolor=plots.VERMILION, alpha=opacity, linewidth=0)


def _mark(axes: Axes, element: Element, marker: str) -> None:
    x, y = element.column + 0.5, element.row + 0.5
    axes.plot(x, y, marker, color=plots.INK, markersize=6, fillstyle="none", clip_on=False)
