"""Profile one launch with Nsight Compute, in a worker of its own, which runs nothing else.

The names of metrics are those of "Metrics Structure" in NVIDIA's Nsight Compute Profiling Guide.
"""

import csv
import math
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType

from grader.contract.inputs import RUNS
from grader.contract.layout import launch_at
from grader.contract.messages import Check, End
from grader.errors import InfrastructureError
from grader.host import timeline, toolkit
from grader.host.process import run
from grader.judge.conditions import Conditions, GradePlan
from grader.judge.stages import CompiledKernel
from grader.model import Case, Counters, Profile, ProfiledCount, Report, ResourceUse, Shape
from grader.sandbox import box_files
from grader.sandbox.client import WorkerLostError
from grader.sandbox.processes import start_process
from grader.sandbox.starting import worker

LOG = "profile.csv"
PEAK = ".pct_of_peak_sustained_elapsed"
WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts"
COUNTS = MappingProxyType({
    "global load requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "global load sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global store requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "global store sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "shared load requests": "smsp__inst_executed_op_shared_ld.sum",
    "shared load wavefronts": f"{WAVEFRONTS}_mem_shared_op_ld.sum",
    "shared store requests": "smsp__inst_executed_op_shared_st.sum",
    "shared store wavefronts": f"{WAVEFRONTS}_mem_shared_op_st.sum",
    "instructions": "smsp__inst_executed.sum",
})  # fmt: skip
RESOURCES = MappingProxyType({
    "instruction issue": f"sm__inst_issued.avg{PEAK}",
    "arithmetic": f"sm__inst_executed_pipe_fma.avg{PEAK}",
    "double precision": f"sm__inst_executed_pipe_fp64.avg{PEAK}",
    "shared memory": f"{WAVEFRONTS}_mem_shared.avg{PEAK}",
    "L1 cache": f"l1tex__t_sectors.avg{PEAK}",
    "L2 cache": f"lts__t_sectors.avg{PEAK}",
    "memory": f"gpu__dram_throughput.avg{PEAK}",
})  # fmt: skip
ALL_WAVEFRONTS = f"{WAVEFRONTS}.avg{PEAK}"  # of L1 and shared memory together
COMPUTE, MEMORY = f"sm__throughput.avg{PEAK}", f"gpu__compute_memory_throughput.avg{PEAK}"
TIME = "gpu__time_duration.sum"  # nanoseconds
METRICS = (*COUNTS.values(), *RESOURCES.values(), ALL_WAVEFRONTS, COMPUTE, MEMORY,
           TIME)  # fmt: skip
REFUSED = "ERR_NVGPUCTRPERM"
MISSING = (
    "Nsight Compute (ncu) is not installed. Install the CUDA toolkit's package cuda-nsight-compute, or add ncu to PATH."
)
NOTHING = "Nsight Compute measured nothing."
NOT_ALLOWED = (
    "This user may not read the GPU's performance counters (ERR_NVGPUCTRPERM). An administrator allows it with the "
    'driver option NVreg_RestrictProfilingToAdminUsers=0: see "Beside Nsight Compute" in docs/advice.md.'
)
PROGRAM = "ncu"
SECONDS = 120.0  # for all passes of the launch: each metric of another unit needs one more
LAST_SECONDS = 30.0  # until the results are written
LOOK_SECONDS = 0.05
OWN_MIB = 4096  # memory of Nsight Compute, which also keeps what the launch overwrites
LARGEST_LOG = 1 << 20
SEVERAL = "Nsight Compute profiles no lab that gives its kernels more than A, B and C."


def profiled_shape(plan: GradePlan, report: Report) -> Shape | None:
    """Return the largest size to profile that was timed; None if there is none."""
    return max(report.speeds.keys() & set(plan.profiled_sizes), key=lambda shape: shape.flops, default=None)


def profiled(conditions: Conditions, kernel: CompiledKernel, shape: Shape, counters: Counters | None) -> Profile:
    """Return what Nsight Compute measures of a launch at a size, or why it measures nothing; it never fails."""
    if not conditions.rubric.interface.is_alone:
        return Profile(shape, SEVERAL)
    ncu = toolkit.find(PROGRAM)
    if ncu is None:
        return Profile(shape, MISSING)
    log = version = ""
    with timeline.span("launch under Nsight Compute"), suppress(InfrastructureError, OSError):
        version = _version(ncu)
        log = _log(conditions, kernel, shape, ncu)
    return profile(log, shape, counters, f"Nsight Compute {version}".rstrip())


