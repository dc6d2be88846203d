"""What a student reads of a kernel or a compiler that reached a limit."""

from __future__ import annotations

import re
from dataclasses import replace

from grader.explain import hints
from grader.explain.elements import in_line
from grader.explain.finding import Asked, fault_of
from grader.host.stopped import Stopped
from grader.model import Fault, Limits, Shape, Verdict
from grader.model.findings import OutOfTime, TooSlow
from grader.model.hints import GeneralHint

MATRIX = re.compile(r"\w+\[")


def kernel_stopped(stopped: Stopped, limits: Limits, still: str = "", line: int | None = None) -> Fault:
    """The fault of a kernel that reached a limit; `still` says where it was, as in "; thread (0,0,0) was ..."."""
    verdict, sentence, hint = {
        Stopped.TIME: (
            Verdict.TIMEOUT,
            f"The kernel did not finish within {limits.case_seconds:.0f} s",
            GeneralHint(
                "Look for a loop whose condition never becomes false, as with an unsigned or a short counter, and for "
                "threads that wait for each other, or for a value that none of them writes."
            ),
        ),
        Stopped.MEMORY: (
            Verdict.MEMORY,
            f"The kernel used more than {limits.memory_mib} MiB of memory",
            "Look for malloc in the kernel, for large local arrays, and for what it prints.",
        ),
        Stopped.OUTPUT: (
            Verdict.OUTPUT,
            f"The kernel printed more than {limits.output_bytes} bytes",
            "Remove printf, or let one thread of one block print.",
        ),
        Stopped.DISK: (Verdict.OUTPUT, "The kernel filled the disk", "Remove the code that writes files."),
    }[stopped]
    return Fault(verdict, f"{sentence}{still}.", hint, line)


def kernel_crashed(shape: Shape, signal: int) -> Fault:
    """The fault of a kernel whose process a signal has ended; 0 where none is known."""
    by = f" (signal {signal})" if signal else ""
    sentence = f"The kernel's process crashed at {shape}{by}."
    return Fault(Verdict.CRASHED, sentence, "Look for indices outside their array.")


def at_size(fault: Fault, shape: Shape) -> Fault:
    """The fault with the size in its sentence."""
    return replace(fault, sentence=f"At {shape}: {clause_of(fault)}")


def clause_of(fault: Fault) -> str:
    """The sentence of a fault as a part of another one; the name of a matrix stays as it is."""
    sentence = fault.sentence
    return sentence if MATRIX.match(sentence) else sentence[:1].lower() + sentence[1:]


def compiler_stopped(stopped: Stopped, limits: Limits, log: str = "") -> Fault:
    """The fault of a file whose compilation reached a limit."""
    sentence, hint = {
        Stopped.TIME: (
            f"Compiling took more than {limits.compile_seconds:g} s of CPU time, which is the limit.",
            "Look for templates, macros or unrolled loops that generate too much code.",
        ),
        Stopped.MEMORY: (
            f"The compiler needed more than {limits.memory_mib} MiB of memory, which is the limit.",
            "Look for templates, unrolled loops or arrays that grow too large.",
        ),
        Stopped.OUTPUT: (
            "The compiler printed too much and was stopped.",
            "Remove the directives that print, such as #pragma message.",
        ),
        Stopped.DISK: ("Compiling filled the disk and was stopped.", "Look for arrays and tables that grow too large."),
    }[stopped]
    return Fault(Verdict.COMPILE_ERROR, sentence, hint, detail=log)


@fault_of.register
def out_of_time(found: OutOfTime, asked: Asked) -> Fault:
    """Say which thread was still running, and what it or others waited for."""
    by, at = found.by, in_line(found.by.line)
    if found.awaits_grid:
        sentence = f"Blocks still wait at grid.sync(){at} for others that have not called it."
        return Fault(Verdict.BARRIER, sentence, hints.GRID, by.line or None)
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
