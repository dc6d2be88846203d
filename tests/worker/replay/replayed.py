"""A kernel that is written in a test, compiled for debugging and replayed."""

import hashlib
from pathlib import Path

import numpy as np

from grader.contract import inputs
from grader.contract.found import Finding
from grader.contract.messages import Replay, Replayed
from grader.model import Build, Case, Interface, Launch, Shape
from grader.worker.replay.replay import replay
from tests.ptxsim import programs

SQUARE = Interface("matmul", ("A", "B", "C", "N"))
AT_33 = Case(Shape(33, 33, 33), inputs.CHECKED, 1)
TILES = Launch((16, 16, 1), (16, 16))


def ptx(source: str, folder: Path) -> str:
    """Return the debug build of a file `mine.cu`."""
    path = folder / hashlib.sha256(source.encode()).hexdigest()[:16] / "mine.cu"
    path.parent.mkdir(exist_ok=True)
    path.write_text(source)
    return programs.ptx_of(path, ("-G",))


def asked(
    finding: Finding | None = None,
    element: tuple[int, int] | None = None,
    got: float | None = None,
    launch: Launch = TILES,
    case: Case = AT_33,
) -> Replay:
    return Replay(Build("mine.cu.ptx", "matmul", (), None, "", ()), launch, case, SQUARE, finding, element, got)


def told(source: str, folder: Path, request: Replay) -> Replayed:
    return replay(request, ptx(source, folder), "mine.cu")


def product() -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return the product that is right at N = 33."""
    drawn = inputs.draw(AT_33, SQUARE)
    return np.asarray(drawn.A.astype(np.float64) @ drawn.B.astype(np.float64))
