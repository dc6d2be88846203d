"""report.html: the whole grade in one file that loads nothing. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from grader.model import Report, State
from grader.pages.templating import templates
from grader.report.html import advice, facts, faults, sizes, source, verdict
from grader.report.html.wording import with_micro_sign
from grader.text import profile_text
from grader.text.clean import clean, one_line
from grader.text.remarks import hidden_note

if TYPE_CHECKING:
    from grader.report.html.figures import SpeedFigure

LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class Origin:
    """The student who submitted the file, and the number of the attempt; empty and 0 where not known.

    `changes` are those since the attempt before, as sentences, and `others` the student's files that are not graded.
    """

    student: str = ""
    attempt: int = 0
    changes: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def render(report: Report, content: bytes | None = None, origin: Origin | None = None) -> str:
    """Return the page. `content` is the file that was graded; without it the page has no listing."""
    shown = faults.shown(report)
    listing = None if content is None else source.listing(content, source.remarks(report, shown))
    return (
        templates("grader.report.html")
        .get_template("report.html")
        .render(
            report=report,
            name=one_line(report.source.name, LONGEST_NAME),
            origin=origin or Origin(),
            started=facts.started(report),
            verdict=verdict.verdict(report),
            faults=shown,
            points=verdict.points(report),
            sizes=sizes.table(report),
            checks=sizes.checks(report),
            unmeasured=sizes.why_not_timed(report),
            notes=list(sizes.notes(report)),
            more_sizes=hidden_note(report.rubric),
            figures=_figures(report),
            advice=advice.view(report),
            profile=_profile(report),
            printed=faults.printed(report),
            listing=listing,
            lines={line.number for line in listing.lines} if listing else set(),
            excerpt=partial(source.excerpt, listing),
            place=report.source.place,
            where=partial(source.where, report.source),
            resources=facts.resources(report),
            environment=facts.environment(report),
            stages=facts.stages(report),
            command=facts.command(report),
        )
    )


def _figures(report: Report) -> tuple[SpeedFigure, ...]:
    if not report.measurements or report.state is State.RUNNING:
        return ()
    from grader.report.html import figures  # draws, with a library that takes half a second to import

    return figures.figures(report)


@dataclass(frozen=True, slots=True)
class ProfileView:
    """What the page shows of a profile; without a measurement, why there is none."""

    heading: str
    conclusion: str
    uses: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def _profile(report: Report) -> ProfileView | None:
    """Return the profile; None for a grade without one."""
    profile = report.profile
    if profile is None:
        return None
    return ProfileView(
        heading=profile_text.HEADING,
        conclusion=with_micro_sign(clean(profile_text.conclusion(report, profile))),
        uses=profile_text.uses(profile),
        columns=profile_text.COLUMNS,
        rows=profile_text.rows(profile),
    )
