"""What a student reads when a limit or a signal stops a kernel or its compilation."""

from __future__ import annotations

import re
from dataclasses import replace

from grader.host.stopped import Stopped
from grader.model import Fault, Limits, Shape, Verdict

MATRIX = re.compile(r"\w+\[")


def kernel_stopped(stopped: Stopped, limits: Limits, still: str = "", line: int | None = None) -> Fault:
    """The fault of a kernel that reached a limit; `still` says where it was, as in "; thread (0,0,0) was ..."."""
    verdict, sentence, hint = {
        Stopped.TIME: (
            Verdict.TIMEOUT,
            f"The kernel did not finish within {limits.case_seconds:.0f} s",
            "Look for a loop whose condition never becomes false, as with an unsigned or a short counter, and for "
            "threads that wait for each other, or for a value that none of them writes.",
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
        Stopped.DISK: (
            "Compiling filled the disk and was stopped.",
            "Look for arrays and tables that grow too large.",
        ),
    }[stopped]
    return Fault(Verdict.COMPILE_ERROR, sentence, hint, detail=log)
