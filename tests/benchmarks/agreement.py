"""Our time per launch beside Nsight Compute's gpu__time_duration, for every kernel of the ladder at every timed size.

python tests/benchmarks/agreement.py            prints the table of docs/measurements.md
"""

from __future__ import annotations

import csv
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from grader.backends import cublas, graph, kernel, nvcc
from grader.backends.bench import Bench
from grader.backends.cuda import trusted_module
from grader.backends.device import Device, open_device
from grader.model import Interface, Launch, Limits, Shape

ROOT = Path(__file__).parents[2]
KERNELS = ("naive", "tiled_16", "register_blocked", "cublas")
SIZES = (256, 512, 1024, 1025, 2047, 2048)
INTERFACE = Interface("matmul", ("A", "B", "C", "N"))
ROUNDS = 15
PROFILED = 15
METRIC = "gpu__time_duration.sum"
# Where a product is several kernels the profiler takes them one by one, so that none overlaps the next. Graphs are
# profiled whole; what starting a graph costs under the profiler is the same for few products and for many.
SEVERAL_KERNELS = ("cublas",)
FEW_AND_MANY = (200, 800)


def bench(device: Device, name: str, N: int, box: Path) -> Bench:
    if name == "cublas":
        subject: kernel.Kernel | cublas.Library = cublas.open_library(device)
    else:
        (box / "source").mkdir(exist_ok=True)
        source = box / "source" / f"{name}.cu"
        source.write_bytes((ROOT / "reference" / f"{name}.cu").read_bytes())
        build = nvcc.compile_kernel(source, INTERFACE, ("-O3",), Limits(), box, device.architecture)
        subject = kernel.load(device, build, build.launch or Launch((16, 16, 1), (16, 16)))
    return Bench(device, subject, Shape(N, N, N), INTERFACE, 1, trusted_module(device, box))


def ours(device: Device, box: Path) -> dict[tuple[str, int], float]:
    found = {}
    for name in KERNELS:
        for N in SIZES:
            one = bench(device, name, N, box)
            rounds = [one.time_round(number, box) for number in range(1, ROUNDS + 1)]
            found[name, N] = median(timed.seconds / timed.launches for timed in rounds)
    return found


def launch_for_profiler(name: str, device: Device, box: Path) -> None:
    """What is profiled of each size, between the profiler's marks, on sets that no cache holds."""
    for N in SIZES:
        one = bench(device, name, N, box)
        device.driver.start_profiler()
        for i in range(PROFILED):
            if name in SEVERAL_KERNELS:
                for products in FEW_AND_MANY:
                    _launch_graph(one, products)
            else:
                one.start(one.sets[i % len(one.sets)])
        device.stream.synchronize()
        device.driver.stop_profiler()


def _launch_graph(one: Bench, products: int) -> None:
    handle = one.device.stream.handle
    chosen = [one.sets[i % len(one.sets)] for i in range(products)]
    graph.launch(graph.capture(handle, lambda: [one.start(each) for each in chosen]), handle)


def profilers(name: str) -> dict[tuple[str, int], float]:
    """Seconds per product by Nsight Compute."""
    level = "graph" if name in SEVERAL_KERNELS else "node"
    command = ["ncu", "--clock-control", "none", "--profile-from-start", "off", "--graph-profiling", level, "--csv",
               "--page", "raw", "--metrics", METRIC, sys.executable, __file__, "--profiled", name]  # fmt: skip
    text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    units, *rows = csv.DictReader(line for line in text.splitlines() if line.startswith('"'))
    scale = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3}[units[METRIC]]
    seconds = [float(row[METRIC].replace(",", "")) * scale for row in rows]
    if name in SEVERAL_KERNELS:
        few, many = FEW_AND_MANY
        seconds = [(long - short) / (many - few) for short, long in zip(seconds[::2], seconds[1::2], strict=True)]
    return {(name, N): median(seconds[i * PROFILED : (i + 1) * PROFILED]) for i, N in enumerate(SIZES)}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        if "--profiled" in sys.argv:
            launch_for_profiler(sys.argv[-1], open_device(), Path(folder))
            return
        mine = ours(open_device(), Path(folder))
        theirs = {key: value for name in KERNELS for key, value in profilers(name).items()}
    print("| kernel | N | Nsight Compute, us | grader, us | difference |\n|---|---|---|---|---|")
    for (name, N), seconds in mine.items():
        counter = theirs[name, N]
        print(f"| {name} | {N} | {counter * 1e6:.2f} | {seconds * 1e6:.2f} | {seconds / counter - 1:+.1%} |")


if __name__ == "__main__":
    main()
