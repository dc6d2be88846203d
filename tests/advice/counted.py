"""The counters of a kernel file, in this process: many kernels in the time of a few whole grades."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from grader.contract.messages import Compile, CountAccesses
from grader.model import Counters, Launch, Shape
from grader.rubric.load import load
from grader.worker.simulator.backend import SimulatorBackend
from grader.worker.simulator.executor import Executor
from tests import compiled_once

ROOT = Path(__file__).parents[2]
KERNELS = Path(__file__).parent / "kernels"
SQUARE = load(ROOT / "rubrics" / "square.toml")


def counted(path: Path, size: int, flags: tuple[str, ...] = ()) -> tuple[Counters, Launch]:
    """What a launch of the square lab's kernel does, and the launch."""
    return counted_in("square", path, size, flags)


@cache
def counted_in(
    lab: str, path: Path, size: int, flags: tuple[str, ...] = (), unrolled: int = 1
) -> tuple[Counters, Launch]:
    """What a launch of a lab's kernel does, and the launch."""
    rubric = load(ROOT / "rubrics" / f"{lab}.toml")
    shape, interface, limits = Shape(size, size, size), rubric.interface, rubric.limits
    with tempfile.TemporaryDirectory(prefix="counted-") as folder:
        box = Path(folder)
        compiled_once.share(box)
        (box / path.name).write_bytes(path.read_bytes())
        request = Compile(path.name, "", interface, (*rubric.flags, *flags), limits)
        build = SimulatorBackend().compile(request, box).build
        assert build
        launch = build.launch or rubric.launch
        counters = Executor().count(CountAccesses(build, launch, shape, interface, limits, unrolled), box).counters
    assert counters is not None
    return counters, launch
