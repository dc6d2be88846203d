"""The class's pages from their templates: whatever they show is cleaned and escaped, and nothing is fetched."""

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
    """What a cell of a table shows, and what the table is sorted by; empty values come last."""

    text: str
    value: str
    kind: str = ""


def number(value: float | None, form: str) -> Cell:
    """Return the cell of a number, empty where there is none."""
    known = value is not None and isfinite(value)
    return Cell(format(value, form), f"{value:.6f}") if known else Cell("", "")


def page(template: str, **shown: object) -> str:
    """Return the page; `shown` are the values that its template names."""
    script = (TEMPLATES / "sort.js").read_text(encoding="utf-8").strip()
    return (
        templates("grader.batch.present")
        .get_template(template)
        .render(
            script=Markup(script),  # noqa: S704 - ours
            script_hash=_hash(script),
            **shown,
        )
    )


def _hash(script: str) -> str:
    """What the page's policy knows the one script by that it lets run; a student's would be another."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
