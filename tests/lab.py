"""A small lab for tests, and functions that grade a submission in it."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from threading import current_thread

import psutil

from grader import pipeline
from grader.errors import InfrastructureError
from grader.host import installation, machine
from grader.host.confinement.mechanism import Confinement, Rules, guard
from grader.host.process import Running
from grader.judge.conditions import GradePlan
from grader.model import Backend, Fault, Limits, Machine, Purpose, Report, Rubric, State, Verdict
from grader.rubric import load
from grader.sandbox import forking
from grader.sandbox.client import Worker
from grader.sandbox.forking import Local
from grader.sandbox.processes import Start, start_process
from tests.kept_answers import start_kept

RUBRIC = """
format = 1
title = "Small lab"
points = 100
[kernel]
name = "matmul"
{interface}
[launch]
block = [16, 16]
[sizes]
correctness = {sizes}
timing = {timed}
[limits]
compile_seconds = {compile_seconds}
case_seconds = {case_seconds}
memory_mib = {memory_mib}
output_bytes = 4096
[timing]
seconds_per_size = 0.3
[baselines]
naive = "{naive}"
library = "cublas"
[[criteria]]
id = "compiles"
title = "Compiles"
kind = "compiles"
points = 20
[[criteria]]
id = "correct"
title = "Correct answers"
kind = "correct"
points = 80
"""

# How the kernel is called in each lab, and the lab's naive kernel.
SQUARE = ('parameters = ["A", "B", "C", "N"]', "naive.cu")
TENSOR_CORES = (
    'parameters = ["A", "B", "C", "M", "N", "K"]\ntypes = { A = "float16", B = "float16", C = "float32" }',
    "tensor_cores/naive.cu",
)

NAIVE = """
#include <lab.h>
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});
"""


def naive_with(line: str) -> str:
    """The naive kernel with one more line at its beginning."""
    return NAIVE.replace("    if (row", f"    {line}\n    if (row", 1)


def write_rubric(
    folder: Path,
    sizes: Sequence[int] = (33,),
    timed: Sequence[int] = (),
    kernel: tuple[str, str] = SQUARE,
    **limits: float,
) -> Path:
    path = folder / "small.toml"
    values = {"compile_seconds": 60, "case_seconds": 5, "memory_mib": 4096, **limits}
    interface, naive = kernel
    path.write_text(RUBRIC.format(sizes=list(sizes), timed=list(timed), interface=interface, naive=naive, **values))
    return path


def guardian_of(worker: Worker) -> psutil.Process:
    """The guardian of a worker on this machine."""
    assert isinstance(worker.running, Local)
    return psutil.Process(worker.running.guardian)


def in_place_of_a_worker(box: Path, *command: str) -> Local:
    """A process that nothing confines."""
    anything = (Path("/"),)
    return forking.start(guard(list(command), Rules(anything, anything, 60), Confinement.NONE, box))


def plan(submission: Path, lab: Path, seed: int = 1, start: Start = start_process) -> GradePlan:
    loaded = load.load(lab)
    naive = (installation.folder("reference") / loaded.naive).read_bytes()
    return GradePlan(submission, loaded, naive, seed, loaded.sizes, start=start)


def grade(submission: Path, lab: Path, on: Machine) -> Report:
    return pipeline.grade(plan(submission, lab), on, lambda *_: None)


class _SettledError(Exception):
    """Ends a grade as an interrupt does, with the report so far."""

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.report = report


def grade_here(content: bytes, rubric: Rubric, name: str = "submission.cu", start: Start = start_kept) -> Report:
    """Grade on the simulator with workers in this process, or others, to the end of the first size with a fault.

    Nothing is counted for advice or explained. So many kernels take the time of a few whole grades.
    """
    here = GradePlan(Path(name), rubric, b"", 1, rubric.sizes, timed=False, start=_without_debug_build(start))
    planned = Counter(case.shape for case in here.cases(Backend.SIMULATOR))

    def stop(report: Report, _step: str) -> None:
        done = Counter(result.case.shape for result in report.results)
        if any(result.fault and done[result.case.shape] == planned[result.case.shape] for result in report.results):
            raise _SettledError(report)

    try:
        return pipeline.grade_content(here, content, machine.choose(Backend.SIMULATOR), stop)
    except _SettledError as settled:
        return settled.report


def _without_debug_build(start: Start) -> Start:
    """Start no compiler for the debug build, which a thread begins after the first fault: only explanations need it."""
    asked = current_thread()

    def started(box: Path, backend: Backend, limits: Limits, purpose: Purpose) -> Running:
        if purpose is Purpose.COMPILE and current_thread() is not asked:
            raise InfrastructureError("Nothing is explained here.", "")
        return start(box, backend, limits, purpose)

    return started


def fault_here(content: bytes, rubric: Rubric, name: str = "submission.cu", start: Start = start_kept) -> Fault | None:
    """The first fault of such a grade; None for a kernel that is correct."""
    report = grade_here(content, rubric, name, start)
    assert report.state is not State.INFRASTRUCTURE_FAULT, report.infrastructure
    return first_fault(report)


def first_fault(report: Report) -> Fault | None:
    """The fault that decides the verdict: that of the build, or else of the first case that fails."""
    faults = [result.fault for result in report.results if result.fault]
    return report.fault or (faults[0] if faults else None)


def verdict(report: Report) -> Verdict:
    fault = first_fault(report)
    return fault.verdict if fault else Verdict.OK
