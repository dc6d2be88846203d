"""Figures for the page of a class: histograms of points and of speeds, points over speed, and attempts over time."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from math import isfinite
from statistics import median

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

from grader.batch.present.student_summary import StudentResult, comparable, students
from grader.model import Report
from grader.pages import plots
from grader.report.html.figures import NAMES
from grader.rubric.outcome import grade
from grader.rubric.rounding import difference

SIZE = (5.0, 2.6)  # inches; the page scales it to the width of a column
BINS = 10
DOT = 4.0  # points: width of a line of length 0, which is drawn as a dot
MOST_DRAWN = 2000  # attempts of all students, so that the page stays below 500 kB

Dot = tuple[datetime, float]  # time of the grade in UTC, and the % of the points that could be measured


def figures(rows: Sequence[StudentResult]) -> list[str]:
    """Return each figure as inline SVG; none if there are no values."""
    shares = [100 * score.earned / score.measured for score in comparable(line.score for line in rows if line.score)]
    speeds = [speed for line in rows if (speed := _speed(line)) is not None]
    baselines = _baselines(rows)
    return [*_points(shares), *_speeds(speeds, baselines), *_points_over_speed(rows, baselines)]


def _share(line: StudentResult) -> float | None:
    """Return the share of the measurable points, in %; None if no points were measurable."""
    score = line.score
    return 100 * score.earned / score.measured if score and score.measured > 0 else None


def _speed(line: StudentResult) -> float | None:
    """Return the speed in GFLOPS; None if a logarithmic axis cannot show it."""
    return line.gflops if line.gflops and isfinite(line.gflops) and line.gflops > 0 else None


def _empty() -> tuple[Figure, Axes]:
    """Return a figure with fixed margins, because fitting them to the labels would take half of the time of drawing."""
    figure = Figure(figsize=SIZE)
    figure.set_layout_engine("none")
    return figure, figure.add_axes((0.11, 0.18, 0.855, 0.73))


def _points(shares: Sequence[float]) -> Iterator[str]:
    if not shares:
        return
    with plots.style():
        figure, axes = _empty()
        axes.hist(shares, np.linspace(0, 100, BINS + 1).tolist(), color=plots.BLUE, rwidth=0.94)
        axes.set(title="Points", xlabel="% of the points", xlim=(0, 100))
        _count_students(axes)
    said = f"{students(len(shares))}; the median is {median(shares):.0f} % of the points."
    yield plots.svg(figure, "Distribution of points", said)


def _speeds(speeds: Sequence[float], baselines: Mapping[str, float]) -> Iterator[str]:
    """Draw the histogram of speeds, on a logarithmic axis because ratios of speeds matter."""
    if not speeds:
        return
    everything = [*speeds, *baselines.values()]
    low, high = min(everything) / 1.25, max(everything) * 1.25
    with plots.style():
        figure, axes = _empty()
        axes.hist(speeds, np.geomspace(low, high, 2 * BINS + 1).tolist(), color=plots.GREEN, rwidth=0.94)
        axes.set(title="Speed at the largest size", xlabel="GFLOPS")
        axes.margins(y=0.25)  # room for the baselines' names
        _speeds_along(axes, low, high, baselines)
        _count_students(axes)
    said = f"{students(len(speeds))}; the median is {median(speeds):,.0f} GFLOPS."
    marks = "".join(f" The {name} has {speed:.0f}." for name, speed in baselines.items())
    yield plots.svg(figure, "Distribution of speed", said + marks)


def _points_over_speed(lines: Sequence[StudentResult], baselines: Mapping[str, float]) -> Iterator[str]:
    """Draw a dot for each student with a speed; nothing for fewer than two students."""
    dots = [(speed, share) for line in lines if (speed := _speed(line)) and (share := _share(line)) is not None]
    if len(dots) < 2:  # noqa: PLR2004 - one dot shows no relation
        return
    speeds, shares = zip(*dots, strict=True)
    everything = [*speeds, *baselines.values()]
    low, high = min(everything) / 1.25, max(everything) * 1.25
    with plots.style():
        figure, axes = _empty()
        axes.plot(speeds, shares, "o", color=plots.BLUE, alpha=0.85, markeredgewidth=0)
        axes.set(title="Points over speed", xlabel="GFLOPS at the largest size", ylabel="% of the points")
        axes.set(ylim=(0, 105))
        _speeds_along(axes, low, high, baselines, at=0.08)
    said = f"{students(len(speeds))}, from {min(speeds):,.0f} to {max(speeds):,.0f} GFLOPS."
    yield plots.svg(figure, "Points over speed", said)


def _speeds_along(axes: Axes, low: float, high: float, baselines: Mapping[str, float], at: float = 1.0) -> None:
    """Label the axis of speeds with 1, 2, 5, 10, …, and draw each baseline, named on the side that has room."""
    axes.set(xscale="log", xlim=(low, high))
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _place: f"{value:,.10g}"))
    axes.xaxis.set_minor_locator(NullLocator())
    for name, speed in baselines.items():
        axes.axvline(speed, color=plots.INK, linestyle="--", linewidth=1)
        aside, side = (-4, "right") if speed > (low * high) ** 0.5 else (4, "left")
        axes.annotate(name, (speed, at), (aside, 0), ("data", "axes fraction"), "offset points", ha=side, va="top")


def _count_students(axes: Axes) -> None:
    axes.set_ylabel("students")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(visible=False, axis="x")


def _baselines(rows: Sequence[StudentResult]) -> dict[str, float]:
    """Return the median GFLOPS of each baseline at the largest size, over all reports of the class."""
    speeds: dict[str, list[float]] = {}
    for report in (row.report for row in rows if row.report is not None):
        largest = report.rubric.largest_timed
        for name, title in NAMES.items():
            medians = [
                measurement.gflops.median
                for measurement in report.baselines.get(name, ())
                if measurement.shape == largest
            ]
            speeds.setdefault(title, []).extend(speed for speed in medians if isfinite(speed) and speed > 0)
    return {title: median(medians) for title, medians in speeds.items() if medians}


def attempts_figure(rows: Sequence[StudentResult]) -> Iterator[str]:
    """Yield the figure as inline SVG if a student has two grades."""
    reports = ([*row.earlier, *([row.report] if row.report else [])] for row in rows)
    graded = ([attempt for report in _compared(own) if (attempt := _attempt(report))] for own in reports if own)
    several = [sorted(attempts) for attempts in graded if len(attempts) > 1]
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
    said = f"{students(len(several))} with several attempts; {better} with more points in the last than in the first."
    yield plots.svg(figure, "Attempts over time", said)


def _compared(reports: Sequence[Report]) -> Sequence[Report]:
    """Return the reports of a student whose points compare with those of the last one."""
    last = max(reports, key=lambda report: datetime.fromisoformat(report.started))
    return [report for report in reports if not difference((report, last))]


def _draw(axes: Axes, lines: Sequence[Sequence[Dot]], width: float, alpha: float) -> None:
    """Draw all lines as one path, because one path for each would make the page of a large class too large."""
    points = [point for line in lines for point in (*line, (None, None))]
    times, shares = zip(*points, strict=True)
    (path,) = axes.plot(np.array(times, "datetime64[s]"), np.array(shares, float), linewidth=width, alpha=alpha)
    path.set(color=plots.BLUE, solid_capstyle="round")


def _thinned(attempts: Sequence[Dot], most: int) -> Sequence[Dot]:
    """Return at most `most` attempts of a student, including the first and the last one."""
    places = np.linspace(0, len(attempts) - 1, min(most, len(attempts))).round().astype(int)
    return [attempts[place] for place in places]


def _attempt(report: Report) -> Dot | None:
    """Return the time and the points of a report; None without a grade."""
    score = grade(report)
    if score is None:
        return None
    moment = datetime.fromisoformat(report.started).astimezone(UTC).replace(tzinfo=None)
    return moment, 100 * score.earned / score.measured
