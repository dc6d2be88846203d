"""report.html: the whole grade on one page that needs nothing but a browser. Pure."""

from __future__ import annotations

from typing import Any

from grader.model import Report
from grader.report import html_facts, html_faults, html_sizes, html_source, html_verdict
from grader.report.templating import templates
from grader.report.text import one_line

LONGEST_NAME = 120


def render(report: Report, source: bytes | None = None) -> str:
    """Return the page. `source` is the content of the file that was graded; without it the page does not show it."""
    faults = html_faults.shown(report)
    listing = None if source is None else html_source.listing(source, html_source.remarks(report, faults))
    return (
        templates("grader.report")
        .get_template("report.html")
        .render(
            report=report,
            name=one_line(report.source.name, LONGEST_NAME),
            verdict=html_verdict.verdict(report),
            faults=faults,
            points=html_verdict.points(report),
            sizes=html_sizes.table(report),
            checks=html_sizes.checks(report),
            unmeasured=html_sizes.why_not_timed(report),
            notes=html_sizes.notes(report),
            figures=_figures(report),
            printed=html_faults.printed(report),
            listing=listing,
            lines={one.number for one in listing.lines} if listing else set(),
            resources=html_facts.resources(report),
            environment=html_facts.environment(report),
            stages=html_facts.stages(report),
            command=html_facts.command(report),
        )
    )


def _figures(report: Report) -> tuple[Any, ...]:
    if not report.measurements:
        return ()
    from grader.report import figures  # draws, with a library that takes half a second to import

    return figures.figures(report)
