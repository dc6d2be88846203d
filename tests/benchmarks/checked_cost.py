"""What checked launches cost: CPU seconds of `grade check` on the simulator with them and without, in turn.

python -m tests.benchmarks.checked_cost [RUNS]

The cache is empty before each check, as for a file that has changed, or has what a check before, which does not count,
has kept. OpenBLAS, which computes the expected products, has one thread: others use CPU time while they wait.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
KERNELS = (
    *(f"reference/{name}.cu" for name in ("naive", "tiled_16", "tiled_32", "register_blocked")),
    *(f"tests/submissions/honest/{name}.cu" for name in ("permuted_table_of_constants", "dynamic_shared_227k")),
)
WITH = "from grader.__main__ import main; main()"
WITHOUT = f"from grader.judge import cases; cases._checked_sizes = lambda sizes: (); {WITH}"


def seconds(program: str, kernel: str, cache: str) -> float:
    """Return the CPU seconds of one check with all of its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    arguments = ("check", kernel, "--backend", "simulator", "--seed", "1", "--again")
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1", "GRADER_CACHE": cache}
    line = [sys.executable, "-c", program, *arguments]
    subprocess.run(line, check=True, capture_output=True, cwd=ROOT, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def cold(program: str, kernel: str) -> float:
    """Return the CPU seconds of a check with an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        return seconds(program, kernel, cache)


def rows(kernel: str, runs: int) -> Iterator[str]:
    """Yield the rows of a kernel."""
    yield _row(kernel, "empty", [(cold(WITH, kernel), cold(WITHOUT, kernel)) for _ in range(runs)])
    with tempfile.TemporaryDirectory() as cache:
        seconds(WITH, kernel, cache)
        each = [(seconds(WITH, kernel, cache), seconds(WITHOUT, kernel, cache)) for _ in range(runs)]
        yield _row(kernel, "kept", each)


def _row(kernel: str, cache: str, each: Sequence[tuple[float, float]]) -> str:
    columns = list(zip(*each, strict=True))
    difference = statistics.median(columns[0]) - statistics.median(columns[1])
    figures = (", ".join(f"{figure:.2f}" for figure in column) for column in columns)
    return f"| `{Path(kernel).stem}` | {cache} | {' | '.join(figures)} | {difference:.2f} |"


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    print("| kernel | cache | with | without | difference of the medians |\n|---|---|---|---|---|", flush=True)
    for kernel in KERNELS:
        for row in rows(kernel, runs):
            print(row, flush=True)


if __name__ == "__main__":
    main()
