"""What a student reads of a launch that did not end in its time."""

from __future__ import annotations

from grader.explain.finding import Asked, fault_of
from grader.explain.limits import kernel_stopped
from grader.explain.stopped_hints import GRID_HINT
from grader.host.stopped import Stopped
from grader.model import Fault, Verdict
from grader.model.findings import OutOfTime, Thread, TooSlow


def in_line(line: int | None) -> str:
    """Name a line, if it is known."""
    return f" in line {line}" if line else ""


def who(thread: Thread) -> str:
    """Name a thread at the start of a sentence."""
    return f"Thread {thread.number} of block {thread.block}"


@fault_of.register
def out_of_time(found: OutOfTime, asked: Asked) -> Fault:
    """Say which thread was still running, and what it or others waited for."""
    by, at = found.by, in_line(found.by.line)
    if found.awaits_grid:
        sentence = f"Blocks still wait at grid.sync(){at} for others that have not called it."
        return Fault(Verdict.BARRIER, sentence, GRID_HINT, by.line or None)
    thread = f"thread {by.number} of block {by.block}"
    waiting = [site for site in found.sites if site.barrier and site.threads]
    if waiting:
        site = waiting[0]
        sentence = (
            f"{site.threads} of {found.threads} threads of block {by.block} wait at the barrier in line "
            f"{site.line}, and {thread} never reaches it; it is still running{at}."
        )
        return Fault(Verdict.BARRIER, sentence, "Look for a loop that does not end for that thread.", site.line)
    return kernel_stopped(Stopped.TIME, asked.limits, f"; {thread} was still running{at}", by.line or None)


@fault_of.register
def too_slow(found: TooSlow, asked: Asked) -> Fault:
    """Say how far the simulator got; the kernel may be right."""
    sentence = (
        f"The simulator is too slow for this kernel: in {asked.limits.case_seconds:.0f} s, it ran about {found.ended} "
        f"of {found.blocks} blocks."
    )
    hint = "Grade it on a machine with a GPU. Does a loop run more often than necessary?"
    return Fault(Verdict.NOT_SUPPORTED, sentence, hint, found.line or None)
