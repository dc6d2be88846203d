"""Nsight Compute's counters beside the grader's. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model import Report
from grader.report.html.wording import with_micro_sign
from grader.text import profile_text
from grader.text.clean import clean


@dataclass(frozen=True, slots=True)
class ProfileView:
    """What the page shows of a profile; without a measurement, why there is none."""

    heading: str
    conclusion: str
    uses: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def view(report: Report) -> ProfileView | None:
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
