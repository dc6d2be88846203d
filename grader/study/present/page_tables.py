"""The tables of a write-up, as texts. Pure."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from grader.model import Interval, Shape, Verdict
from grader.study.measure import roofline
from grader.study.measure.records import Row, Study
from grader.study.present import selection, tables
from grader.study.present.drawing import BASELINE_NAMES, MOST_KERNELS
from grader.study.present.roofline_figure import bandwidths
from grader.text.numbers import three_digits_with_zeros

DEVICE = {
    "MULTIPROCESSOR_COUNT": "multiprocessors",
    "TOTAL_MEMORY": "memory, MiB",
    "L2_CACHE_SIZE": "L2 cache, KiB",
    "MAX_SHARED_MEMORY_PER_BLOCK": "shared memory per block, KiB",
    "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN": "shared memory per block, opt-in, KiB",
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
EVERY = 1000  # columns: more than any table has
UNITS = {"MiB": 1 << 20, "KiB": 1 << 10, "MHz": 1000}
FAILED = "Failed or not supported"

Line = dict[str, str]  # cells by the names of their columns


@dataclass(frozen=True, slots=True)
class Table:
    """A caption, names of columns, and lines of cells; the first `words` columns are words, the others numbers."""

    caption: str
    columns: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    words: int = 1


def page_tables(study: Study) -> Iterator[Table]:
    """Yield every table that has a line."""
    shape = selection.usual({row.shape for row in _checked(study) if row.shape})
    made: tuple[tuple[str, int, Callable[[Study], Iterable[Line]]], ...] = (
        ("Not measured" if study.machine.backend.capabilities.measures_speed else FAILED, 4, _failed),
        ("Verdict at each size", EVERY, _verdicts),
        ("Fastest at each size", 3, _fastest),
        ("GFLOPS over the size", 1, _over_size),
        ("Every kernel at every size", 4, _everything),
        ("With the copies between host and device", 2, _copies),
        (f"Arithmetic intensity at {shape}", 2, _intensity),
        ("Roof of the device", 1, _roofline),
        (f"Device: {study.machine.device}", 1, _device),
        ("Measured with", 2, _versions),
    )
    for caption, words, make in made:
        if lines := list(make(study)):
            yield Table(caption, tuple(lines[0]), tuple(tuple(line.values()) for line in lines), words)


def _verdicts(study: Study) -> Iterator[Line]:
    """The verdict of each kernel at each size, where no speed was measured."""
    kernels = [row for row in study.rows if row.subject == "kernel"]
    if selection.measured(study) or not _shapes(study):
        return
    for name in dict.fromkeys(row.variant for row in kernels):
        verdicts = {row.shape: row.verdict for row in kernels if row.variant == name}
        everywhere = verdicts.get(None)  # such as a kernel that does not compile
        cells = {_size(shape): verdicts.get(shape, everywhere) for shape in _shapes(study)}
        yield {"kernel": name, **{size: verdict.words if verdict else "" for size, verdict in cells.items()}}


def _fastest(study: Study) -> Iterator[Line]:
    kernels = selection.measured(study).values()
    for shape in _shapes(study):
        if here := [rows[shape] for rows in kernels if shape in rows]:
            row = max(here, key=lambda row: selection.measurement(row).gflops.median)
            yield {"size": _size(shape), "kernel": row.variant, "block": _block(row), **_speed(row)}


def _over_size(study: Study) -> Iterator[Line]:
    """GFLOPS of the baselines and of the kernels that figures show, a line for each size."""
    measured = selection.measured(study)
    columns = {BASELINE_NAMES[subject]: selection.baseline(study, subject) for subject in ("blas", "cublas", "naive")}
    for name in selection.shown(study, MOST_KERNELS):
        columns["size.cu" if name == "size" else name] = measured[name]  # the first column is called size
    columns = {name: rows for name, rows in columns.items() if rows}
    for shape in _shapes(study):
        cells = {name: _gflops(rows.get(shape)) for name, rows in columns.items()}
        if any(cells.values()):
            yield {"size": _size(shape), **cells}


def _everything(study: Study) -> Iterator[Line]:
    for row in _measured(study):
        used = row.resources
        yield {
            "kernel": row.variant,
            "size": _size(row.shape),
            "block": _block(row),
            "tile": _tile(row),
            **_speed(row),
            "% of peak": _number(tables.fraction_of_peak(row, study), 100),
            "registers": str(used.registers) if used else "",
            "shared, bytes": f"{used.static_shared + used.dynamic_shared:,}" if used else "",
            "occupancy, %": f"{100 * used.occupancy:.0f}" if used else "",
        }


def _copies(study: Study) -> Iterator[Line]:
    for row in _measured(study):
        if transfer := row.transfer:
            yield {
                "kernel": row.variant,
                "size": _size(row.shape),
                "to the device, ms": _milliseconds(transfer.to_device),
                "kernel, ms": _milliseconds(transfer.kernel),
                "to the host, ms": _milliseconds(transfer.to_host),
                "total, ms": _milliseconds(transfer.total),
                "GFLOPS, kernel": _gflops(row),
                "GFLOPS, total": _number(tables.with_copies(row)),
            }


def _intensity(study: Study) -> Iterator[Line]:
    """The operations of each kernel per byte that it moves, where every block reads what its tile needs once."""
    checked = _checked(study)
    shape = selection.usual({row.shape for row in checked if row.shape})
    for row in checked:
        if row.shape == shape and row.launch:
            at_most, by_tile = tables.intensities(row, study)
            yield {
                "kernel": row.variant,
                "tile": _tile(row),
                "FLOP/byte, by its tile": _number(by_tile),
                "FLOP per word of 4 bytes": _number(by_tile, roofline.WORD),
                "FLOP/byte, at most": _number(at_most),
            }


def _roofline(study: Study) -> Iterator[Line]:
    peak = study.roof.peak_gflops
    for name, bandwidth in bandwidths(study.roof).items():
        corner = roofline.ridge(peak, bandwidth) if peak else None
        yield {
            "bandwidth": name,
            "peak, GFLOPS": _number(peak),
            "GB/s": _number(bandwidth),
            "ridge, FLOP/byte": _number(corner),
            "ridge, operations per word": _number(corner, roofline.WORD),
        }


def _device(study: Study) -> Iterator[Line]:
    known = study.roof.attributes
    values = {words: _attribute(words, known[name]) for name, words in DEVICE.items() if name in known}
    if values and (capability := study.machine.architecture.removeprefix("sm_")):
        values = {"compute capability": f"{capability[:-1]}.{capability[-1]}", **values}
    if {"MAX_THREADS_PER_MULTIPROCESSOR", "WARP_SIZE"} <= known.keys():
        values["warps per multiprocessor"] = str(known["MAX_THREADS_PER_MULTIPROCESSOR"] // known["WARP_SIZE"])
    yield from ({"property": words, "value": value} for words, value in values.items())


def _failed(study: Study) -> Iterator[Line]:
    for row in selection.failed(study):
        yield {"kernel": row.variant, "size": _size(row.shape), "verdict": row.verdict.words, "why": row.reason}


def _versions(study: Study) -> Iterator[Line]:
    machine = study.machine
    blas = next((row.implementation for row in study.rows if row.subject == "blas"), "")
    parts = {"system": machine.system, "device": machine.device, **machine.versions, "grader": study.grader_version}
    yield from ({"part": name, "version": text} for name, text in {**parts, "BLAS": blas}.items() if text)


def _checked(study: Study) -> list[Row]:
    """Return the kernels' rows at the sizes where they are correct."""
    return [row for row in study.rows if row.subject == "kernel" and row.verdict is Verdict.OK and row.shape]


