"""Products on the simulator with code for this machine and with code for AVX2 only, side by side.

python -m tests.benchmarks.instruction_sets [KERNEL ...]     needs nvcc and a machine with AVX-512; no GPU
"""

from __future__ import annotations

import sys
import time

import numpy as np
from numpy.typing import NDArray

from grader.model import Launch, Shape
from grader.ptxsim.engine import native
from grader.ptxsim.engine.simulate import Simulator
from tests.ptxsim.programs import ROOT, launch_of, ready

KERNELS = ("naive", "tiled_16", "tiled_32", "register_blocked", "block_tile_2d", "vectorised", "warp_tiled")
SMALL, LARGE, LAUNCHES = 257, 1024, 10
OWN = native.own_target()
AVX2 = native.CodeTarget(OWN.triple, "haswell", "")  # the first with AVX2; LLVM knows what else it has


def main(names: list[str]) -> None:
    """Print CPU seconds of each kernel: a small product with compiling, and the fastest of some large ones."""
    print(f"{OWN.cpu}; CPU seconds: first at N = {SMALL}, with compiling; at N = {LARGE}")
    for name in names or KERNELS:
        (first, large), (first_avx2, large_avx2) = _seconds(name, OWN), _seconds(name, AVX2)
        print(
            f"{name}: {first:.2f} {first_avx2:.2f} | {large:.3f} {large_avx2:.3f} | {large_avx2 / large:.2f}",
            flush=True,
        )


def _seconds(name: str, target: native.CodeTarget) -> tuple[float, float]:
    native.own_target = lambda: target  # type: ignore[assignment]
    native._linker.cache_clear()
    simulator = ready(ROOT / "reference" / f"{name}.cu")
    first = _launched(simulator, SMALL)
    _launched(simulator, LARGE)  # which compiles with optimisations
    return first, min(_launched(simulator, LARGE) for _ in range(LAUNCHES))


def _launched(simulator: Simulator, size: int) -> float:
    """Return the CPU seconds of a product, whose sums are exact and must be right."""
    a, b = np.random.default_rng(size).integers(-3, 4, (2, size, size)).astype(np.float32)
    buffers: dict[str, NDArray[np.generic]] = {"A": a, "B": b, "C": np.zeros((size, size), np.float32)}
    grid = launch_of(simulator.module, Launch((16, 16, 1), (16, 16))).grid(Shape(size, size, size))
    began = time.process_time()
    simulator.launch(grid, buffers, ["A", "B", "C", size], seconds=100)
    seconds = time.process_time() - began
    if not np.array_equal(buffers["C"], a @ b):
        raise SystemExit(f"{simulator.name} is wrong at N = {size}.")
    return seconds


if __name__ == "__main__":
    main(sys.argv[1:])
