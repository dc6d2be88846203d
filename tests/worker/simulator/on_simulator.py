"""Arrays of any type through a kernel on the simulator: no rubric, no inputs of ours."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from grader.model import Argument, Fault, Interface, Launch, Limits, MatrixFile
from grader.worker.simulator.run import compile_kernel, run_case

KERNELS = Path(__file__).parent / "kernels"
PAGE = 16384
INTERFACE = Interface("matmul", ("A", "B", "C", "N"))


@dataclass(frozen=True)
class Outcome:
    fault: Fault | None
    C: NDArray[np.generic]


def run(
    name: str,
    box: Path,
    A: NDArray[np.generic],
    B: NDArray[np.generic],
    C: NDArray[np.generic],
    flags: tuple[str, ...] = (),
    block: int = 32,
    order: str = "forward",
) -> Outcome:
    """One block of a kernel of `kernels/`; its N is the number of elements of A."""
    limits = Limits()
    build = compile_kernel(KERNELS / f"{name}.cu", INTERFACE, flags, limits, box)
    images = {letter: _written(box / letter, matrix) for letter, matrix in (("A", A), ("B", B), ("C", C))}
    arguments = (*(Argument("buffer", letter) for letter in "ABC"), Argument("integer", "N", A.size))
    launch = Launch((block, 1, 1), (block, 1))
    ran = run_case(build, launch, (1, 1, 1), arguments, [images], order=order, blocks=None, limits=limits, box=box)
    return Outcome(ran.fault, np.fromfile(box / "C", C.dtype, C.size, offset=images["C"].before).reshape(C.shape))


def _written(path: Path, matrix: NDArray[np.generic]) -> MatrixFile:
    """The elements end where a page does."""
    before = -matrix.nbytes % PAGE
    path.write_bytes(b"\xff" * before + matrix.tobytes())
    return MatrixFile(str(path), before, matrix.nbytes, 0)
