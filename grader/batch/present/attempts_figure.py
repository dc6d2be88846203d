"""The points of all attempts over time, for the page of a class where students have several. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from grader.batch.present.student_summary import measured
from grader.model import Report
from grader.pages import plots
from grader.rubric.outcome import grade

SIZE = (5.0, 2.6)  # inches, the same as that of the distributions
DOT = 4.0  # points: width of a line of length 0, which is drawn as a dot
MOST_DRAWN = 2000  # attempts of all students, so that the page stays below 500 kB

Attempt = tuple[datetime, float]  # time of the grade in UTC, and the % of the points that could be measured


def attempts_figure(reports: Mapping[str, Sequence[Report]]) -> Iterator[str]:
    """Yield the figure as inline SVG if a student has two grades. `reports` are all reports by student."""
    graded = {student: [attempt for report in own if (attempt := _attempt(report))] for student, own in reports.items()}
    several = [sorted(attempts) for attempts in graded.values() if len(attempts) > 1]
    if not several:
        return
    with plots.style(), rc_context({"date.converter": "concise", "path.simplify": False}):
        figure = Figure(figsize=SIZE)
        axes = figure.subplots()
        drawn = [_thinned(attempts, max(2, MOST_DRAWN // len(several))) for attempts in several]
        _draw(axes, drawn, width=1, alpha=0.3)
        _draw(axes, [[attempt, attempt] for attempts in drawn for attempt in attempts], width=DOT, alpha=0.8)
        axes.set(title="Attempts over time", xlabel="date (UTC)", ylabel="% of the points", ylim=(0, 105))
    better = sum(attempts[-1][1] > attempts[0][1] for attempts in several)
    students = f"{len(several)} student{'' if len(several) == 1 else 's'} with several attempts"
    yield plots.svg(
        figure, "Attempts over time", f"{students}; {better} with more points in the last than in the first."
    )


def _draw(axes: Axes, lines: Sequence[Sequence[Attempt]], width: float, alpha: float) -> None:
    """Draw all lines as one path, because one path for each would make the page of a large class too large."""
    points = [point for line in lines for point in (*line, (None, None))]
    times, shares = zip(*points, strict=True)
    (path,) = axes.plot(np.array(times, "datetime64[s]"), np.array(shares, float), linewidth=width, alpha=alpha)
    path.set(color=plots.BLUE, solid_capstyle="round")


def _thinned(attempts: Sequence[Attempt], most: int) -> Sequence[Attempt]:
    """Return at most `most` attempts of a student, including the first and the last one."""
    places = np.linspace(0, len(attempts) - 1, min(most, len(attempts))).round().astype(int)
    return [attempts[place] for place in places]


def _attempt(report: Report) -> Attempt | None:
    """Return the time and the points of a report; None without a grade."""
    score = grade(report)
    if score is None:
        return None
    moment = datetime.fromisoformat(report.started).astimezone(UTC).replace(tzinfo=None)
    return moment, 100 * score.earned / measured(score)
