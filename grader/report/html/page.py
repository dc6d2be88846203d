"""report.html: the whole grade in one file that loads nothing. Pure."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from grader.explain.own_lines import where
from grader.model import Report, State
from grader.pages.templating import templates
from grader.report.html import advice, facts, faults, verdict
from grader.report.html.listing import excerpt, listing, remarks
from grader.rubric import rounding
from grader.rubric.next_points import next_points
from grader.rubric.outcome import grade, own_reason
from grader.text import advice_text, profile_text
from grader.text.clean import one_line
from grader.text.numbers import moment, with_micro_sign
from grader.text.remarks import hidden_note

if TYPE_CHECKING:
    from grader.report.html.figures import SpeedFigure

LONGEST_NAME = 120


def render(report: Report, content: bytes | None = None, origin: facts.Origin | None = None) -> str:
    """Return the page. `content` is the file that was graded; without it the page has no listing."""
    shown = faults.shown(report)
    listed = None if content is None else listing(content, remarks(report, shown))
    page = templates("grader.report.html").get_template("report.html")
    return page.render(
        report=report,
        name=one_line(report.source.name, LONGEST_NAME),
        origin=origin or facts.Origin(),
        started=moment(report.started),
        verdict=verdict.verdict(report),
        faults=shown,
        score=report.score if report.state is State.FINISHED else None,
        is_grade=grade(report) is not None,
        next_points=list(next_points(report)),
        own_reason=own_reason,
        rounding=rounding,
        sizes=verdict.sizes(report),
        unmeasured=verdict.why_not_timed(report),
        notes=list(verdict.notes(report)),
        more_sizes=hidden_note(report.rubric),
        figures=_figures(report),
        advice=advice,
        gain=advice_text.gain,
        profile_text=profile_text,
        with_micro_sign=with_micro_sign,
        printed=faults.printed(report),
        listing=listed,
        lines={line.number for line in listed.lines} if listed else set(),
        excerpt=partial(excerpt, listed),
        place=report.source.place,
        where=partial(where, source=report.source),
        resources=facts.resources(report),
        environment=facts.environment(report),
        stages=facts.stages(report),
        command=facts.command(report),
    )


def _figures(report: Report) -> tuple[SpeedFigure, ...]:
    if not report.measurements or report.state is State.RUNNING:
        return ()
    from grader.report.html import figures  # draws, with a library that takes half a second to import

    return figures.figures(report)