def _measured(study: Study) -> Iterator[Row]:
    return (row for rows in selection.measured(study).values() for row in rows.values())


def _shapes(study: Study) -> list[Shape]:
    return list(dict.fromkeys(row.shape for row in study.rows if row.shape))


def _speed(row: Row) -> Line:
    measurement = selection.measurement(row)
    speedup = _median(measurement.speedup)
    return {
        "ms": _milliseconds(measurement.seconds.median),
        "GFLOPS": _number(measurement.gflops.median),
        "± 95 %": _number((measurement.gflops.high - measurement.gflops.low) / 2),
        "x naive": "" if speedup is None else f"{speedup:.2f}",
        "% of cuBLAS": _number(_median(measurement.library_fraction), 100),
    }


def _gflops(row: Row | None) -> str:
    return _number(selection.measurement(row).gflops.median) if row else ""


def _size(shape: Shape | None) -> str:
    return str(shape).removeprefix("N=") if shape else ""


def _block(row: Row) -> str:
    """Return its sides, without those of 1 at the end: 256, 16x16, 1x32."""
    sides = row.launch.block if row.launch else ()
    wide = max((number for number, side in enumerate(sides, 1) if side > 1), default=1)
    return tables.sides(sides[:wide])


def _tile(row: Row) -> str:
    return tables.sides(row.launch.tile) if row.launch else ""


def _attribute(words: str, value: int) -> str:
    unit = UNITS.get(words.rpartition(", ")[2], 1)
    return f"{value / unit:,.0f}"


def _median(interval: Interval | None) -> float | None:
    return interval.median if interval else None


def _milliseconds(seconds: float) -> str:
    return f"{1e3 * seconds:#,.4g}".removesuffix(".")


def _number(value: float | None, factor: float = 1.0) -> str:
    return "" if value is None else three_digits_with_zeros(factor * value)
