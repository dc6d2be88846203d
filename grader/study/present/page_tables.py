"""The tables of a write-up, as texts. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grader.model import Interval, Shape, Verdict
from grader.study.measure import roofline
from grader.study.measure.records import Row, Study
from grader.study.present import selection, tables
from grader.study.present.drawing import BASELINE_NAMES, MOST_KERNELS
from grader.study.present.roofline_figure import bandwidths
from grader.text.numbers import figures

DEVICE = {
    "MULTIPROCESSOR_COUNT": "multiprocessors",
    "TOTAL_MEMORY": "memory, MiB",
    "L2_CACHE_SIZE": "L2 cache, KiB",
    "MAX_SHARED_MEMORY_PER_BLOCK": "shared memory per block, KiB",
    "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN": "the same, when asked for, KiB",
    "MAX_SHARED_MEMORY_PER_MULTIPROCESSOR": "shared memory per multiprocessor, KiB",
    "MAX_REGISTERS_PER_BLOCK": "registers per block",
    "MAX_REGISTERS_PER_MULTIPROCESSOR": "registers per multiprocessor",
    "WARP_SIZE": "threads per warp",
    "MAX_THREADS_PER_BLOCK": "threads per block",
    "MAX_THREADS_PER_MULTIPROCESSOR": "threads per multiprocessor",
    "MAX_BLOCK_DIM_X": "block, x at most",
    "MAX_BLOCK_DIM_Y": "block, y at most",
    "MAX_BLOCK_DIM_Z": "block, z at most",
    "MAX_GRID_DIM_X": "grid, x at most",
    "MAX_GRID_DIM_Y": "grid, y at most",
    "MAX_GRID_DIM_Z": "grid, z at most",
    "CLOCK_RATE": "highest clock, MHz",
    "MEMORY_CLOCK_RATE": "memory clock, MHz",
    "GLOBAL_MEMORY_BUS_WIDTH": "memory bus, bits",
}
UNITS = {"MiB": 1 << 20, "KiB": 1 << 10, "MHz": 1000}


@dataclass(frozen=True, slots=True)
class Table:
    """A caption, names of columns, and lines of cells; the first `words` columns are words, the others numbers."""

    caption: str
    columns: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    words: int = 1


def page_tables(study: Study) -> Iterator[Table]:
    """Every table that has a line."""
    made = (_best, _over_size, _everything, _copies, _intensity, _roofline, _device, _failed, _versions)
    for table in (make(study) for make in made):
        if table.lines:
            yield table


def _best(study: Study) -> Table:
    """The fastest kernel of each size."""
    rows = [row for found in selection.measured(study).values() for row in found]
    lines = []
    for shape in selection.shapes(study):
        here = [row for row in rows if row.shape == shape]
        if here:
            row = max(here, key=lambda one: selection.timing(one).gflops.median)
            lines.append((_size(shape), row.variant, _block(row), *_speed(row)))
    return Table("Fastest at each size", ("size", "kernel", "block", *SPEED), tuple(lines), 3)


def _over_size(study: Study) -> Table:
    """GFLOPS of everything, a line for each size."""
    measured = selection.measured(study)
    kernels = {
        name: {row.shape: row for row in measured[name] if row.shape} for name in selection.shown(study, MOST_KERNELS)
    }
    columns = {BASELINE_NAMES[one]: selection.baseline(study, one) for one in ("blas", "cublas", "naive")}
    columns = {name: rows for name, rows in {**columns, **kernels}.items() if rows}
    lines = [
        (_size(shape), *(_number(_median(selection.speed(rows.get(shape)))) for rows in columns.values()))
        for shape in selection.shapes(study)
        if any(shape in rows for rows in columns.values())
    ]
    return Table("GFLOPS over the size", ("size", *columns), tuple(lines))


def _everything(study: Study) -> Table:
    lines = [
        (row.variant, _size(row.shape), _block(row), _tile(row), *_speed(row), _share(row, study), *_used(row))
        for rows in selection.measured(study).values()
        for row in rows
        if row.shape
    ]
    names = ("kernel", "size", "block", "tile", *SPEED, "% of peak", "registers", "shared, bytes", "occupancy, %")
    return Table("Every kernel at every size", names, tuple(lines), 4)


def _copies(study: Study) -> Table:
    lines = []
    for rows in selection.measured(study).values():
        for row in rows:
            if row.shape and (one := row.transfer):
                parts = (one.to_device, one.kernel, one.to_host, one.total)
                both = (_median(selection.speed(row)), tables.with_copies(row))
                lines.append((row.variant, _size(row.shape), *(_milliseconds(part) for part in parts),
                              *map(_number, both)))  # fmt: skip
    names = ("kernel", "size", "to the device, ms", "kernel, ms", "to the host, ms", "total, ms", "GFLOPS, kernel",
             "GFLOPS, total")  # fmt: skip
    return Table("With the copies between host and device", names, tuple(lines), 2)


def _intensity(study: Study) -> Table:
    """What each kernel computes for what it moves, where every block reads what its tile needs once."""
    right = [row for row in study.rows if row.subject == "kernel" and row.verdict is Verdict.OK and row.shape]
    shape = selection.usual({row.shape for row in right if row.shape})
    lines = []
    for row in right:
        if row.shape == shape and row.launch:
            at_most, by_tile = tables.intensities(row, study)
            per_word = by_tile * roofline.WORD if by_tile else None
            lines.append((row.variant, _tile(row), _number(by_tile), _number(per_word), _number(at_most)))
    names = ("kernel", "tile", "FLOP/byte, by its tile", "FLOP per word of 4 bytes", "FLOP/byte, at most")
    return Table(f"Arithmetic intensity at {shape}", names, tuple(lines), 2)


def _roofline(study: Study) -> Table:
    peak, lines = study.roof.peak_gflops, []
    for name, bandwidth in bandwidths(study.roof):
        corner = roofline.ridge(peak, bandwidth) if peak else None
        per_word = corner * roofline.WORD if corner else None
        lines.append((name, _number(peak), _number(bandwidth), _number(corner), _number(per_word)))
    names = ("bandwidth", "peak, GFLOPS", "GB/s", "ridge, FLOP/byte", "ridge, operations per word")
    return Table("Roof of the device", names, tuple(lines))


def _device(study: Study) -> Table:
    known = study.roof.attributes
    lines = [(words, _attribute(words, known[name])) for name, words in DEVICE.items() if name in known]
    if lines and (capability := study.machine.architecture.removeprefix("sm_")):
        lines.insert(0, ("compute capability", f"{capability[:-1]}.{capability[-1]}"))
    if {"MAX_THREADS_PER_MULTIPROCESSOR", "WARP_SIZE"} <= known.keys():
        warps = known["MAX_THREADS_PER_MULTIPROCESSOR"] // known["WARP_SIZE"]
        lines.append(("warps per multiprocessor", str(warps)))
    return Table(f"Device: {study.machine.device}", ("property", "value"), tuple(lines))


def _failed(study: Study) -> Table:
    lines = [
        (row.variant, _size(row.shape) if row.shape else "", row.verdict.words, row.reason)
        for row in selection.failed(study)
    ]
    return Table("Not measured", ("kernel", "size", "verdict", "why"), tuple(lines), 4)


def _versions(study: Study) -> Table:
    machine = study.machine
    blas = next((row.implementation for row in study.rows if row.subject == "blas"), "")
    found = {"system": machine.system, "device": machine.device, **machine.versions, "grader": study.grader_version,
             "BLAS": blas}  # fmt: skip
    return Table("Measured with", ("part", "version"), tuple((name, text) for name, text in found.items() if text), 2)


SPEED = ("ms", "GFLOPS", "± 95 %", "x naive", "% of cuBLAS")


def _speed(row: Row) -> tuple[str, ...]:
    found = selection.timing(row)
    half = (found.gflops.high - found.gflops.low) / 2
    fraction = _median(found.library_fraction)
    return (
        _milliseconds(found.seconds.median),
        _number(found.gflops.median),
        _number(half),
        _ratio(_median(found.speedup)),
        _number(None if fraction is None else 100 * fraction),
    )


def _used(row: Row) -> tuple[str, ...]:
    used = row.resources
    if used is None:
        return "", "", ""
    return str(used.registers), f"{used.static_shared + used.dynamic_shared:,}", f"{100 * used.occupancy:.0f}"


def _share(row: Row, study: Study) -> str:
    share = tables.fraction_of_peak(row, study)
    return "" if share is None else _number(100 * share)


def _size(shape: Shape) -> str:
    return str(shape).removeprefix("N=")


def _block(row: Row) -> str:
    """Its sides, without those of 1 at the end: 256, 16x16, 1x32."""
    sides = row.launch.block if row.launch else ()
    wide = max((number for number, side in enumerate(sides, 1) if side > 1), default=1)
    return "x".join(map(str, sides[:wide]))


def _tile(row: Row) -> str:
    return "x".join(map(str, row.launch.tile)) if row.launch else ""


def _attribute(words: str, value: int) -> str:
    unit = UNITS.get(words.rpartition(", ")[2], 1)
    return f"{value / unit:,.0f}"


def _median(found: Interval | None) -> float | None:
    return found.median if found else None


def _milliseconds(seconds: float) -> str:
    return f"{1e3 * seconds:,.4g}"


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _number(value: float | None) -> str:
    return "" if value is None else figures(value)
