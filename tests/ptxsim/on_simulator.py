"""Arrays of any type through a kernel on the simulator: without a rubric, on inputs that the test chooses."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from grader.contract.messages import Compile
from grader.errors import SubmissionError
from grader.explain.answers import Asked, fault_of
from grader.explain.compilation import compile_fault
from grader.model import Build, Fault, Interface, Launch, Limits, Shape
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.syntax.parser import parse
from grader.sandbox import bundles
from grader.sandbox.bundles import bundle
from grader.worker.found import NotCompiledError
from grader.worker.simulator.backend import SimulatorBackend
from grader.worker.simulator.loading import facts_of, kept_parts
from grader.worker.simulator.stopped import stop_of

KERNELS = Path(__file__).parent / "kernels"
SQUARE = Interface("matmul", ("A", "B", "C", "N"))
_BUILDS: dict[tuple[str, tuple[str, ...], Limits], tuple[Build, bytes]] = {}


@dataclass(frozen=True)
class Outcome:
    fault: Fault | None
    printed: str
    C: NDArray[np.generic]


def build(name: str, box: Path, flags: tuple[str, ...] = (), limits: Limits | None = None) -> Build:
    """Compile a kernel of `kernels/`."""
    return built(name, (KERNELS / f"{name}.cu").read_text(), box, flags, limits)


def built(name: str, text: str, box: Path, flags: tuple[str, ...], limits: Limits | None) -> Build:
    """Compile a kernel, once for all tests with the same flags and limits, or find it in the cache."""
    key = text, flags, limits or Limits()
    if key not in _BUILDS:
        source = f"{name}.cu"
        (box / source).write_text(text)
        kept = bundle("kernel of a test", repr(key))
        bundles.give(kept, box)
        try:
            made = SimulatorBackend().compile(Compile(source, "", SQUARE, *key[1:]), box).build
        except NotCompiledError as error:
            raise SubmissionError(compile_fault(error.finding, key[2])) from error
        bundles.keep(kept, box)
        assert made
        _BUILDS[key] = made, (box / made.artifact).read_bytes()
    made, content = _BUILDS[key]
    (box / made.artifact).write_bytes(content)
    return made


def ready(kernel: Build, launch: Launch, box: Path) -> Simulator:
    """The kernel in memory, for one shape of blocks."""
    text, source = (box / kernel.artifact).read_text(), Path(kernel.artifact).stem
    named, arrays = (kernel.symbol, launch.block, launch.shared), facts_of(kernel).local_arrays
    return Simulator(parse(text, source, arrays), *named, kept_parts(box, text, source, arrays, *named))


def launch(
    simulator: Simulator,
    grid: tuple[int, int, int],
    buffers: Mapping[str, NDArray[np.generic]],
    number: int,
    limits: Limits,
    order: str = "forward",
) -> Outcome:
    """One launch with N = `number`; the buffers are written in place."""
    ran = simulator.launch(
        grid, buffers, [*"ABC", number], order=order, seconds=limits.case_seconds, printed_bytes=limits.output_bytes
    )
    fault = fault_of(stop_of(ran.fault), Asked(SQUARE, Shape(number, number, number), limits)) if ran.fault else None
    return Outcome(fault, ran.printed.decode(), buffers["C"])


def run(
    name: str,
    box: Path,
    A: NDArray[np.generic],
    B: NDArray[np.generic],
    C: NDArray[np.generic],
    flags: tuple[str, ...] = (),
    block: int = 32,
    order: str = "forward",
    number: int | None = None,
) -> Outcome:
    """One block of a kernel of `kernels/`; its N is `number`, or else the number of elements of A."""
    simulator = ready(build(name, box, flags), Launch((block, 1, 1), (block, 1)), box)
    buffers = {name: np.ascontiguousarray(matrix).copy() for name, matrix in (("A", A), ("B", B), ("C", C))}
    return launch(simulator, (1, 1, 1), buffers, A.size if number is None else number, Limits(), order)
