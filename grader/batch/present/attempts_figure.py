"""The points of all attempts over time, for the page of a class where students have several. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure

from grader.batch.present.summary import measured
from grader.model import Report
from grader.pages import plots
from grader.rubric.outcome import grade

SIZE = (5.0, 2.6)  # inches, as the distributions

Attempt = tuple[datetime, float]  # when it was graded in UTC, and the % of the points that could be measured


def attempts_figure(reports: Mapping[str, Sequence[Report]]) -> Iterator[str]:
    """Yield the figure as inline SVG; nothing where no student has two grades. `reports` are those of each student."""
    graded = {student: [attempt for report in own if (attempt := _attempt(report))] for student, own in reports.items()}
    several = [sorted(attempts) for attempts in graded.values() if len(attempts) > 1]
    if not several:
        return
    with plots.style(), rc_context({"date.converter": "concise"}):
        figure = Figure(figsize=SIZE)
        axes = figure.subplots()
        for attempts in several:
            times, shares = zip(*attempts, strict=True)
            axes.plot(np.array(times, "datetime64[s]"), shares, "o-", color=plots.BLUE, linewidth=1, alpha=0.7)
        axes.set(title="Attempts over time", xlabel="date (UTC)", ylabel="% of the points", ylim=(0, 105))
    better = sum(attempts[-1][1] > attempts[0][1] for attempts in several)
    students = f"{len(several)} student{'' if len(several) == 1 else 's'} with several attempts"
    yield plots.svg(
        figure, "Attempts over time", f"{students}; {better} with more points in the last than in the first."
    )


def _attempt(report: Report) -> Attempt | None:
    """Return the attempt; None without a grade."""
    score = grade(report)
    if score is None:
        return None
    moment = datetime.fromisoformat(report.started).astimezone(UTC).replace(tzinfo=None)
    return moment, 100 * score.earned / measured(score)
