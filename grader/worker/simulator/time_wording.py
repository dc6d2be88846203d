"""What a student reads of a launch that did not end in its time."""

from __future__ import annotations

from dataclasses import replace

from grader.contract.limit_faults import kernel_stopped
from grader.host.stopped import Stopped
from grader.model import Fault, Limits, Verdict
from grader.worker.simulator.engine.faults import DeviceFault
from grader.worker.simulator.fault_hints import ENDLESS_PHASE_HINT, GRID_HINT, VALUE_HINT

MATRICES = ("A", "B", "C")


def in_line(line: int) -> str:
    """Name a line, if it is known."""
    return f" in line {line}" if line else ""


def out_of_time(fault: DeviceFault, limits: Limits) -> Fault:
    """Say which thread was still running, and what it or others waited for."""
    if fault.awaits_grid:
        sentence = f"Blocks still wait at grid.sync(){in_line(fault.line)} for others that have not called it."
        return Fault(Verdict.BARRIER, sentence, GRID_HINT, fault.line or None)
    who = f"thread {fault.thread} of block {fault.block}"
    doing = f"waiting for {_awaited(fault)}" if fault.awaits_value else "running"
    waiting = [site for site in fault.sites if site.barrier and site.threads]
    if waiting:
        site = waiting[0]
        sentence = (
            f"{site.threads} of {fault.threads} threads of block {fault.block} wait at the barrier in line "
            f"{site.line}, and {who} never reaches it; it is still {doing}{in_line(fault.line)}."
        )
        hint = VALUE_HINT if fault.awaits_value else "Look for a loop that does not end for that thread."
        return Fault(Verdict.BARRIER, sentence, hint, site.line)
    stopped = kernel_stopped(
        Stopped.TIME, limits, f"; {who} was still {doing}{in_line(fault.line)}", fault.line or None
    )
    if fault.awaits_object:
        return replace(stopped, hint=ENDLESS_PHASE_HINT)
    return replace(stopped, hint=VALUE_HINT) if fault.awaits_value else stopped


def _awaited(fault: DeviceFault) -> str:
    """Return the variable, or the element of an array, whose value a loop waits for."""
    space, _, name = fault.buffer.partition(" ")
    name = space if space in MATRICES else name
    if not fault.size or not name or not 0 <= fault.offset < fault.extent:
        return "a value in memory"
    shared = "shared " if space in {"shared", "scalar"} else ""
    if fault.size >= fault.extent:
        return f"the value of the {shared}variable {name}"
    array = f"the {shared}array {name}" if shared else name
    return f"the value of element {fault.offset // fault.size} of {array}"


def too_slow(fault: DeviceFault, limits: Limits) -> Fault:
    """Say how far the simulator got; the kernel may be right."""
    sentence = (
        f"The simulator is too slow for this kernel: in {limits.case_seconds:.0f} s, it ran about {fault.size} of "
        f"{fault.extent} blocks."
    )
    hint = "Grade it on a machine with a GPU. Does a loop run more often than necessary?"
    return Fault(Verdict.NOT_SUPPORTED, sentence, hint, fault.line or None)
