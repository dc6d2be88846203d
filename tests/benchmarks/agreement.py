"""Times per launch beside Nsight Compute's gpu__time_duration, for each kernel of the ladder at each timed size.

python tests/benchmarks/agreement.py            prints the figures of docs/measurements.md
"""

import csv
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from statistics import median

from grader.contract.further import steps
from grader.contract.messages import Compile
from grader.model import Interface, Launch, Limits, Shape
from grader.worker.cuda import cublas, driver_launches, kernel
from grader.worker.cuda.backend import Cuda
from grader.worker.cuda.bench import Bench
from grader.worker.cuda.device import Device, open_device
from grader.worker.cuda.drawing import SizeKey, base
from grader.worker.cuda.trusted import trusted_module

ROOT = Path(__file__).parents[2]
KERNELS = ("naive", "tiled_16", "register_blocked", "cublas")
SIZES = (256, 512, 1024, 1025, 2047, 2048)
INTERFACE = Interface("matmul", ("A", "B", "C", "N"))
ROUNDS = 15
PROFILED = 12
METRIC = "gpu__time_duration.sum"
ALONE, GRAPH = "alone", "graph"
LARGEST_OF_MANY = 512


def bench(device: Device, name: str, N: int, box: Path) -> Bench:
    if name == "cublas":
        subject: tuple[kernel.LoadedKernel, ...] | cublas.Library = cublas.open_library(device)
    else:
        (box / "source").mkdir(exist_ok=True)
        source = f"source/{name}.cu"
        (box / source).write_bytes((ROOT / "reference" / f"{name}.cu").read_bytes())
        compiled = Cuda().compile(Compile(source, device.architecture, INTERFACE, ("-O3",), Limits()), box).build
        assert compiled
        build = replace(compiled, artifact=str(box / compiled.artifact))
        (step,) = steps(build, build.launch or Launch((16, 16, 1), (16, 16)), INTERFACE)
        subject = (kernel.load(device, step, kernel.load_module(device, build)),)
    shape = Shape(N, N, N)
    drawn = base(SizeKey(shape, INTERFACE, 1))
    return Bench(device, subject, shape, INTERFACE, 1, trusted_module(device, box), drawn)


def graders_seconds(device: Device, box: Path) -> dict[tuple[str, int], float]:
    seconds_of = {}
    for name in KERNELS:
        for N in SIZES:
            kernel = bench(device, name, N, box)
            rounds = [kernel.time_round(number) for number in range(1, ROUNDS + 1)]
            seconds_of[name, N] = median(timed.seconds / timed.launches for timed in rounds)
    return seconds_of


def launch_for_profiler(way: str, name: str, device: Device, box: Path) -> None:
    """What is profiled of each size, between the profiler's marks, on sets that no cache holds."""
    for N in SIZES:
        kernel = bench(device, name, N, box)
        device.driver.start_profiler()
        for i in range(PROFILED):
            if way == ALONE:
                kernel.start(kernel.sets[i % len(kernel.sets)])
            else:
                for products in few_and_many(N):
                    _launch_graph(kernel, products)
        device.stream.synchronize()
        device.driver.stop_profiler()


def few_and_many(N: int) -> tuple[int, int]:
    """The products of two graphs. What starting a graph costs under the profiler is the same for both."""
    return (200, 800) if N <= LARGEST_OF_MANY else (5, 20)


def _launch_graph(kernel: Bench, products: int) -> None:
    handle = kernel.device.stream.handle
    chosen = [kernel.sets[i % len(kernel.sets)] for i in range(products)]
    driver_launches.launch_graph(
        driver_launches.capture_graph(handle, lambda: [kernel.start(each) for each in chosen]), handle
    )


def profilers(way: str, name: str) -> dict[tuple[str, int], float]:
    """Seconds per product by Nsight Compute: of the product alone, or of one more product in a graph."""
    level = "node" if way == ALONE else "graph"
    command = ["ncu", "--clock-control", "none", "--profile-from-start", "off", "--graph-profiling", level, "--csv",
               "--page", "raw", "--metrics", METRIC, sys.executable, __file__, "--profiled", way, name]  # fmt: skip
    text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    units, *rows = csv.DictReader(line for line in text.splitlines() if line.startswith('"'))
    scale = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3}[units[METRIC]]
    seconds = [float(row[METRIC].replace(",", "")) * scale for row in rows]
    return _alone(name, seconds, rows) if way == ALONE else _one_more(name, seconds)


def _alone(name: str, seconds: list[float], rows: list[dict[str, str]]) -> dict[tuple[str, int], float]:
    """A product may be several kernels, the same ones each time: their durations are added up."""
    seconds_of, at = {}, 0
    for N in SIZES:
        kernels = next(
            n for n in (1, 2, 3) if _repeats([row["Kernel Name"] for row in rows[at : at + n * PROFILED]], n)
        )
        products = [sum(seconds[at + i * kernels : at + (i + 1) * kernels]) for i in range(PROFILED)]
        seconds_of[name, N] = median(products)
        at += kernels * PROFILED
    return seconds_of


def _repeats(names: list[str], period: int) -> bool:
    return len(names) == period * PROFILED and all(name == names[i % period] for i, name in enumerate(names))


def _one_more(name: str, seconds: list[float]) -> dict[tuple[str, int], float]:
    seconds_of = {}
    for i, N in enumerate(SIZES):
        few, many = few_and_many(N)
        mine = seconds[2 * i * PROFILED : 2 * (i + 1) * PROFILED]
        seconds_of[name, N] = median(long - short for short, long in zip(mine[::2], mine[1::2], strict=True)) / (
            many - few
        )
    return seconds_of


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        if "--profiled" in sys.argv:
            launch_for_profiler(sys.argv[-2], sys.argv[-1], open_device(), Path(folder))
            return
        mine = graders_seconds(open_device(), Path(folder))
    alone, in_graph = (
        {key: t for name in KERNELS for key, t in profilers(way, name).items()} for way in (ALONE, GRAPH)
    )
    print("| kernel | N | grader, us | counter, alone | | counter, in a graph | |\n|---|---|---|---|---|---|---|")
    for (name, N), seconds in mine.items():
        cells = (
            f"{seconds_of[name, N] * 1e6:.2f} | {seconds / seconds_of[name, N] - 1:+.1%}"
            for seconds_of in (alone, in_graph)
        )
        print(f"| {name} | {N} | {seconds * 1e6:.2f} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
