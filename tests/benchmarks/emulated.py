"""Reference kernels on the simulator of another architecture, under emulation: `emulated.sh` prepares and starts it.

python -m tests.benchmarks.emulated write FOLDER     compiles them to PTX; needs nvcc
python -m tests.benchmarks.emulated run FOLDER       runs what is there, in three orders of warps

LLVM's optimiser takes minutes for a large kernel under emulation. So a native process generates the code, for the
machine that this one sees.
"""

from __future__ import annotations

import platform
import sys
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from grader.model import Launch, Shape
from grader.ptxsim.engine.native import identity
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.syntax.parser import parse
from tests.benchmarks.compiler import compile_natively
from tests.ptxsim.programs import ROOT, launch_of, ptx_of

LAUNCHES = ((33, "forward"), (33, "reverse"), (128, "interleaved"), (257, "forward"))
MOST_SECONDS = 900.0


def main(command: str, folder: Path) -> None:
    """Write the PTX of all kernels for square float32 matrices, or run it."""
    if command == "write":
        for path in sorted((ROOT / "reference").glob("*.cu")):
            (folder / f"{path.stem}.ptx").write_text(ptx_of(path))
        return
    print(platform.machine(), identity(), flush=True)
    compile_natively()
    for path in sorted(folder.glob("*.ptx"), key=lambda path: path.stat().st_size):
        began = time.monotonic()
        _run(path)
        print(f"{path.stem}: correct, {time.monotonic() - began:.0f} s", flush=True)


def _run(path: Path) -> None:
    module = parse(path.read_text(), f"{path.stem}.cu")
    launch = launch_of(module, Launch((16, 16, 1), (16, 16)))
    simulator = Simulator(module, "matmul", launch.block, launch.shared)
    for size, order in LAUNCHES:
        a, b = np.random.default_rng(size).integers(-3, 4, (2, size, size)).astype(np.float32)
        buffers: dict[str, NDArray[np.generic]] = {"A": a, "B": b, "C": np.zeros((size, size), np.float32)}
        grid = launch.grid(Shape(size, size, size))
        ran = simulator.launch(grid, buffers, ["A", "B", "C", size], order=order, seconds=MOST_SECONDS)
        if not np.array_equal(buffers["C"], np.einsum("ij,jk", a, b)):
            raise SystemExit(f"{path.stem} is wrong at N = {size}, {order}: {ran.fault}")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
