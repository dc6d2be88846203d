"""How far a study is, in points and in minutes. Pure."""

from dataclasses import dataclass

from grader.model import Shape, Verdict
from grader.study.measure.planning import StudyPlan
from grader.study.measure.records import BLAS
from grader.study.measure.sweep import Point
from grader.text.numbers import duration, speed_in_words

UNIT = 3 * 2048 * 2048  # elements: drawing and copying so many takes about as long as the rounds of one size


@dataclass(slots=True)
class Progress:
    """Points that are done, out of how many, and their cost. What was kept from an earlier run cost nothing."""

    points: int
    cost: float
    done: int = 0
    spent: float = 0.0
    seen: float = 0.0

    def take(self, point: Point, shapes: tuple[Shape, ...]) -> None:
        """Count a point; a variant that does not compile ends all of its sizes."""
        ended = (point.shape,) if point.shape else shapes
        self.done += len(ended)
        self.seen += sum(map(cost, ended))
        if point.shape and not point.kept:
            self.spent += cost(point.shape)

    def left(self, elapsed: float) -> str:
        """How long the rest will take; empty when that is not known, or nothing is left."""
        is_known = self.spent and self.done < self.points
        return f"{duration(elapsed / self.spent * max(0.0, self.cost - self.seen))} left" if is_known else ""


def begin(plan: StudyPlan) -> Progress:
    """Return the progress of a plan of which nothing is measured yet."""
    rounds = plan.points // len(plan.shapes)
    return Progress(plan.points, rounds * sum(map(cost, plan.shapes)))


def cost(shape: Shape) -> float:
    """What a size takes, in rounds of a small one: the rounds, and the work on its elements."""
    return 1 + (shape.M * shape.K + shape.K * shape.N + shape.M * shape.N) / UNIT


def line(point: Point, progress: Progress, elapsed: float) -> str:
    """What was just measured, and how long the rest will take."""
    ending = progress.left(elapsed)
    return f"[{progress.done}/{progress.points}] {words(point)}{ending and f'; {ending}'}"


def words(point: Point) -> str:
    """What was just measured."""
    return f"{point.name}{f' at {point.shape}' if point.shape else ''}: {_words(point)}"


def _words(point: Point) -> str:
    row = point.rows[0]
    if row.verdict is not Verdict.OK:
        return f"{row.verdict.words}. {row.reason}"
    if row.measurement is None:
        return "correct"
    speed = speed_in_words(row.measurement)
    return f"{speed}, {row.implementation}" if point.name == BLAS else speed
