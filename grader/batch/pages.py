"""The class's pages from their templates: whatever they show is cleaned and escaped, and nothing is fetched."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from grader.report.text import clean

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
        _environment()
        .get_template(template)
        .render(
            script=Markup(script),  # noqa: S704 - ours
            script_hash=_hash(script),
            **shown,
        )
    )


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("grader.batch"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_cleaned,
    )


def _cleaned(value: Any) -> Any:
    return clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _hash(script: str) -> str:
    """What the page's policy knows the one script by that it lets run; a student's would be another."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
