"""A small picture of C with its wrong elements: the darker a rectangle is, the more are wrong. Pure."""

from __future__ import annotations

from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from grader.model import Element, Mismatch, Shape, WrongPart
from grader.pages import plots

THINNEST = 0.018  # of C's side: a thinner line would be invisible
DARKEST, LIGHTEST = 0.8, 0.1  # the opacity of a wrong part, and the share of wrong elements that can be seen


def draw(mismatch: Mismatch, shape: Shape) -> Markup:
    """Return the figure: C, the wrong parts of it, and the first and the worst element."""
    with plots.style():
        figure = Figure(figsize=(2.3, 2.3 * min(2.0, max(0.5, shape.M / shape.N))))
        axes = figure.subplots()
        _frame(axes, shape)
        parts = mismatch.region.parts or (WrongPart(0, shape.M, 0, shape.N),)  # an older report has none
        inside = sum((part.bottom - part.top) * (part.right - part.left) for part in parts)
        for part in parts:
            axes.add_patch(_rectangle(part, shape, max(LIGHTEST, mismatch.region.wrong / inside) * DARKEST))
        _mark(axes, mismatch.first, "o")
        if not is_one_element(mismatch):
            _mark(axes, mismatch.worst, "x")
    words = f"{mismatch.region.wrong} elements of C are wrong, {mismatch.region.where}."
    return Markup(plots.svg(figure, "Where C is wrong", words))  # noqa: S704 - plots.svg escapes what it is given


def is_one_element(mismatch: Mismatch) -> bool:
    """Whether the first wrong element is also the worst."""
    first, worst = mismatch.first, mismatch.worst
    return (first.row, first.column) == (worst.row, worst.column)


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
