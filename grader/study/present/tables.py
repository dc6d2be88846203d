"""The tables of a study: sweep.csv, and what `grade sweep` prints at its end."""

from collections.abc import Iterable
from itertools import groupby

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grader.contract.layout import matrix_bytes
from grader.model import Interface, Shape
from grader.study.measure import roofline
from grader.study.measure.records import BLAS, Row, Study
from grader.study.present import selection
from grader.text import csv_cells
from grader.text.numbers import SPEED_COLUMNS, speed_cells
from grader.text.plain_table import numbers, plain_table

Cells = dict[str, object]  # texts and numbers; None where nothing was measured

SPEEDS = {"seconds": "seconds", "gflops": "gflops", "times_naive": "speedup", "fraction_of_cublas": "library_fraction"}
# Columns whose names could be those of a macro, which is then called `define_` with its name.
COLUMNS = frozenset(("subject", "file", "M", "N", "K", "block", "tile", "registers", "device", "verdict", "reason"))
MOST_FAILED = 12


def csv(study: Study) -> str:
    """Return the whole table, with a column for each macro after the file's."""
    macros = dict.fromkeys(name for row in study.rows for name in row.defines)
    lines = [_cells(row, study, macros) for row in study.rows]
    columns = dict.fromkeys(name for line in lines for name in line)
    return csv_cells.document([list(columns), *([_text(line.get(name)) for name in columns] for line in lines)])


def _cells(row: Row, study: Study, macros: Iterable[str]) -> Cells:
    shape, launch, used = row.shape, row.launch, row.resources
    at_most, by_tile = intensities(row, study)
    return {
        "subject": row.subject,
        "file": csv_cells.neutral(row.file),
        **{
            f"define_{name}" if name in COLUMNS else name: csv_cells.neutral(row.defines.get(name, ""))
            for name in macros
        },
        **{name: shape and getattr(shape, name) for name in ("M", "N", "K")},
        "block": launch and sides(launch.block),
        "tile": launch and sides(launch.tile),
        "registers": used and used.registers,
        "shared_bytes": used and used.static_shared + used.dynamic_shared,
        "occupancy": used and used.occupancy,
        **_speed(row),
        "fraction_of_peak": fraction_of_peak(row, study),
        **_copies(row),
        "flop_per_byte_at_most": at_most,
        "flop_per_byte_by_tile": by_tile,
        **_telemetry(row),
        "device": csv_cells.neutral(row.implementation if row.subject == BLAS else study.machine.device),
        "implementation": csv_cells.neutral(row.implementation),
        "verdict": row.verdict,
        "reason": csv_cells.neutral(row.reason),
    }


def sides(lengths: Iterable[int]) -> str:
    """Return the sides of a block or a tile, such as 16x16."""
    return "x".join(map(str, lengths))


def _speed(row: Row) -> Cells:
    intervals = {column: getattr(row.measurement, field, None) for column, field in SPEEDS.items()}
    return {
        f"{column}_{part}": getattr(interval, part, None)
        for column, interval in intervals.items()
        for part in ("median", "low", "high")
    } | {name: getattr(row.measurement, name, None) for name in ("rounds", "launches")}


def fraction_of_peak(row: Row, study: Study) -> float | None:
    """Return the share of the device's peak GFLOPS; None where that is unknown, and for BLAS on the processor."""
    peak = study.roof.peak_gflops
    if row.measurement is None or row.subject == BLAS or not peak:
        return None
    return row.measurement.gflops.median / peak


def _copies(row: Row) -> Cells:
    transfer = row.transfer
    return {
        "host_to_device_seconds": transfer and transfer.to_device,
        "kernel_seconds": transfer and transfer.kernel,
        "device_to_host_seconds": transfer and transfer.to_host,
        "total_seconds": transfer and transfer.total,
        "gflops_with_copies": with_copies(row),
    }


def with_copies(row: Row) -> float | None:
    """Return the GFLOPS when both inputs are copied to the device first, and the result back afterwards."""
    return row.shape.flops / row.transfer.total / 1e9 if row.shape and row.transfer else None


def intensities(row: Row, study: Study) -> tuple[float | None, float | None]:
    """Return FLOP per byte with the least traffic, and with the traffic of the launch's tile; None for BLAS."""
    if row.shape is None or row.subject == BLAS:
        return None, None
    a, b, c = study.types
    shape, types = row.shape, Interface("", (), type_a=a, type_b=b, type_c=c)  # as much as traffic depends on
    least = roofline.intensity(shape, matrix_bytes(shape, types))
    if row.launch is None:
        return least, None
    return least, roofline.intensity(shape, roofline.tile_traffic(shape, types, row.launch))


def _telemetry(row: Row) -> Cells:
    telemetry = row.measurement.telemetry if row.measurement else None
    return {
        **{name: telemetry and getattr(telemetry, name) for name in ("sm_mhz", "memory_mhz", "celsius")},
        "throttle": telemetry and "; ".join(telemetry.throttle),
    }


def _text(cell: object) -> str:
    """Write a float with nine digits: more than its precision, and enough to compute with."""
    return "" if cell is None else format(cell, ".9g") if isinstance(cell, float) else str(cell)


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
    grid = plain_table(f"kernel at {shape}", *numbers("ms", *SPEED_COLUMNS))
    here = [rows[shape] for rows in selection.measured(study).values() if shape in rows]
    for row in sorted(here, key=lambda row: selection.measurement(row).seconds.median):
        grid.add_row(row.variant, *_speed_cells(row))
    for subject in selection.BASELINES:
        if base := selection.baseline(study, subject).get(shape):
            # Without the processor that the library ran on: a cell of the table is narrow.
            library = ", ".join(base.implementation.split(", ")[:2])
            grid.add_row(f"{subject} ({library})" if library else subject, *_speed_cells(base), style="dim")
    return grid


def _speed_cells(row: Row) -> tuple[str, ...]:
    measurement = selection.measurement(row)
    return (f"{1e3 * measurement.seconds.median:,.4g}", *speed_cells(measurement))


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
