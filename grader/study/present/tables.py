"""A study as tidy CSV: a line for each subject at each size. What was not measured is an empty cell. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from grader.contract.layout import matrix_bytes
from grader.model import Interface, Interval
from grader.study.measure import roofline
from grader.study.measure.records import BLAS, Row, Study
from grader.text import csv_cells

Cells = dict[str, str]


def csv(study: Study) -> str:
    """The whole table, a column for each macro after the file's."""
    lines = [_cells(row, study) for row in study.rows]
    columns = dict.fromkeys(name for line in lines for name in line)
    return csv_cells.document([list(columns), *([line.get(name, "") for name in columns] for line in lines)])


def _cells(row: Row, study: Study) -> Cells:
    shape, machine = row.shape, study.machine
    return {
        "subject": row.subject,
        "file": csv_cells.neutral(row.file),
        **{_column(name): csv_cells.neutral(row.defines.get(name, "")) for name in _macros(study)},
        **{name: str(getattr(shape, name)) if shape else "" for name in ("M", "N", "K")},
        **_launch(row),
        **_speed(row),
        "fraction_of_peak": _number(fraction_of_peak(row, study)),
        **_copies(row),
        **_intensity(row, study),
        **_telemetry(row),
        "device": csv_cells.neutral(row.implementation if row.subject == BLAS else machine.device),
        "implementation": csv_cells.neutral(row.implementation),
        "verdict": row.verdict,
        "reason": csv_cells.neutral(row.reason),
    }


def interface(study: Study) -> Interface:
    """As much of the lab's interface as traffic depends on."""
    a, b, c = study.types
    return Interface("", (), a, b, c)


def _macros(study: Study) -> list[str]:
    return list(dict.fromkeys(name for row in study.rows for name in row.defines))


def _column(macro: str) -> str:
    """The macro's own name, but for one that is a column already."""
    return f"define_{macro}" if macro in COLUMNS else macro


def _launch(row: Row) -> Cells:
    launch, used = row.launch, row.resources
    return {
        "block": "x".join(map(str, launch.block)) if launch else "",
        "tile": "x".join(map(str, launch.tile)) if launch else "",
        "registers": str(used.registers) if used else "",
        "shared_bytes": str(used.static_shared + used.dynamic_shared) if used else "",
        "occupancy": _number(used.occupancy if used else None),
    }


def _speed(row: Row) -> Cells:
    found = row.measurement
    return {
        **_interval("seconds", found.seconds if found else None),
        **_interval("gflops", found.gflops if found else None),
        **_interval("times_naive", found.speedup if found else None),
        **_interval("fraction_of_cublas", found.library_fraction if found else None),
        "rounds": str(found.rounds) if found else "",
        "launches": str(found.launches) if found else "",
    }


def fraction_of_peak(row: Row, study: Study) -> float | None:
    """Of the GFLOPS that the device has at most; None where those are unknown, and on the processor."""
    peak = study.roof.peak_gflops
    if row.measurement is None or row.subject == BLAS or not peak:
        return None
    return row.measurement.gflops.median / peak


def _copies(row: Row) -> Cells:
    one = row.transfer
    return {
        "host_to_device_seconds": _number(one.to_device if one else None),
        "kernel_seconds": _number(one.kernel if one else None),
        "device_to_host_seconds": _number(one.to_host if one else None),
        "total_seconds": _number(one.total if one else None),
        "gflops_with_copies": _number(with_copies(row)),
    }


def with_copies(row: Row) -> float | None:
    """GFLOPS when both inputs are copied to the device first, and the result back afterwards."""
    return row.shape.flops / row.transfer.total / 1e9 if row.shape and row.transfer else None


def _intensity(row: Row, study: Study) -> Cells:
    least, tiled = intensities(row, study)
    return {"flop_per_byte_at_most": _number(least), "flop_per_byte_by_tile": _number(tiled)}


def intensities(row: Row, study: Study) -> tuple[float | None, float | None]:
    """FLOP per byte with the least traffic, and with the traffic of the launch's tile; None on the processor."""
    if row.shape is None or row.subject == BLAS:
        return None, None
    shape, types = row.shape, interface(study)
    least = roofline.intensity(shape, matrix_bytes(shape, types))
    if row.launch is None:
        return least, None
    return least, roofline.intensity(shape, roofline.tile_traffic(shape, types, row.launch))


def _telemetry(row: Row) -> Cells:
    seen = row.measurement.telemetry if row.measurement else None
    return {
        "sm_mhz": str(seen.sm_mhz) if seen else "",
        "memory_mhz": str(seen.memory_mhz) if seen else "",
        "celsius": str(seen.celsius) if seen else "",
        "throttle": "; ".join(seen.throttle) if seen else "",
    }


def _interval(name: str, found: Interval | None) -> Mapping[str, str]:
    values = (found.median, found.low, found.high) if found else (None, None, None)
    return {f"{name}_{part}": _number(value) for part, value in zip(("median", "low", "high"), values, strict=True)}


def _number(value: float | None) -> str:
    """Nine digits: more than any of it is known to, and enough to compute with."""
    return "" if value is None else format(value, ".9g")


COLUMNS = frozenset(
    ("subject", "file", "M", "N", "K", "block", "tile", "registers", "device", "verdict", "reason")
)  # those that could be the name of somebody's macro
