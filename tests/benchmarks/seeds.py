"""Are correct kernels accepted whatever the seed? Checks each kernel with many seeds, and compiles it once.

    python -m tests.benchmarks.seeds FIRST LAST SIZE[,SIZE...] FILE...

Runs on the simulator, in this process, with each seed from FIRST to LAST. A reference kernel is checked in its own lab
at the lab's quick sizes, any other kernel in the square lab or the one that its first line names, at these sizes or
those of its first line. Prints each kernel and each refusal, and in the end how many kernels and checks there were. A
kernel that the simulator does not support, or that is too slow for it, counts as no check.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.errors import SubmissionError
from grader.host import machine
from grader.judge.cases import cases
from grader.judge.conditions import Conditions
from grader.judge.stages import check_kernel, compile_kernel
from grader.judge.worker_pool import CHECKER
from grader.model import Backend, Fault, Limits, Rubric, Shape, Verdict
from grader.rubric import load
from grader.sandbox.starting import worker
from tests import corpus
from tests.launcher import start_here
from tests.test_corpus import FIRST_LINE, first_line

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "reference"
LABS = {None: "square", "square": "square", "tensor-cores": "tensor_cores"}
NO_CHECK = {Verdict.NOT_SUPPORTED, Verdict.TIMEOUT, Verdict.SKIPPED}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The fault of a kernel with one seed; none where it is accepted."""

    seed: int
    fault: Fault | None


def lab_of(path: Path, sizes: Sequence[int]) -> Rubric:
    """Return the lab of a kernel, with the sizes at which it is checked."""
    if REFERENCE in path.parents:
        folder = "square" if path.parent == REFERENCE else path.parent.name
        loaded = load.load(ROOT / "rubrics" / f"{folder}.toml")
        return replace(loaded, sizes=loaded.quick_sizes)
    read = FIRST_LINE.fullmatch(first_line(path))
    own = [int(size) for size in read[3].split(", ")] if read and read[3] else sizes
    loaded = load.load(ROOT / "rubrics" / f"{LABS[read[2] if read else None]}.toml")
    return replace(loaded, sizes=tuple(Shape(size, size, size) for size in own))


def outcomes(path: Path, rubric: Rubric, seeds: Sequence[int]) -> Iterator[Outcome]:
    """Check a kernel with each seed, in one worker while it lasts."""
    conditions = Conditions(rubric, machine.choose(Backend.SIMULATOR), seeds[0], start_here)
    try:
        kernel = compile_kernel(conditions, corpus.content(path), f"{path.stem}.cu")
    except SubmissionError as error:
        yield Outcome(seeds[0], error.fault)
        return
    with worker(Backend.SIMULATOR, Limits(), start_here) as checker:
        for seed in seeds:
            planned = list(cases(rubric.sizes, seed, Backend.SIMULATOR))
            checked = list(check_kernel(conditions, kernel, planned, {CHECKER: checker}))
            faults = [each.result.fault for each in checked if each.result.fault]
            yield Outcome(seed, faults[0] if faults else None)
            if faults:
                return  # the worker may be spent


def main() -> None:
    first, last, listed, *files = sys.argv[1:]
    seeds, sizes = range(int(first), int(last) + 1), [int(size) for size in listed.split(",")]
    kernels = accepted = 0
    for path in (Path(file).resolve() for file in files):
        told = list(outcomes(path, lab_of(path, sizes), seeds))
        refusals = [each for each in told if each.fault]
        kernels += not (refusals and refusals[0].fault and refusals[0].fault.verdict in NO_CHECK)
        accepted += len(told) - len(refusals)
        print(f"{path.stem}: {len(told) - len(refusals)} accepted", flush=True)
        for each in refusals:
            said = f"{each.fault.verdict}: {each.fault.sentence}" if each.fault else ""
            print(f"{path.relative_to(ROOT)}, seed {each.seed}: {said}", flush=True)
    print(f"{kernels} kernels, {accepted} checks accepted, seeds {first} to {last}", flush=True)


if __name__ == "__main__":
    main()
