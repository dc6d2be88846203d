"""The verdicts of the simulator beside those of a GPU, which the submissions' first lines name.

python tests/benchmarks/gpu_parity.py [WORD...]   all submissions, or those whose name contains one of the words

Prints a line for each submission with another verdict, or whose explanation lacks the words of `; says:`. Kernels of
this repository are correct. docs/measurements.md has the differences and their reasons.
"""

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from grader.host import machine
from grader.model import Backend, Machine, State, Verdict
from tests import corpus, lab
from tests.test_corpus import ALL, LABS, OURS, SIZES, Expected, expected, name

LIMITS: dict[str, Any] = {"compile_seconds": 20, "case_seconds": 30, "memory_mib": 4096}

OWN = Expected(frozenset({Verdict.OK}), "square", "")


def difference(path: Path, rubrics: dict[str, Path], simulator: Machine) -> str:
    """What differs from the first line; empty where nothing does."""
    want = OWN if path in OURS else expected(path, Backend.CUDA)
    report = lab.grade(corpus.handed_in(path, rubrics[want.lab].parent), rubrics[want.lab], simulator)
    if report.state is not State.FINISHED:
        return f"grader error: {report.infrastructure}"
    verdict, fault = lab.verdict(report), lab.first_fault(report)
    if verdict not in want.verdicts:
        return f"{verdict}, and not {' or '.join(sorted(want.verdicts))}: {fault.sentence if fault else ''}"
    if fault and want.says.lower() not in f"{fault.sentence} {fault.hint}".lower():
        return f"does not say {want.says!r}: {fault.sentence}"
    return ""


def main(words: list[str]) -> None:
    simulator = machine.choose(Backend.SIMULATOR)
    chosen = [path for path in (*ALL, *OURS) if not words or any(word in name(path) for word in words)]
    with tempfile.TemporaryDirectory() as folder:
        rubrics = {}
        for title, kernel in LABS.items():
            own = Path(folder) / title
            own.mkdir()
            rubrics[title] = lab.write_rubric(own, SIZES, kernel=kernel, **LIMITS)
        began, differences = time.monotonic(), 0
        for path in chosen:
            if what := difference(path, rubrics, simulator):
                differences += 1
                print(f"{name(path):50} {what}", flush=True)
        print(f"{differences} of {len(chosen)} submissions differ; {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
