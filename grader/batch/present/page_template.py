"""The pages of a class, from templates: all text is cleaned and escaped, and nothing is loaded from elsewhere."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from markupsafe import Markup

from grader.pages.templating import templates

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True, slots=True)
class Cell:
    """The text of a table cell and the value to sort by; empty values come last."""

    text: str
    value: str
    kind: str = ""


def number(value: float | None, form: str) -> Cell:
    """Return the cell of a number; empty for None."""
    known = value is not None and isfinite(value)
    return Cell(format(value, form), f"{value:.6f}") if known else Cell("", "")


def page(template: str, **shown: object) -> str:
    """Return the page; `shown` are the variables of its template."""
    script = (TEMPLATES / "sort.js").read_text(encoding="utf-8").strip()
    return (
        templates("grader.batch.present")
        .get_template(template)
        .render(
            script=Markup(script),  # noqa: S704 - part of the package
            script_hash=_hash(script),
            **shown,
        )
    )


def _hash(script: str) -> str:
    """Return the hash that the page's Content-Security-Policy allows; a script of a student has another."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