def _log(conditions: Conditions, kernel: CompiledKernel, shape: Shape, ncu: Path) -> str:
    """Run the kernel once and return what Nsight Compute wrote; empty where it wrote nothing."""
    rubric = conditions.rubric
    limits = replace(rubric.limits, memory_mib=rubric.limits.memory_mib + OWN_MIB)
    start = partial(start_process, prefix=prefix(str(ncu), kernel.artifact.build.symbol))
    launch, case = launch_at(kernel.launch, shape), Case(shape, RUNS[1], conditions.seed)
    request = Check(kernel.artifact.build, launch, case, rubric.interface, rubric.limits)
    with worker(conditions.backend, limits, start) as watched:
        with suppress(InfrastructureError, WorkerLostError):  # the log says why
            watched.finish_opening()
            watched.install(kernel.files)
            watched.ask(request, SECONDS)
            watched.send(End())
            deadline = time.monotonic() + LAST_SECONDS
            while not watched.running.poll() and time.monotonic() < deadline:
                time.sleep(LOOK_SECONDS)
        with suppress(OSError):
            return box_files.read_plain(watched.box / LOG, LARGEST_LOG).decode("utf-8", "replace")
    return ""


def _version(ncu: Path) -> str:
    """Return the version that Nsight Compute states, such as 2025.3.0.0; empty without one."""
    version = re.search(r"Version ([\d.]+)", run([ncu, "--version"], cwd=Path.cwd(), seconds=LAST_SECONDS).text)
    return version[1] if version else ""


def prefix(ncu: str, symbol: str) -> tuple[str, ...]:
    """Return the words before the command of a worker whose first launch of a kernel is profiled.

    The grader launches a kernel of its own before it, to fill the shared memory.
    The results go to a file, so that nothing that a kernel prints is taken for one. Clocks stay as they are.
    """
    return (ncu, "--kernel-name-base", "mangled", "--kernel-name", symbol, "--launch-count", "1",
            "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base",
            "--metrics", ",".join(METRICS), "--log-file", LOG)  # fmt: skip


def profile(log: str, shape: Shape, counters: Counters | None, tool: str) -> Profile:
    """Return what the log has, beside the grader's counters if they are of the same size."""
    values = _values(log)
    if TIME not in values:
        return Profile(shape, _problem(log), tool)
    ours = counted(counters) if counters and counters.shape == shape else {}
    return Profile(
        shape=shape,
        tool=tool,
        microseconds=values[TIME] / 1e3,
        compute=values.get(COMPUTE),
        memory=values.get(MEMORY),
        counts=tuple(
            ProfiledCount(name, values[metric], ours.get(name)) for name, metric in COUNTS.items() if metric in values
        ),
        uses=_uses(values),
    )


def _values(log: str) -> dict[str, float]:
    """Return the metrics of the launch; the lines are the names, their units, and the values."""
    rows = list(csv.DictReader(line for line in log.splitlines() if line.startswith('"')))
    values: Mapping[str | None, str | Sequence[str] | None] = rows[-1] if len(rows) > 1 else {}
    return {name: number for name in METRICS if (number := _number(values.get(name))) is not None}


def _number(cell: object) -> float | None:
    try:
        number = float(str(cell).replace(",", ""))
    except ValueError:  # "n/a", or the metric is missing
        return None
    return number if math.isfinite(number) else None  # "nan" if another profiler had the counters


def _uses(values: Mapping[str, float]) -> tuple[ResourceUse, ...]:
    """Return how busy each resource is. The wavefronts of L1 that are not of shared memory belong to the L1 cache."""
    busy = {resource: values[metric] for resource, metric in RESOURCES.items() if metric in values}
    if ALL_WAVEFRONTS in values:
        own = values[ALL_WAVEFRONTS] - busy.get("shared memory", 0.0)
        busy["L1 cache"] = max(busy.get("L1 cache", 0.0), own)
    return tuple(
        ResourceUse(name, round(percent, 2)) for name, percent in sorted(busy.items(), key=lambda item: -item[1])
    )


def _problem(log: str) -> str:
    if REFUSED in log:
        return NOT_ALLOWED
    errors = [line.removeprefix("==ERROR==").strip() for line in log.splitlines() if line.startswith("==ERROR==")]
    return f"{NOTHING} Its reason: {errors[-1][:300]}" if errors else f"{NOTHING} It gave no reason."


def counted(counters: Counters) -> dict[str, int]:
    """Return the grader's counters by the names above."""
    totals = {
        f"{space} {kind} {quantity}": sum(
            getattr(access, quantity) for access in counters.accesses if (access.space, access.kind) == (space, kind)
        )
        for space, quantities in (("global", ("requests", "sectors")), ("shared", ("requests", "wavefronts")))
        for kind in ("load", "store")
        for quantity in quantities
    }
    return {**totals, "instructions": counters.instructions}
