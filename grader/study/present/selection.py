"""Which rows a table or a figure shows. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from statistics import median_low

from grader.model import Interval, Measurement, Shape, Verdict
from grader.study.measure.records import BLAS, Row, Study

BASELINES = ("naive", "cublas", BLAS)
COMPARED = 2048  # the size at which write-ups compare kernels
ENOUGH = 3


def measured(study: Study) -> dict[str, tuple[Row, ...]]:
    """The measured rows of each variant, in the study's order."""
    found: dict[str, list[Row]] = {}
    for row in study.rows:
        if row.subject == "kernel" and row.measurement:
            found.setdefault(row.variant, []).append(row)
    return {name: tuple(rows) for name, rows in found.items()}


def failed(study: Study) -> tuple[Row, ...]:
    """What did not compile, was wrong, or could not be timed."""
    return tuple(row for row in study.rows if row.verdict is not Verdict.OK)


def shapes(study: Study) -> tuple[Shape, ...]:
    """Every size with a result."""
    return tuple(dict.fromkeys(row.shape for row in study.rows if row.shape))


def baseline(study: Study, subject: str) -> dict[Shape, Row]:
    """A baseline's row at each size: the middle one of those beside each of the variants."""
    rows: dict[Shape, dict[float, Row]] = {}
    for row in study.rows:
        if row.subject == subject and row.shape and row.measurement:
            rows.setdefault(row.shape, {})[row.measurement.gflops.median] = row
    return {shape: found[median_low(found)] for shape, found in rows.items()}


def by_file(study: Study) -> dict[str, tuple[str, ...]]:
    """The measured variants of each file."""
    found: dict[str, list[str]] = {}
    for name, rows in measured(study).items():
        found.setdefault(rows[0].file, []).append(name)
    return {file: tuple(names) for file, names in found.items()}


def best_of_each_file(study: Study, most: int) -> tuple[str, ...]:
    """The fastest variant of each file at the compared size; of many files, the fastest."""
    rows, at = measured(study), compared(study)
    best = [max(names, key=lambda name: _speed(rows[name], at)) for names in by_file(study).values()]
    kept = sorted(best, key=lambda name: _speed(rows[name], at), reverse=True)[:most]
    return tuple(name for name in best if name in kept)


def shown(study: Study, most: int) -> tuple[str, ...]:
    """All variants where they can be told apart in one figure, and the best of each file otherwise."""
    names = tuple(measured(study))
    return names if len(names) <= most else best_of_each_file(study, most)


def compared(study: Study) -> Shape | None:
    """The size at which measured kernels are compared."""
    return usual({row.shape for rows in measured(study).values() for row in rows if row.shape})


def usual(found: Collection[Shape]) -> Shape | None:
    """N = 2048 where it is one of them, and the largest otherwise."""
    wanted = Shape(COMPARED, COMPARED, COMPARED)
    return wanted if wanted in found else max(found, key=lambda shape: shape.flops, default=None)


def a_few(sizes: Sequence[Shape], most: int, asked: Collection[Shape] = ()) -> tuple[Shape, ...]:
    """At most so many sizes. Of many: those that are `asked` for, with powers of two where they are few.

    Else the powers of two, and where those are few or too many as well, some that are spread evenly.
    """
    if len(sizes) <= most:
        return tuple(sizes)
    powers = [one for one in sizes if one.M == one.N == one.K and one.N.bit_count() == 1]
    for wanted in (asked, {*asked, *powers}, powers):
        found = tuple(one for one in sizes if one in wanted)
        if ENOUGH <= len(found) <= most:
            return found
    return tuple(sizes[round(number * (len(sizes) - 1) / (most - 1))] for number in range(most))


def at(rows: Sequence[Row], shape: Shape | None) -> Row | None:
    """The row of a size."""
    return next((row for row in rows if row.shape == shape), None)


def speed(row: Row | None) -> Interval | None:
    """GFLOPS, where they were measured."""
    return row.measurement.gflops if row and row.measurement else None


def side(shape: Shape) -> float:
    """N of the square product that takes as many operations."""
    return float((shape.M * shape.N * shape.K) ** (1 / 3))


def timing(row: Row) -> Measurement:
    """The measurement of a row that has one."""
    if row.measurement is None:
        raise ValueError(f"{row.variant} at {row.shape} was not measured")
    return row.measurement


def _speed(rows: Sequence[Row], shape: Shape | None) -> float:
    found = speed(at(rows, shape))
    return found.median if found else 0.0
