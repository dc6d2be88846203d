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

from grader.backends import cublas, kernel, nvcc
from grader.backends.bench import Bench
from grader.backends.cuda import trusted_module
from grader.backends.device import Device, open_device
from grader.model import Interface, Launch, Limits, Shape

ROOT = Path(__file__).parents[2]
KERNELS = ("naive", "tiled_16", "register_blocked", "cublas")
SIZES = (256, 512, 1024, 1025, 2047, 2048)
INTERFACE = Interface("matmul", ("A", "B", "C", "N"))
ROUNDS = 15
PROFILED = 10


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
    """A few launches of each size between the profiler's marks, on sets that no cache holds."""
    for N in SIZES:
        one = bench(device, name, N, box)
        device.driver.start_profiler()
        for i in range(PROFILED):
            one.start(one.sets[i % len(one.sets)])
        device.stream.synchronize()
        device.driver.stop_profiler()


def profilers(name: str) -> dict[tuple[str, int], float]:
    """Seconds per product by Nsight Compute; a product of the library may be several kernels."""
    command = ["ncu", "--clock-control", "none", "--profile-from-start", "off", "--csv", "--page", "raw", "--metrics",
               "gpu__time_duration.sum", sys.executable, __file__, "--profiled", name]  # fmt: skip
    text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    rows = list(csv.DictReader(line for line in text.splitlines() if line.startswith('"')))
    durations = [float(row["gpu__time_duration.sum"].replace(",", "")) for row in rows[1:]]
    scale = {"us": 1e-6, "ns": 1e-9, "ms": 1e-3, "usecond": 1e-6, "nsecond": 1e-9}[rows[0]["gpu__time_duration.sum"]]
    per_size = len(durations) // len(SIZES)
    kernels = per_size // PROFILED
    found = {}
    if per_size * len(SIZES) != len(durations):
        return _by_grid(name, rows[1:], scale)
    for i, N in enumerate(SIZES):
        mine = durations[i * per_size : (i + 1) * per_size]
        products = [sum(mine[j * kernels : (j + 1) * kernels]) for j in range(PROFILED)]
        found[name, N] = median(products) * scale
    return found


def _by_grid(name: str, rows: list[dict[str, str]], scale: float) -> dict[tuple[str, int], float]:
    """The same where sizes differ in the number of kernels per product: a size is PROFILED repeats of a pattern."""
    durations = [
        (row["Kernel Name"], row["Grid Size"], float(row["gpu__time_duration.sum"].replace(",", ""))) for row in rows
    ]
    found, at = {}, 0
    for N in SIZES:
        period = next(
            p
            for p in (1, 2, 3, 4)
            if all(durations[at + i][:2] == durations[at + i % p][:2] for i in range(p * PROFILED))
        )
        mine = [d for _, _, d in durations[at : at + period * PROFILED]]
        found[name, N] = median(sum(mine[j * period : (j + 1) * period]) for j in range(PROFILED)) * scale
        at += period * PROFILED
    return found


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
