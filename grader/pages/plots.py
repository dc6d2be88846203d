"""Figures as inline SVG, which suits light and dark pages, and screen readers. Pure."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from cycler import cycler
from matplotlib import style as mpl_style
from matplotlib.figure import Figure

from grader.model import Interval

# Okabe and Ito, "Color Universal Design" (2008): distinct for every kind of colour blindness. Their black and yellow
# are not used, because neither is visible on both a white and a black page.
BLUE, VERMILION, GREEN, PURPLE, AMBER, SKY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"
COLOURS = (BLUE, VERMILION, GREEN, PURPLE, AMBER, SKY)

INK = "#010203"  # replaced by the colour of the page's text; no other colour has this value
FONTS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", sans-serif'

_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",  # text stays text, which can be searched, copied and read aloud
    "svg.hashsalt": "grader",  # the same figure gives the same bytes
    "text.parse_math": False,  # a dollar sign in a file name is not mathematics
    "font.size": 9.0,
    "axes.titlesize": 10.0,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.prop_cycle": cycler(color=COLOURS),
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "grid.linewidth": 0.5,
    "grid.alpha": 0.18,
    "lines.linewidth": 1.6,
    "lines.markersize": 4.5,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "figure.constrained_layout.use": True,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    **dict.fromkeys(
        ("text.color", "axes.edgecolor", "axes.labelcolor", "axes.titlecolor", "xtick.color", "ytick.color"), INK
    ),
    "grid.color": INK,
}
_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_FAMILY = re.compile(r"font-family: [^;]+; ?")


def style() -> AbstractContextManager[None]:
    """Apply the settings of all figures instead of the user's. Build and save each figure inside of it."""
    return mpl_style.context(_SETTINGS, after_reset=True)


def errors(intervals: Sequence[Interval]) -> list[list[float]]:
    """Return the intervals as Axes.errorbar takes them: distances from each median down, and up."""
    return [
        [interval.median - interval.low for interval in intervals],
        [interval.high - interval.median for interval in intervals],
    ]


def svg(figure: Figure, title: str, description: str) -> str:
    """Return the figure as an <svg> element for an HTML page, with the width and the font of its container.

    A screen reader reads `title` and `description`. INK becomes the colour of the text around the figure.
    """
    root = ElementTree.fromstring(_save(figure))  # noqa: S314 - matplotlib wrote it a moment ago
    _remove_namespaces(root)
    content = ElementTree.tostring(root) + f"{title}\0{description}".encode()
    prefix = f"f{hashlib.sha256(content).hexdigest()[:10]}-"
    _make_ids_unique(root, prefix)
    _follow_the_page(root)
    drawn = "".join(ElementTree.tostring(child, encoding="unicode") for child in root)
    return (
        f'<svg role="img" aria-labelledby="{prefix}title {prefix}desc" viewBox="{root.get("viewBox")}"'
        ' style="display:block;width:100%;height:auto" stroke-linejoin="round" stroke-linecap="butt">'
        f'<title id="{prefix}title">{escape(title)}</title><desc id="{prefix}desc">{escape(description)}</desc>'
        f"{drawn.strip()}</svg>"
    )


def document(figure: Figure, title: str, description: str) -> str:
    """Return the figure as an SVG file, which follows the reader's light or dark screen."""
    page = f"svg{{color:#1f2328;font-family:{FONTS}}}@media(prefers-color-scheme:dark){{svg{{color:#e6edf3}}}}"
    inline = svg(figure, title, description).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return inline.replace("</desc>", f"</desc><style>{page}</style>", 1) + "\n"


def _save(figure: Figure) -> str:
    written = io.StringIO()
    with style():
        figure.savefig(written, format="svg", metadata={"Date": None})
    return written.getvalue()


def _remove_namespaces(root: ElementTree.Element) -> None:
    """Remove namespaces, which HTML does not need, the metadata, and the style sheet, which would affect the page."""
    for parent in list(root.iter()):
        parent.tag = parent.tag.removeprefix(_SVG)
        for child in list(parent):
            if child.tag in {f"{_SVG}metadata", f"{_SVG}style"}:
                parent.remove(child)
        if _LINK in parent.attrib:
            parent.set("href", parent.attrib.pop(_LINK))


def _make_ids_unique(root: ElementTree.Element, prefix: str) -> None:
    """Make the IDs unique on a page with many figures, and remove those that nothing refers to."""
    used = {name for element in root.iter() for name in _references(element)}
    for element in root.iter():
        name = element.attrib.pop("id", "")
        for key, value in element.items():
            if key == "href":
                element.set(key, f"#{prefix}{value.removeprefix('#')}")
            else:
                element.set(key, _REFERENCE.sub(rf"url(#{prefix}\1)", value))
        if name in used:
            element.set("id", prefix + name)


def _references(element: ElementTree.Element) -> Iterator[str]:
    for key, value in element.items():
        yield from _REFERENCE.findall(value)
        if key == "href":
            yield value.removeprefix("#")


def _follow_the_page(root: ElementTree.Element) -> None:
    """Take the font and the colour of text from the surrounding page."""
    for element in root.iter():
        if "style" in element.attrib:
            element.set("style", _FAMILY.sub("", element.attrib["style"]).replace(INK, "currentColor"))
