"""What changed between two reports: speed, counters, resources and points. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from grader.advice.profiling import counted
from grader.model import Advice, Counters, Measurement, Report, Score, State
from grader.rubric.rounding import rounded, shown

SAME = "no difference that the intervals show"


@dataclass(frozen=True, slots=True)
class Change:
    """One quantity of both reports. For a measured quantity, `verdict` says whether the difference is real."""

    quantity: str
    before: str
    after: str
    verdict: str = ""


def why_no_speed(before: Report, after: Report) -> str:
    """Return why no speeds are compared; empty where some are."""
    reasons = {place: _why_not_timed(report) for place, report in (("Before", before), ("After", after))}
    told = [f"{place}: not measured, because {why}." for place, why in reasons.items() if why]
    if not told and before.speeds.keys() & after.speeds.keys():
        return ""
    return " ".join(("Speed is not compared.", *(told or ["No size was timed both before and after."])))


def _why_not_timed(report: Report) -> str:
    """Return why a report has no speeds; empty where it has some."""
    if report.measurements:
        return ""
    if report.state is not State.FINISHED:
        return "the grade did not finish"
    if not report.rubric.timed_sizes:
        return "the lab times nothing"
    if not report.machine.backend.capabilities.measures_speed:
        return "that needs a GPU"
    return "only correct kernels are timed"


def changes(before: Report, after: Report) -> Iterator[Change]:
    """Yield the changes: points first, then speeds, resources, counters and the first advice."""
    if before.score and after.score:
        yield _points(before.score, after.score)
    for shape, measurement in after.speeds.items():
        if shape in before.speeds:
            yield _speed(before.speeds[shape], measurement)
    if before.counters and after.counters:
        yield from _counted(before.counters, after.counters)
    if before.advice and after.advice:
        yield Change("first advice", _advice(before.advice), _advice(after.advice))


def _points(before: Score, after: Score) -> Change:
    """Compare the points, where both grades measured as many of them."""
    gained = rounded(rounded(after.earned) - rounded(before.earned))
    first, second = (f"{rounded(score.earned)} / {shown(score.measured)}" for score in (before, after))
    return Change("points", first, second, f"{gained:+}" if before.measured == after.measured and gained else "")


def _speed(before: Measurement, after: Measurement) -> Change:
    """Compare two times of a launch; the ratio's interval is the widest that both intervals allow."""
    low, high = before.seconds.low / after.seconds.high, before.seconds.high / after.seconds.low
    ratio = before.seconds.median / after.seconds.median
    verdict = f"{ratio:.2f} times as fast ({low:.2f} to {high:.2f})"
    return Change(
        f"us at {after.shape}",
        f"{before.seconds.median * 1e6:,.1f}",
        f"{after.seconds.median * 1e6:,.1f}",
        verdict if before.seconds.is_apart(after.seconds) else SAME,
    )


def _counted(before: Counters, after: Counters) -> Iterator[Change]:
    if before.shape != after.shape:
        return
    first, second = counted(before), counted(after)
    for name in first:
        if first[name] or second[name]:
            yield _number(f"{name} at {after.shape}", first[name], second[name])
    for name in ("multiply_adds", "barriers", "registers", "spilled", "shared_bytes"):
        yield _number(name.replace("_", " "), getattr(before, name), getattr(after, name))
    if before.tensor_products or after.tensor_products:
        yield _number("multiply-adds of tensor cores", before.tensor_products, after.tensor_products)


def _number(quantity: str, before: float, after: float) -> Change:
    change = f"{after / before - 1:+.1%}" if before and before != after else ""
    return Change(quantity, f"{before:,.15g}", f"{after:,.15g}", change)


def _advice(advice: Advice) -> str:
    return advice.items[0].name if advice.items else "none"
