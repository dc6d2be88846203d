"""report.html: the whole grade on one page that needs nothing but a browser. Pure."""

from __future__ import annotations

from grader.model import Report
from grader.pages.templating import templates
from grader.report.html import facts, sizes, verdict
from grader.report.html import faults as fault_section
from grader.report.html.source import listing as source_listing
from grader.report.html.source import remarks
from grader.text.clean import one_line

LONGEST_NAME = 120


def render(report: Report, source: bytes | None = None) -> str:
    """Return the page. `source` is the content of the file that was graded; without it the page does not show it."""
    faults = fault_section.shown(report)
    listing = None if source is None else source_listing(source, remarks(report, faults))
    return (
        templates("grader.report.html")
        .get_template("report.html")
        .render(
            report=report,
            name=one_line(report.source.name, LONGEST_NAME),
            verdict=verdict.verdict(report),
            faults=faults,
            points=verdict.points(report),
            sizes=sizes.table(report),
            checks=sizes.checks(report),
            unmeasured=sizes.why_not_timed(report),
            notes=sizes.notes(report),
            figures=_figures(report),
            printed=fault_section.printed(report),
            listing=listing,
            lines={one.number for one in listing.lines} if listing else set(),
            resources=facts.resources(report),
            environment=facts.environment(report),
            stages=facts.stages(report),
            command=facts.command(report),
        )
    )


def _figures(report: Report) -> tuple[object, ...]:
    if not report.measurements:
        return ()
    from grader.report.html import figures  # draws, with a library that takes half a second to import

    return figures.figures(report)
