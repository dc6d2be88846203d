"""What changed from one attempt of a student to the next: verdicts by size, points and speeds. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from grader.model import CaseResult, Report
from grader.model.answers import by_size
from grader.model.verdicts import words_of
from grader.rubric.outcome import grade
from grader.rubric.rounding import difference, rounded, shown


def changes(before: Report, after: Report) -> tuple[str, ...]:
    """Return a sentence for each change; a single one if nothing changed."""
    return (*verdict_changes(before, after), *_points(before, after), *_speeds(before, after)) or (
        "The verdicts, points and speeds are the same.",
    )


def verdict_changes(before: Report, after: Report) -> Iterator[str]:
    """Yield one sentence for the file if either attempt did not run at all, or else one for each size."""
    if before.fault or after.fault:
        was, now = (report.fault.verdict.words if report.fault else "it runs" for report in (before, after))
        if was != now:
            yield f"The file: {was}, now {now}."
        return
    earlier, later = by_size(before.results), by_size(after.results)
    for shape in {**earlier, **later}:
        was, now = (_words(sizes.get(shape, ())) for sizes in (earlier, later))
        if was != now:
            yield f"{shape}: {was}, now {now}."


def _words(results: Collection[CaseResult]) -> str:
    return words_of(result.verdict for result in results) if results else "not checked"


def _points(before: Report, after: Report) -> Iterator[str]:
    was, now = points_words(before), points_words(after)
    if what := difference((before, after)):
        yield f"The {what} has changed, so these points do not compare: {was}, now {now}."
    elif was != now:
        yield f"Points: {was}, now {now}."


def points_words(report: Report) -> str:
    """Return the points out of those that could be measured, or that there is no grade."""
    score = grade(report)
    return f"{rounded(score.earned)} of {shown(score.measured)}" if score else "no grade"


def _speeds(before: Report, after: Report) -> Iterator[str]:
    """Yield the sizes whose speeds differ by more than their 95 % intervals."""
    for measurement in after.measurements:
        was = before.speeds.get(measurement.shape)
        now = measurement.gflops
        if was is None or was.gflops.is_apart(now):
            then = f"{was.gflops.median:,.0f} GFLOPS" if was else "not timed"
            yield f"{measurement.shape}: {then}, now {now.median:,.0f} GFLOPS."
