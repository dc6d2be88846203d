"""study.html: the tables and figures of a write-up on one page that needs nothing but a browser. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from grader import plots
from grader.model import Backend
from grader.report.templating import templates
from grader.study.drawing import Drawing
from grader.study.page_tables import page_tables
from grader.study.records import Study

LONG = 40  # lines of a table that is folded up


def render(study: Study, drawn: Sequence[Drawing]) -> str:
    """The page; what the figures show is beside them in words."""
    figures = [(one, Markup(plots.svg(one.figure, one.title, one.description))) for one in drawn]  # noqa: S704 - ours
    return templates("grader.study").get_template("study.html.j2").render(
        study=study, figures=figures, tables=list(page_tables(study)),
        long=LONG, simulated=study.machine.backend is Backend.SIMULATOR,
    )  # fmt: skip
