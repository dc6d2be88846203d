"""study.html: the tables and figures of a write-up on one page that needs nothing but a browser. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from grader import plots
from grader.model import Backend
from grader.report.text import clean
from grader.study.drawing import Drawing
from grader.study.page_tables import page_tables
from grader.study.records import Study

LONG = 40  # lines of a table that is folded up


def render(study: Study, drawn: Sequence[Drawing]) -> str:
    """The page; what the figures show is beside them in words."""
    figures = [(one, Markup(plots.svg(one.figure, one.title, one.description))) for one in drawn]  # noqa: S704 - ours
    return _environment().get_template("study.html.j2").render(
        study=study, figures=figures, tables=list(page_tables(study)),
        long=LONG, simulated=study.machine.backend is Backend.SIMULATOR,
    )  # fmt: skip


@cache
def _environment() -> Environment:
    """Escapes and cleans whatever it shows: names of files and reasons may be a student's."""
    return Environment(
        loader=PackageLoader("grader.study"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_cleaned,
    )


def _cleaned(value: Any) -> Any:
    return clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value
