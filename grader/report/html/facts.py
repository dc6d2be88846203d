"""What the kernel uses, where and with what it was graded, and how to do it again. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from grader.model import Launch, Report, Resources
from grader.report.html.wording import TIMES, seconds
from grader.text.clean import one_line


@dataclass(frozen=True, slots=True)
class Fact:
    """A name and its value; `exact` is one to compare or to copy, letter by letter."""

    name: str
    value: str
    exact: bool = False


Facts = tuple[Fact, ...]


def resources(report: Report) -> Facts:
    """Each resource with a sentence on what it means."""
    if report.build is None:
        return ()
    found = report.build.resources
    return (*_launch(report.build.launch, report.rubric.launch), *(_used(found) if found else _unknown(report)))


def environment(report: Report) -> Facts:
    """Where and with what the grade was made."""
    return tuple(one for one in _environment(report) if one.value)


def stages(report: Report) -> Facts:
    """How long each stage took."""
    return tuple(Fact(name, seconds(spent)) for name, spent in report.stages.items())


def command(report: Report) -> str:
    """The command that repeats the grade on the same inputs."""
    name = one_line(report.source.name, 200)
    return f"grade run {shlex.quote(name)} --rubric RUBRIC --backend {report.machine.backend} --seed {report.seed}"


def _launch(own: Launch | None, default: Launch) -> Facts:
    launch = own or default
    block = f" {TIMES} ".join(str(side) for side in launch.block if side > 1) or "1"
    whose = "as its LAUNCH line says" if own else "as the rubric says, because the file has no LAUNCH line"
    tile = f"{launch.tile[1]} rows and {launch.tile[0]} columns"
    return (Fact("Launch", f"{block} threads per block; a block computes {tile} of C, {whose}."),)


def _used(found: Resources) -> Facts:
    shared = found.static_shared + found.dynamic_shared
    return (
        Fact("Registers", f"{found.registers} per thread. A thread can have 255; fewer let more blocks run at a time."),
        Fact("Shared memory", _shared(shared, found.dynamic_shared)),
        Fact("Local memory", _local(found.local)),
        Fact(
            "Occupancy",
            f"{found.occupancy:.0%}: {_blocks(found.blocks_per_sm)} on a multiprocessor at a time, which is that share "
            "of the threads it can hold. More threads hide more waiting for memory, up to a point.",
        ),
    )


def _shared(total: int, dynamic: int) -> str:
    if not total:
        return "None: every operand comes from global memory, through the caches."
    asked = f", {dynamic:,} of them asked for in LAUNCH" if dynamic else ""
    return f"{total:,} bytes per block{asked}. All threads of a block share them, and read them many times."


def _local(count: int) -> str:
    if not count:
        return "None: nothing spills, so every variable of a thread is in a register."
    return (
        f"{count:,} bytes per thread. They lie in device memory: registers ran out and were spilled, or an array is "
        "indexed by what the compiler does not know."
    )


def _blocks(count: int) -> str:
    return "1 block fits" if count == 1 else f"{count} blocks fit"


def _unknown(report: Report) -> Facts:
    if not report.machine.backend.capabilities.reports_resources:
        return (Fact("Registers and occupancy", "Not known here: only the compiler for a GPU can tell."),)
    return ()


def _environment(report: Report) -> Iterator[Fact]:
    machine, build = report.machine, report.build
    if machine.backend.capabilities.uses_gpu:
        yield Fact("GPU", f"{machine.device}, {machine.architecture}".strip(", "))
        if machine.peak_gflops:
            yield Fact("Theoretical peak", f"{machine.peak_gflops:,.0f} GFLOPS in float32")
        yield Fact("Clocks", _clocks(report))
    else:
        yield Fact("Simulator", f"on {machine.device or 'the processor'}, because {machine.reason}")
    yield Fact("System", machine.system)
    yield from (Fact(name, version) for name, version in machine.versions.items())
    yield Fact("Compiler", build.compiler if build else "")
    yield Fact("Command", shlex.join(build.command) if build else "", exact=True)
    yield Fact("Flags of the rubric", shlex.join(report.rubric.flags), exact=True)
    yield Fact("Seed of the inputs", str(report.seed))
    yield Fact("Started", report.started.replace("T", " "))
    yield Fact("Grader", report.grader_version)
    yield Fact("SHA-256 of the file", report.source.sha256, exact=True)
    yield Fact("SHA-256 of the rubric", report.rubric.sha256, exact=True)


def _clocks(report: Report) -> str:
    said = [one.telemetry for one in report.measurements if one.telemetry]
    if not said:
        return ""
    held = sorted({reason for one in said for reason in one.throttle})
    throttle = f"; held down by {', '.join(held)}" if held else "; never held down"
    speeds = _range([one.sm_mhz for one in said]), _range([one.memory_mhz for one in said])
    return f"SM {speeds[0]} MHz, memory {speeds[1]} MHz, at most {max(one.celsius for one in said)} °C{throttle}"


def _range(values: list[int]) -> str:
    low, high = min(values), max(values)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
