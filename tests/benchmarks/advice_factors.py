"""The first advice on an H200 with measured times, and its estimated factors beside the measured ones.

python -m tests.benchmarks.advice_factors RESULTS      RESULTS are those of `nsight_counters.py`; needs no GPU

A kernel with a planted problem is compared with its fixed twin, one of the ladder with the next.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from grader.advice.advise import advice
from grader.advice.devices import GPUS
from grader.model import Advice, Measurement, Shape
from grader.timing import statistics
from tests.advice.counted import PLANTED, ROOT, counted, lab_of, rubric_of
from tests.advice.test_planted import DEVICE, FIXED, problem
from tests.benchmarks.counters import size_of
from tests.benchmarks.nsight_counters import TIME

NEXT = {
    "naive_uncoalesced": "naive",
    "naive": "tiled_16",
    "tiled_16": "block_tile_1d",
    "tiled_32": "block_tile_1d",
    "block_tile_1d": "register_blocked",
    "register_blocked": "block_tile_2d",
    "block_tile_2d": "vectorised",
    "tensor_cores/naive": "tensor_cores/wmma",
    "tensor_cores/wmma": "tensor_cores/wmma_tiled",
}
Seconds = Mapping[str, float]


def main(results: str) -> None:
    """Print the table of docs/measurements.md, and how many factors are inside."""
    seconds = {name: values[TIME] / 1e9 for name, values in json.loads(Path(results).read_text()).items()}
    rows = [*_ladder(seconds), *_planted(seconds)]
    for row in rows:
        print(row)
    print(f"{sum(row.endswith('| inside |') for row in rows)} of {len(rows)} factors are inside")


def _ladder(seconds: Seconds) -> Iterator[str]:
    for name, faster in NEXT.items():
        if not {name, faster} <= set(seconds):
            continue
        file = ROOT / "reference" / f"{name}.cu"
        given = _given(file, (), seconds[name])
        yield _row(file, given, given.items[0].name, faster, seconds[name] / seconds[faster])


def _planted(seconds: Seconds) -> Iterator[str]:
    for file in PLANTED:
        if DEVICE.search(file.read_text()) or file.stem not in seconds:
            continue  # a problem on another device, or one that was not measured
        twin = seconds[f"{file.stem} (fixed)"]
        given, after = _given(file, (), seconds[file.stem]), _given(file, FIXED, twin)
        first = given.items[0].name
        if problem(file) not in first or any(problem(file) in item.name for item in after.items):
            print(f"{file.stem}: {[item.name for item in given.items]}, fixed {[item.name for item in after.items]}")
        yield _row(file, given, first, "its fixed twin", seconds[file.stem] / twin)


def _given(file: Path, flags: tuple[str, ...], seconds: float) -> Advice:
    size = size_of(file)
    shape, every = Shape(size, size, size), [seconds] * 5
    measured = Measurement(shape, statistics.interval(every), statistics.gflops(shape, every), len(every), 1)
    counters, launch = counted(file, size, flags)
    return advice(counters, launch, rubric_of(lab_of(file)).interface, GPUS["h200"], measured)


def _row(file: Path, given: Advice, name: str, faster: str, factor: float) -> str:
    item = given.items[0]
    limit, share = given.bounds[0].resource, given.explained or 0.0
    verdict = "below" if factor < item.low else "above" if factor > item.high else "inside"
    cells = name.partition(":")[0], faster, f"{limit}, {share:.0%}", f"{item.low:.2f} to {item.high:.2f}"
    shown = file.stem if file.parent.name in {"reference", "kernels"} else f"{file.parent.name}/{file.stem}"
    return f"| {shown} | {given.shape.N} | {' | '.join(cells)} | {factor:.2f} | {verdict} |"


if __name__ == "__main__":
    main(*sys.argv[1:])
