"""Whose the kernel is, what it uses, where and with what it was graded, and the command that repeats this. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from grader.model import Report, Resources
from grader.text.clean import one_line
from grader.text.numbers import TIMES, moment, seconds


@dataclass(frozen=True, slots=True)
class Origin:
    """The student who submitted the file, and the number of the attempt; empty and 0 where not known.

    `changes` are those since the attempt before, as sentences, and `others` the student's files that are not graded.
    """

    student: str = ""
    attempt: int = 0
    changes: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """A name and its value; an `exact` value is to be compared or copied character by character."""

    name: str
    value: str
    exact: bool = False


def resources(report: Report) -> tuple[Fact, ...]:
    """Return each resource with a sentence that explains it."""
    if report.build is None:
        return ()
    if report.build.resources is not None:
        return (_launch(report), *_used(report.build.resources))
    if report.machine.backend.capabilities.uses_gpu:
        return (_launch(report),)
    counted = report.counters.registers if report.counters else 0
    if counted:
        return (_launch(report), _registers(counted), Fact("Occupancy", "Only a grade on a GPU shows this."))
    unknown = "A grade on a GPU shows both, and registers are shown wherever a kernel's accesses are counted."
    return (_launch(report), Fact("Registers and occupancy", unknown))


def environment(report: Report) -> tuple[Fact, ...]:
    """Return where and with what the grade was made."""
    return tuple(fact for fact in (*_machine(report), *_inputs(report)) if fact.value)


def stages(report: Report) -> tuple[Fact, ...]:
    """Return the time of each stage."""
    return tuple(Fact(name, seconds(spent)) for name, spent in report.stages.items())


def command(report: Report) -> str:
    """Return the command that repeats the grade on the same inputs."""
    name = one_line(report.source.name, 200)
    return f"grade run {shlex.quote(name)} --rubric RUBRIC --backend {report.machine.backend} --seed {report.seed}"


def _launch(report: Report) -> Fact:
    own = report.build.launch if report.build else None
    launch = own or report.rubric.launch
    block = f" {TIMES} ".join(str(side) for side in launch.block if side > 1) or "1"
    in_file = "as its own host code launches it" if launch.of_file else "as its LAUNCH line says"
    origin = in_file if own else "as the rubric says, because the file has no LAUNCH line"
    if not launch.has_tiles:
        grid = f" {TIMES} ".join(launch.grid_by)
        return Fact(
            "Launch", f"{f' {TIMES} '.join(launch.block_by) or block} threads per block, {grid} blocks, {origin}."
        )
    tile = f"{launch.tile[1]} rows and {launch.tile[0]} columns"
    return Fact("Launch", f"{block} threads per block; a block computes {tile} of C, {origin}.")


def _registers(number: int) -> Fact:
    return Fact("Registers", f"{number} per thread, of at most 255. With fewer, more blocks can run at a time.")


def _used(used: Resources) -> Iterator[Fact]:
    yield _registers(used.registers)
    if shared := used.static_shared + used.dynamic_shared:
        dynamic = f", {used.dynamic_shared:,} of them set in LAUNCH" if used.dynamic_shared else ""
        value = f"{shared:,} bytes per block{dynamic}. All threads of a block share them, and can read them many times."
    else:
        value = "None: every operand comes from global memory, through the caches."
    yield Fact("Shared memory", value)
    if used.local:
        value = (
            f"{used.local:,} bytes per thread, in device memory: registers were spilled, or an array has an index that "
            "is not known at compile time."
        )
    else:
        value = "None: nothing is spilled, so every variable of a thread is in a register."
    yield Fact("Local memory", value)
    blocks = "1 block fits" if used.blocks_per_sm == 1 else f"{used.blocks_per_sm} blocks fit"
    value = (
        f"{used.occupancy:.0%}: {blocks} on a multiprocessor at a time, which is that share of the threads it can "
        "hold. More threads hide more of the memory's latency, up to a point."
    )
    yield Fact("Occupancy", value)


def _machine(report: Report) -> Iterator[Fact]:
    machine = report.machine
    if machine.backend.capabilities.uses_gpu:
        yield Fact("GPU", f"{machine.device}, {machine.architecture}".strip(", "))
        if machine.peak_gflops:
            yield Fact("Theoretical peak", f"{machine.peak_gflops:,.0f} GFLOPS in float32")
        yield Fact("Clocks", _clocks(report))
    else:
        yield Fact("Simulator", f"on {machine.device or 'the CPU'}, because {machine.reason}")
    yield Fact("System", machine.system)
    yield from (Fact(name, version) for name, version in machine.versions.items())


def _inputs(report: Report) -> Iterator[Fact]:
    if report.build:
        yield Fact("Compiler", report.build.compiler)
        yield Fact("Command", shlex.join(report.build.command), exact=True)
    yield Fact("Flags of the rubric", shlex.join(report.rubric.flags), exact=True)
    yield Fact("Seed of the inputs", str(report.seed))
    yield Fact("Started", moment(report.started))
    yield Fact("Grader", report.grader_version)
    yield Fact("SHA-256 of the file", report.source.sha256, exact=True)
    yield Fact("SHA-256 of the rubric", report.rubric.sha256, exact=True)


def _clocks(report: Report) -> str:
    states = [measurement.telemetry for measurement in report.measurements if measurement.telemetry]
    if not states:
        return ""
    reasons = sorted({reason for state in states for reason in state.throttle})
    throttle = f"; reduced by {', '.join(reasons)}" if reasons else "; never reduced"
    sm, memory = _range([state.sm_mhz for state in states]), _range([state.memory_mhz for state in states])
    return f"SM {sm} MHz, memory {memory} MHz, at most {max(state.celsius for state in states)} °C{throttle}"


def _range(values: list[int]) -> str:
    low, high = min(values), max(values)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
