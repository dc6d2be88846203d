"""Which rows a table or a figure shows. Pure."""

from collections.abc import Collection, Sequence
from statistics import median_low

from grader.model import Measurement, Shape, Verdict
from grader.study.measure.records import BLAS, Row, Study

BASELINES = ("naive", "cublas", BLAS)
COMPARED = Shape(2048, 2048, 2048)  # the size at which write-ups compare kernels
ENOUGH = 3


def measured(study: Study) -> dict[str, dict[Shape, Row]]:
    """Return the measured rows of each variant by size, in the study's order."""
    rows: dict[str, dict[Shape, Row]] = {}
    for row in study.rows:
        if row.subject == "kernel" and row.measurement and row.shape:
            rows.setdefault(row.variant, {})[row.shape] = row
    return rows


def failed(study: Study) -> tuple[Row, ...]:
    """Return the rows that did not compile, were incorrect, or could not be timed."""
    return tuple(row for row in study.rows if row.verdict is not Verdict.OK)


def baseline(study: Study, subject: str) -> dict[Shape, Row]:
    """Return a baseline's row at each size: the one of median speed among those beside each of the variants."""
    rows: dict[Shape, dict[float, Row]] = {}
    for row in study.rows:
        if row.subject == subject and row.shape and row.measurement:
            rows.setdefault(row.shape, {})[row.measurement.gflops.median] = row
    return {shape: by_speed[median_low(by_speed)] for shape, by_speed in rows.items()}


def by_file(study: Study) -> dict[str, tuple[str, ...]]:
    """Return the measured variants of each file."""
    variants: dict[str, tuple[str, ...]] = {}
    for name, rows in measured(study).items():
        file = next(iter(rows.values())).file
        variants[file] = (*variants.get(file, ()), name)
    return variants


def shown(study: Study, most: int) -> tuple[str, ...]:
    """Return all variants where one figure can show them, and else the fastest of each file at the compared size.

    Of many files, those with the fastest variants are returned.
    """
    rows, shape = measured(study), compared(study)
    if len(rows) <= most:
        return tuple(rows)

    def speed(name: str) -> float:
        return measurement(rows[name][shape]).gflops.median if shape in rows[name] else 0.0

    best = [max(names, key=speed) for names in by_file(study).values()]
    kept = sorted(best, key=speed, reverse=True)[:most]
    return tuple(name for name in best if name in kept)


def compared(study: Study) -> Shape | None:
    """Return the size at which measured kernels are compared."""
    return usual({shape for rows in measured(study).values() for shape in rows})


def usual(shapes: Collection[Shape]) -> Shape | None:
    """Return N = 2048 where it is among the sizes, and else the largest; None without any."""
    return COMPARED if COMPARED in shapes else max(shapes, key=lambda shape: shape.flops, default=None)


def a_few(sizes: Sequence[Shape], most: int, preferred: Collection[Shape] = ()) -> tuple[Shape, ...]:
    """Return all sizes, or `most` of them at most: the first of these choices that is neither too small nor too large.

    The choices are the preferred sizes, these and the powers of two, the powers of two, and sizes at equal distances.
    """
    if len(sizes) <= most:
        return tuple(sizes)
    powers = [shape for shape in sizes if shape.M == shape.N == shape.K and shape.N.bit_count() == 1]
    for wanted in (preferred, {*preferred, *powers}, powers):
        few = tuple(shape for shape in sizes if shape in wanted)
        if ENOUGH <= len(few) <= most:
            return few
    return tuple(sizes[round(number * (len(sizes) - 1) / (most - 1))] for number in range(most))


def side(shape: Shape) -> float:
    """Return N of the square product that takes as many operations."""
    return float((shape.M * shape.N * shape.K) ** (1 / 3))


def measurement(row: Row) -> Measurement:
    """Return the measurement of a row that has one."""
    if row.measurement is None:
        raise ValueError(f"{row.variant} at {row.shape} was not measured")
    return row.measurement
