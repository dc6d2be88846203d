"""The points that a submission has not earned yet, and what earns the next ones. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from grader.model import Criterion, Report, Shape, Verdict
from grader.rubric.criteria import COMPILES, DEFINED, KINDS, Quantity
from grader.rubric.rounding import rounded
from grader.rubric.score import is_full, share, undefined_behaviour

MOST_SIZES = 4
LEAST = 0.005  # points: less would be shown as 0.0


@dataclass(frozen=True, slots=True)
class NextPoints:
    """The points that one step earns; `how` is the step as a sentence."""

    title: str
    points: float
    how: str


def next_points(report: Report) -> Iterator[NextPoints]:
    """Yield the next step of each criterion that lacks points and depends on no other one that does."""
    scores = {score.id: score for score in report.score.criteria} if report.score else {}
    open_ = {id_ for id_, score in scores.items() if score.earned is not None and not is_full(score)}
    for criterion in report.rubric.criteria:
        if criterion.id in open_ and open_.isdisjoint(criterion.requires):
            missing = criterion.points - (scores[criterion.id].earned or 0.0)
            waiting = [
                dependent.title
                for dependent in report.rubric.criteria
                if criterion.id in dependent.requires and dependent.id in open_
            ]
            for points, how in _step(report, criterion, missing):
                yield NextPoints(criterion.title, rounded(points), how + _opens(waiting))


def _step(report: Report, criterion: Criterion, missing: float) -> Iterator[tuple[float, str]]:
    """Yield the points of the next step and its sentence; nothing where no step is known."""
    quantity = KINDS[criterion.kind].quantity
    if KINDS[criterion.kind] is COMPILES:
        yield missing, "submit a file that compiles."
    elif KINDS[criterion.kind] is DEFINED:
        found = undefined_behaviour(report)
        yield missing, f"remove the {found}." if found else "submit a kernel that runs."
    elif quantity is None:
        wrong = [shape for shape in criterion.sizes if not _is_correct(report, shape)]
        yield missing, f"compute the correct C at {_some(wrong)}."
    else:
        steps = (_faster(report, criterion, quantity, shape) for shape in criterion.sizes)
        if best := max((step for step in steps if step and step[0] >= LEAST), default=None):
            yield best


def _is_correct(report: Report, shape: Shape) -> bool:
    verdicts = {result.verdict for result in report.results if result.case.shape == shape}
    return verdicts == {Verdict.OK}


def _faster(report: Report, criterion: Criterion, quantity: Quantity, shape: Shape) -> tuple[float, str] | None:
    """Return the points of the next knot of the curve at a size, and the speed that earns them; None at the last."""
    measurement = report.speeds.get(shape)
    interval = measurement and quantity.value(measurement, report.machine, report.rubric.interface)
    if not interval:
        return None
    reached = share(criterion.curve, interval.median)
    for value, part in criterion.curve:
        if value > interval.median and part > reached:
            points = criterion.points * (part - reached) / len(criterion.sizes)
            now, then = quantity.text.format(interval.median), quantity.text.format(value)
            return points, f"reach {then} at {shape}; now it is {now}."
    return None


def _opens(waiting: list[str]) -> str:
    """Return the sentence that names the criteria which count afterwards; empty without any."""
    if not waiting:
        return ""
    names = [f"“{title}”" for title in waiting]
    listed = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    return f" Then {listed} {'counts' if len(names) == 1 else 'count'} as well."


def _some(shapes: list[Shape]) -> str:
    names = [str(shape) for shape in shapes[:MOST_SIZES]]
    rest = len(shapes) - len(names)
    return ", ".join(names) + (f" and {rest} more size{'' if rest == 1 else 's'}" if rest else "")
