"""study.html: the tables and figures of a write-up on one page that needs nothing but a browser. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from grader.pages import plots
from grader.pages.templating import templates
from grader.study.measure.records import Study
from grader.study.present.drawing import Drawing
from grader.study.present.page_tables import page_tables

LONG = 40  # lines of a table that is folded up


def render(study: Study, drawn: Sequence[Drawing]) -> str:
    """The page; what the figures show is beside them in words."""
    figures = [(one, Markup(plots.svg(one.figure, one.title, one.description))) for one in drawn]  # noqa: S704 - ours
    return templates("grader.study.present").get_template("study.html.j2").render(
        study=study, figures=figures, tables=list(page_tables(study)),
        long=LONG, simulated=not study.machine.backend.capabilities.measures_speed,
    )  # fmt: skip
