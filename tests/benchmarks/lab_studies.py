"""Reads studies back from the tables of docs/labs/data/, to make figures and new columns without a GPU.

A table has less than a study: some parts of a launch and of a kernel's resources are lost, which no table or figure of
the pages shows. The rubric is that of the page's command, and the roof is in roof.csv.
"""

import csv
import io
import shlex
from collections.abc import Iterator
from functools import cache
from itertools import takewhile
from pathlib import Path

import grader
from grader.contract.timing_messages import Transfer
from grader.model import Backend, Interval, Launch, Machine, Measurement, Resources, Rubric, Shape, Telemetry, Verdict
from grader.rubric import load as rubrics
from grader.study.measure.records import Roof, Row, Study
from grader.study.present import tables
from tests.benchmarks import lab_pages

ROOF = "roof.csv"
ROOF_PARTS = ("peak, GFLOPS", "bandwidth in theory, GB/s", "bandwidth sustained, GB/s")

Cells = dict[str, str]


@cache
def study(name: str) -> Study:
    """A study as `grade sweep` measured it."""
    rubric = rubrics.load(lab_pages.rubric_path(name))
    text = (lab_pages.DATA / f"{name}.csv").read_text(encoding="utf-8")
    return of_table(text, rubric, roof(rubric), shlex.join(lab_pages.command(name)))


@cache
def lines(name: str) -> tuple[Cells, ...]:
    """The lines of a study's table with the current columns, also if an earlier version wrote it."""
    return tuple(csv.DictReader(io.StringIO(tables.csv(study(name)), newline="")))


def roof(rubric: Rubric) -> Roof:
    """The roof of the device. Its peak holds for single precision only, as in a sweep."""
    with (lab_pages.DATA / ROOF).open(encoding="utf-8", newline="") as file:
        cells = dict(csv.reader(file))
    peak, theory, sustained = (float(cells[part]) for part in ROOF_PARTS)
    single = rubric.interface.type_a == "float32" and rubric.interface.math == "full"
    return Roof(peak if single else None, theory, Interval(sustained, sustained, sustained))


def keep_roof(bound: Roof, path: Path) -> None:
    sustained = bound.sustained.median if bound.sustained else None
    values = (bound.peak_gflops, bound.bandwidth, sustained)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(zip(ROOF_PARTS, values, strict=True))


def of_table(text: str, rubric: Rubric, bound: Roof, command: str) -> Study:
    lines_ = list(csv.DictReader(io.StringIO(text, newline="")))
    device = next((cells["device"] for cells in lines_ if cells["subject"] != "blas"), "")
    types = rubric.interface
    return Study(
        grader_version=grader.__version__,
        started="",
        command=command,
        rubric=rubric.title,
        rubric_sha256=rubric.sha256,
        types=(types.type_a, types.type_b, types.type_c),
        machine=Machine(Backend.CUDA, "", "", device, peak_gflops=bound.peak_gflops),
        roof=bound,
        rows=tuple(map(_row, lines_)),
        timed_sizes=rubric.timed_sizes,
    )


def _row(cells: Cells) -> Row:
    shape, defines = _shape(cells), dict(_defines(cells))
    name = " ".join([cells["file"].removesuffix(".cu"), *(f"{key}={value}" for key, value in defines.items())])
    return Row(
        subject=cells["subject"],
        variant=name,
        file=cells["file"],
        defines=defines,
        shape=shape,
        verdict=Verdict(cells["verdict"]),
        reason=cells["reason"],
        launch=_launch(cells),
        resources=_resources(cells),
        measurement=_measurement(cells, shape) if shape else None,
        transfer=_transfer(cells),
        implementation=cells["implementation"],
    )


def _defines(cells: Cells) -> Iterator[tuple[str, str]]:
    """The values of macros, which are in the columns between `file` and M."""
    for name in takewhile(lambda title: title != "M", list(cells)[2:]):
        if cells[name]:
            yield name.removeprefix("define_"), cells[name]


def _shape(cells: Cells) -> Shape | None:
    return Shape(*(int(cells[side]) for side in "MNK")) if cells["M"] else None


def _launch(cells: Cells) -> Launch | None:
    if not cells["block"]:
        return None
    (x, y, z), (columns, rows) = (map(int, cells[part].split("x")) for part in ("block", "tile"))
    return Launch((x, y, z), (columns, rows))


def _resources(cells: Cells) -> Resources | None:
    """Static and dynamic shared memory are one column; local memory and blocks have none and stay 0."""
    if not cells["registers"]:
        return None
    return Resources(int(cells["registers"]), int(cells["shared_bytes"]), 0, 0, 0, float(cells["occupancy"]))


def _measurement(cells: Cells, shape: Shape) -> Measurement | None:
    seconds, gflops = _interval(cells, "seconds"), _interval(cells, "gflops")
    if seconds is None or gflops is None:
        return None
    counts = int(cells["rounds"]), int(cells["launches"])
    ratios = _interval(cells, "times_naive"), _interval(cells, "fraction_of_cublas")
    return Measurement(shape, seconds, gflops, *counts, *ratios, telemetry=_telemetry(cells))


def _interval(cells: Cells, name: str) -> Interval | None:
    values = [cells[f"{name}_{part}"] for part in ("median", "low", "high")]
    return Interval(*map(float, values)) if all(values) else None


def _telemetry(cells: Cells) -> Telemetry | None:
    if not cells["sm_mhz"]:
        return None
    throttle = tuple(cells["throttle"].split("; ")) if cells["throttle"] else ()
    return Telemetry(int(cells["sm_mhz"]), int(cells["memory_mhz"]), int(cells["celsius"]), throttle)


def _transfer(cells: Cells) -> Transfer | None:
    parts = [cells[f"{part}_seconds"] for part in ("host_to_device", "kernel", "device_to_host")]
    return Transfer(*map(float, parts)) if all(parts) else None
