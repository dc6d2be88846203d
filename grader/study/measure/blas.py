"""Multi-core BLAS, measured on this machine's CPU: NumPy's matrix product, which calls the library."""

import itertools
import re
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_info  # type: ignore[import-untyped]

from grader.host import cpus
from grader.model import Interface, Measurement, Shape, Timing
from grader.text.clean import one_line
from grader.timing import statistics

TYPES = ("float32", "float64")  # the real types that BLAS multiplies; NumPy computes others in a loop of its own
ROUND_SECONDS = 0.01  # of products in a round, at least: the clock and the call then cost below 0.1 %
PATIENCE = 20.0  # seconds, after which the rounds so far are used
LEAST_ROUNDS = 3

MODEL_CHARACTERS = 80
_MODEL = re.compile(r"^model name[ \t]*:[ \t]*(\S.*?)[ \t]*$", re.MULTILINE)

Matrix = NDArray[np.float32] | NDArray[np.float64]


def kind(interface: Interface) -> str | None:
    """The type of the lab's product in BLAS; None if BLAS has no such product."""
    types = set(interface.types.values())
    return interface.type_c if len(types) == 1 and interface.type_c in TYPES else None


def implementation() -> str:
    """Which library NumPy calls, how many threads it uses, and the processor that it runs on."""
    return f"{_library()}, {processor()}"


def processor(listing: Path = Path("/proc/cpuinfo")) -> str:
    """How many cores this process may use, and the processor's model where the system lists it."""
    cores = len(cpus.allowed())
    try:
        model = _MODEL.search(listing.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        model = None
    count = f"{cores} core{'s' if cores > 1 else ''}"
    return f"{count} of {one_line(model[1], MODEL_CHARACTERS)}" if model else count


def _library() -> str:
    library = next((library for library in threadpool_info() if library.get("user_api") == "blas"), None)
    if library is None:
        return "unknown BLAS"
    threads = int(library["num_threads"])
    name = " ".join(str(library[key]) for key in ("internal_api", "version", "architecture") if library.get(key))
    return f"{name}, {threads} thread{'s' if threads > 1 else ''}"


def measure(shape: Shape, dtype: str, rule: Timing, seed: int) -> Measurement:
    """Seconds and GFLOPS of a product: rounds after a warm-up, with the intervals and the stopping rule of a grade."""
    rng = np.random.default_rng(seed)
    a, b = (rng.random(size).astype(dtype) for size in ((shape.M, shape.K), (shape.K, shape.N)))
    c = np.empty((shape.M, shape.N), dtype)
    count = _warm_up(a, b, c)
    seconds: list[float] = []
    began = time.perf_counter()
    for number in itertools.count(1):
        seconds.append(_round(a, b, c, count))
        elapsed = time.perf_counter() - began
        impatient = number >= LEAST_ROUNDS and elapsed > PATIENCE
        if impatient or statistics.enough([statistics.interval(seconds)], number, elapsed, rule, [()]):
            break
    return Measurement(
        shape, statistics.interval(seconds), statistics.gflops(shape, seconds), len(seconds), count * len(seconds)
    )


def _warm_up(a: Matrix, b: Matrix, c: Matrix) -> int:
    """Start the threads and settle the clock frequency; return how many products fill a round."""
    count = 1
    while (taken := _round(a, b, c, count) * count) < ROUND_SECONDS:
        count = max(2 * count, round(count * ROUND_SECONDS / max(taken, 1e-7)))
    return count


def _round(a: Matrix, b: Matrix, c: Matrix, count: int) -> float:
    began = time.perf_counter()
    for _ in range(count):
        np.matmul(a, b, out=c)
    return (time.perf_counter() - began) / count
