"""study.html: the tables and figures of a write-up in one file that loads nothing. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from grader.pages import plots
from grader.pages.templating import templates
from grader.study.measure.records import Study
from grader.study.present.drawing import Drawing
from grader.study.present.page_tables import page_tables

LONG = 40  # lines from which on a table is folded


def render(study: Study, drawn: Sequence[Drawing]) -> str:
    """Return the page: the kernels that failed, the figures with a description in words, and the other tables."""
    figures = [(drawing, Markup(plots.svg(drawing.figure, drawing.title, drawing.description))) for drawing in drawn]  # noqa: S704 - ours
    tables = list(page_tables(study))
    return templates("grader.study.present").get_template("study.html.j2").render(
        study=study, figures=figures, failed=[table for table in tables if table.columns[-1] == "why"],
        tables=[table for table in tables if table.columns[-1] != "why"],
        long=LONG, simulated=not study.machine.backend.capabilities.measures_speed,
    )  # fmt: skip
