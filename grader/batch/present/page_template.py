"""The templates of a class's pages. All text is cleaned and escaped, and a page loads nothing from other sites."""

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from markupsafe import Markup

from grader.batch.present.student_summary import StudentResult
from grader.pages.templating import templates

TEMPLATES = Path(__file__).parent / "templates"
SORT, FILTER = "sort.js", "filter.js"


@dataclass(frozen=True, slots=True)
class Cell:
    """The text of a table cell, and the value to sort by; empty values come last. `note` is a second paragraph."""

    text: str
    value: str
    kind: str = ""
    note: str = ""


def speed_cells(row: StudentResult) -> tuple[Cell, ...]:
    """Return the cells of GFLOPS, the speed-up over the naive kernel, and % of cuBLAS."""
    return (
        _number(row.gflops, ",.0f", "number gflops"),
        _number(row.speedup, ".2f", "number naive"),
        _number(row.library_percent, ".1f", "number library"),
    )


def _number(value: float | None, form: str, kind: str) -> Cell:
    """Return the cell of a number; empty for None, NaN and infinity."""
    known = value is not None and isfinite(value)
    return Cell(format(value, form), f"{value:.6f}", kind) if known else Cell("", "", kind)


def page(template: str, scripts: Sequence[str] = (SORT,), /, **shown: object) -> str:
    """Return the page with these scripts. `shown` are the variables of the template."""
    script = "\n".join((TEMPLATES / name).read_text(encoding="utf-8").strip() for name in scripts)
    # For the page's Content-Security-Policy, which blocks any other script.
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    page = templates("grader.batch.present").get_template(template)
    return page.render(script=Markup(script), script_hash=digest, **shown)  # noqa: S704 - part of the package
