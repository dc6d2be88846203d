"""Profile one launch with Nsight Compute, in a worker of its own, which runs nothing else."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from grader.advice import nsight_compute
from grader.contract.inputs import RUNS
from grader.contract.layout import launch_at
from grader.contract.messages import Check, End
from grader.errors import InfrastructureError
from grader.host import timeline, toolkit
from grader.host.process import run
from grader.judge.grade_plan import GradePlan
from grader.model import Case, Counters, Profile, Report, Shape
from grader.sandbox import box_files
from grader.sandbox.client import Worker, WorkerLostError
from grader.sandbox.processes import start_process
from grader.sandbox.starting import worker
from grader.timing.stages import Conditions
from grader.timing.subjects import Subject

PROGRAM = "ncu"
SECONDS = 120.0  # for all passes of the launch: each metric of another unit needs one more
LAST_SECONDS = 30.0  # until the results are written
LOOK_SECONDS = 0.05
OWN_MIB = 4096  # memory of Nsight Compute, which also keeps what the launch overwrites
LARGEST_LOG = 1 << 20
SEVERAL = "Nsight Compute profiles no lab that gives its kernels more than A, B and C."


def profiled_shape(plan: GradePlan, report: Report) -> Shape | None:
    """Return the largest size to profile that was timed; None if there is none."""
    timed = {measurement.shape for measurement in report.measurements}
    return max(timed & set(plan.profiled_sizes), key=lambda shape: shape.flops, default=None)


def profiled(conditions: Conditions, kernel: Subject, shape: Shape, counters: Counters | None) -> Profile:
    """Return what Nsight Compute measures of a launch at a size, or why it measures nothing; it never fails."""
    if not conditions.rubric.interface.is_alone:
        return Profile(shape, SEVERAL)
    ncu = toolkit.find(PROGRAM)
    if ncu is None:
        return Profile(shape, nsight_compute.MISSING)
    log = version = ""
    with timeline.span("launch under Nsight Compute"), suppress(InfrastructureError, OSError):
        version = _version(ncu)
        log = _log(conditions, kernel, shape, ncu)
    return nsight_compute.profile(log, shape, counters, f"Nsight Compute {version}".rstrip())


def _log(conditions: Conditions, kernel: Subject, shape: Shape, ncu: Path) -> str:
    """Run the kernel once and return what Nsight Compute wrote; empty where it wrote nothing."""
    if kernel.artifact is None:
        raise ValueError("a product of the library is not profiled")
    rubric = conditions.rubric
    limits = replace(rubric.limits, memory_mib=rubric.limits.memory_mib + OWN_MIB)
    start = partial(start_process, prefix=nsight_compute.prefix(str(ncu), kernel.artifact.build.symbol))
    launch, case = launch_at(kernel.launch, shape), Case(shape, RUNS[1], conditions.seed)
    request = Check(kernel.artifact.build, launch, case, rubric.interface, rubric.limits)
    with worker(conditions.machine.backend, limits, start) as watched:
        with suppress(InfrastructureError, WorkerLostError):  # the log says why
            watched.finish_opening()
            watched.install(kernel.files)
            watched.ask(request, SECONDS)
            watched.send(End())
            _wait_for_end(watched)
        with suppress(OSError):
            return box_files.read_plain(watched.box / nsight_compute.LOG, LARGEST_LOG).decode("utf-8", "replace")
    return ""


def _wait_for_end(watched: Worker) -> None:
    deadline = time.monotonic() + LAST_SECONDS
    while not watched.running.poll() and time.monotonic() < deadline:
        time.sleep(LOOK_SECONDS)


def _version(ncu: Path) -> str:
    """Return the version that Nsight Compute states, such as 2025.3.0.0; empty without one."""
    version = re.search(r"Version ([\d.]+)", run([ncu, "--version"], cwd=Path.cwd(), seconds=LAST_SECONDS).text)
    return version[1] if version else ""
