"""What `grade sweep` leaves on the terminal: the best of each kernel, and what went wrong."""

from __future__ import annotations

from itertools import groupby

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grader.study.measure.records import Row, Study
from grader.study.present import selection

MOST_FAILED = 12


def table(study: Study) -> RenderableType:
    """Kernels at the size at which they are compared, fastest first; then those that failed."""
    parts: list[RenderableType] = []
    shape = selection.compared(study)
    if shape is not None:
        parts.append(_speeds(study))
    elif not study.machine.backend.capabilities.measures_speed:
        right = [row for row in study.rows if row.subject == "kernel" and not row.reason]
        parts.append(
            Text(
                f"Right at {len(right)} point{'' if len(right) == 1 else 's'}. Speed is not measured on the simulator.",
                style="green",
            )
        )
    parts += _failed(selection.failed(study))
    return Group(*parts)


def _speeds(study: Study) -> Table:
    shape = selection.compared(study)
    found = Table(box=box.SIMPLE_HEAD, header_style="bold", show_edge=False, pad_edge=False, title_justify="left")
    for name in (f"kernel at {shape}", "ms", "GFLOPS", "x naive", "% of cuBLAS", "with copies"):
        found.add_column(name, justify="left" if name.startswith("kernel") else "right")
    rows = [row for rows in selection.measured(study).values() if (row := selection.at(rows, shape))]
    for row in sorted(rows, key=lambda row: selection.timing(row).seconds.median):
        found.add_row(*cells(row))
    for subject in selection.BASELINES:
        if shape and (base := selection.baseline(study, subject).get(shape)):
            label = f"{subject} ({_briefly(base.implementation)})" if base.implementation else subject
            found.add_row(*(Text(cell, style="dim") for cell in (label, *cells(base)[1:])))
    return found


def _briefly(implementation: str) -> str:
    """The library with its threads, without the processor that it runs on: a table's cell is narrow."""
    return ", ".join(implementation.split(", ")[:2])


def cells(row: Row) -> tuple[str, ...]:
    """Name, milliseconds, GFLOPS, ratios, GFLOPS with the copies; empty where not measured."""
    one, copies = selection.timing(row), row.transfer
    return (
        row.variant,
        f"{1e3 * one.seconds.median:,.4g}",
        f"{one.gflops.median:,.0f}",
        f"{one.speedup.median:.2f}" if one.speedup else "",
        f"{100 * one.library_fraction.median:.1f}" if one.library_fraction else "",
        f"{one.shape.flops / copies.total / 1e9:,.0f}" if copies else "",
    )


def _failed(rows: tuple[Row, ...]) -> list[RenderableType]:
    """A line for each kernel and kind of failure."""
    lines = []
    for (variant, verdict), found in groupby(rows, lambda row: (row.variant, row.verdict)):
        some = list(found)
        sizes = ", ".join(str(row.shape) for row in some if row.shape)
        at = f" at {sizes}" if sizes else ""
        lines.append(Text(f"{variant}: {verdict.words}{at}. {some[0].reason}", style="red"))
    rest = len(lines) - MOST_FAILED
    return [*lines[:MOST_FAILED], *([Text(f"… and {rest} more; sweep.csv has all.")] if rest > 0 else [])]
