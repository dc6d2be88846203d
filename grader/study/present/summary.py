"""What `grade sweep` prints at its end: the speed of each kernel, and what failed."""

from __future__ import annotations

from itertools import groupby

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grader.model import Shape
from grader.study.measure.records import Row, Study
from grader.study.present import selection
from grader.study.present.tables import with_copies

MOST_FAILED = 12


def table(study: Study) -> RenderableType:
    """Return the kernels at the size at which they are compared, fastest first; then those that failed."""
    parts: list[RenderableType] = []
    shape = selection.compared(study)
    if shape is not None:
        parts.append(_speeds(study, shape))
    elif not study.machine.backend.capabilities.measures_speed:
        correct = [not row.reason for row in study.rows if row.subject == "kernel"]
        words = f"Correct: {sum(correct)} of {len(correct)}. Speed is not measured on the simulator."
        parts.append(Text(words, style="green" if all(correct) else "red"))
    return Group(*parts, *_failed(selection.failed(study)))


def _speeds(study: Study, shape: Shape) -> Table:
    grid = Table(box=box.SIMPLE_HEAD, header_style="bold", show_edge=False, pad_edge=False, title_justify="left")
    for name in (f"kernel at {shape}", "ms", "GFLOPS", "x naive", "% of cuBLAS", "with copies"):
        grid.add_column(name, justify="left" if name.startswith("kernel") else "right")
    here = [rows[shape] for rows in selection.measured(study).values() if shape in rows]
    for row in sorted(here, key=lambda row: selection.timing(row).seconds.median):
        grid.add_row(row.variant, *_cells(row))
    for subject in selection.BASELINES:
        if base := selection.baseline(study, subject).get(shape):
            # Without the processor that the library ran on: a cell of the table is narrow.
            library = ", ".join(base.implementation.split(", ")[:2])
            grid.add_row(f"{subject} ({library})" if library else subject, *_cells(base), style="dim")
    return grid


def _cells(row: Row) -> tuple[str, ...]:
    """Return milliseconds, GFLOPS, ratios, and GFLOPS with the copies; empty where not measured."""
    measurement, copies = selection.timing(row), with_copies(row)
    return (
        f"{1e3 * measurement.seconds.median:,.4g}",
        f"{measurement.gflops.median:,.0f}",
        f"{measurement.speedup.median:.2f}" if measurement.speedup else "",
        f"{100 * measurement.library_fraction.median:.1f}" if measurement.library_fraction else "",
        f"{copies:,.0f}" if copies else "",
    )


def _failed(failed: tuple[Row, ...]) -> list[Text]:
    """Return a line for each kernel and kind of failure."""
    lines = []
    for (variant, verdict), group in groupby(failed, lambda row: (row.variant, row.verdict)):
        rows = list(group)
        sizes = ", ".join(str(row.shape) for row in rows if row.shape)
        at = f" at {sizes}" if sizes else ""
        lines.append(Text(f"{variant}: {verdict.words}{at}. {rows[0].reason}", style="red"))
    rest = len(lines) - MOST_FAILED
    return [*lines[:MOST_FAILED], *([Text(f"… and {rest} more; sweep.csv lists all.")] if rest > 0 else [])]
