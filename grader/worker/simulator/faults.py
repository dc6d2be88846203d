"""What the runtime left in its report, as a fault that a student can act on."""

from __future__ import annotations

import re
from pathlib import Path

from grader.contract.limit_faults import kernel_stopped
from grader.errors import InfrastructureError
from grader.host import process
from grader.host.cxx_compiler import environment
from grader.model import Fault, Limits, Verdict
from grader.worker.simulator.fault_report import Facts, in_line, number, text, thread, triple
from grader.worker.simulator.source import NAME
from grader.worker.simulator.warp_faults import WARP_FAULTS

NULL_BYTES = 1 << 20  # addresses below are offsets from a null pointer
STUCK_MS = 1000  # no barrier passed for so long: the block does not just have much to do


def explain(facts: Facts, artifact: Path, box: Path, limits: Limits) -> Fault:
    """Return the fault behind a report.

    Raises:
        InfrastructureError: the machine refused memory or confinement.

    """
    kind = facts["kind"]
    if kind == "no-memory":
        raise InfrastructureError("The simulator could not get memory from this machine")
    if kind == "unconfined":
        raise InfrastructureError("This machine does not let the simulator confine native code (seccomp)")
    at = source_line(number(facts, "pc"), artifact, box)
    if kind == "time":
        return _time(facts, at, limits)
    if kind == "output":
        return kernel_stopped(process.Stopped.OUTPUT, limits)
    line = number(facts, "line0") or at
    makers = {
        "memory": _memory,
        "barrier": _barrier,
        "deadlock": _deadlock,
        "system-call": _system_call,
        "static-shared": _beside_static,
        "dynamic-shared": _beside_dynamic,
        "too-much-shared": _too_much_shared,
        **WARP_FAULTS,
    }
    if kind in makers:
        return makers[str(kind)](facts, line)
    return _plain(str(kind), facts, line)


def source_line(address: int, artifact: Path, box: Path) -> int | None:
    """Return the line that an address comes from, callers of inlined functions included."""
    if not 0 < address < 1 << 63:
        return None
    try:
        ended = process.run(
            ["addr2line", "-i", "-e", artifact, hex(address)], cwd=box, seconds=20, env=environment(box)
        )
    except InfrastructureError:
        return None  # no binutils: a fault without its line is still a fault
    found = re.search(rf"(?:^|/){re.escape(NAME)}:(\d+)", ended.text, re.MULTILINE)
    return int(found[1]) or None if found else None


def _plain(kind: str, facts: Facts, line: int | None) -> Fault:
    who = thread(facts)
    sentences = {
        "stack": (
            Verdict.CRASHED,
            f"{who} ran out of stack{in_line(line)}.",
            "A device function that calls itself has to end, and large arrays belong in shared or global memory.",
        ),
        "divide": (Verdict.CRASHED, f"{who} divides an integer by zero{in_line(line)}.", "Check the divisor."),
        "trap": (Verdict.CRASHED, f"{who} called __trap(){in_line(line)}.", "The kernel stops itself there."),
        "assert": (
            Verdict.CRASHED,
            f"An assertion failed in {_inner(who)}{in_line(line)}: {text(facts, 'expression')}",
            "The kernel's own check found something that it does not expect.",
        ),
        "illegal": (
            Verdict.CRASHED,
            f"{who} came to a place that the compiler thought impossible{in_line(line)}.",
            "Look for a function without a return value, or an index that is always outside of its array.",
        ),
        "misaligned": (
            Verdict.CRASHED,
            f"{who} accesses an address that is not a multiple of {number(facts, 'alignment')} bytes{in_line(line)}.",
            "A float4 must start at a multiple of 16 bytes, a float2 at a multiple of 8: check the index "
            "before reinterpret_cast, above all when N is not a multiple of 4.",
        ),
        "copy-size": (
            Verdict.CRASHED,
            f"{who} starts a copy of {number(facts, 'bytes')} bytes{in_line(line)}, "
            f"{number(facts, 'zeros')} of them zero.",
            "__pipeline_memcpy_async copies 4, 8 or 16 bytes, and its last argument is how many of these are zeroed.",
        ),
    }
    verdict, sentence, hint = sentences.get(kind, (Verdict.CRASHED, f"{who} crashed{in_line(line)}.", ""))
    return Fault(verdict, sentence, hint, line)


def _memory(facts: Facts, line: int | None) -> Fault:
    access = {0: "reads", 1: "writes"}.get(number(facts, "write"), "accesses")
    address, offset, nbytes = number(facts, "address"), number(facts, "offset"), number(facts, "bytes")
    element = max(1, number(facts, "element"))
    name = facts.get("buffer")
    detail = f"address {address & (1 << 64) - 1:#x}"
    if name not in ("A", "B", "C"):
        what = (
            "through a null pointer"
            if 0 <= address < NULL_BYTES and not number(facts, "wild")
            else "memory that belongs to no matrix"
        )
        hint = "Check how the pointer or index is computed, and the indices of shared and local arrays."
        return Fault(Verdict.OUT_OF_BOUNDS, f"{thread(facts)} {access} {what}{in_line(line)}.", hint, line, detail)
    elements = nbytes // element
    place = (
        f"{_count(-offset, element)} before its start"
        if offset < 0
        else f"index {offset // element}, which is "
        + (f"{_count(offset - nbytes, element, inclusive=True)} past its end")
    )
    sentence = f"{thread(facts)} {access} outside {name}{in_line(line)}: {place} ({name} has {elements} elements)."
    hint = "Compare row, column and k with the size of the matrix before every access."
    return Fault(Verdict.OUT_OF_BOUNDS, sentence, hint, line, detail)


def _count(distance: int, element: int, *, inclusive: bool = False) -> str:
    count = distance // element + 1 if inclusive else -(-distance // element)
    return f"{count} element{'' if count == 1 else 's'}"


def _barrier(facts: Facts, line: int | None) -> Fault:
    threads, returned = number(facts, "threads"), number(facts, "returned")
    sites = _sites(facts)
    block = triple(facts, "block")
    if len(sites) > 1:
        listing = " and ".join(f"{count} at line {at}" for at, count, _ in sites)
        sentence = f"The threads of block {block} wait at different barriers: {listing}."
        hint = "Every thread of a block must reach the same __syncthreads(); move it out of the if."
    else:
        sentence = (
            f"The barrier at line {line} was reached by {threads - returned} of {threads} threads of block {block}; "
            f"the others had already returned."
        )
        hint = "Do not return before the barrier: put the bounds check around the loads and the store instead."
    return Fault(Verdict.BARRIER, sentence, hint, line)


def _deadlock(facts: Facts, line: int | None) -> Fault:
    parts = [
        f"{count} wait at {'the barrier' if barrier else 'a warp operation'} in line {at}"
        for at, count, barrier in _sites(facts)
    ]
    returned = number(facts, "returned")
    if returned:
        parts.append(f"{returned} have returned")
    sentence = (
        f"No thread of block {triple(facts, 'block')} can go on: of {number(facts, 'threads')}, {', '.join(parts)}."
    )
    hint = "All lanes named in a mask must reach the warp operation, and all threads of a block the barrier."
    return Fault(Verdict.BARRIER, sentence, hint, line)


def _time(facts: Facts, at: int | None, limits: Limits) -> Fault:
    """`at` is where a thread was running; the report's own line is the barrier at which others wait."""
    waiting, barrier = number(facts, "waiting"), number(facts, "line0")
    if waiting > 0 and barrier > 0 and number(facts, "stuck_ms") > STUCK_MS:
        sentence = (
            f"{waiting} of {number(facts, 'threads')} threads of block {triple(facts, 'block')} wait at the barrier "
            f"in line {barrier}, and thread {triple(facts, 'thread')} never comes; it is still running{in_line(at)}."
        )
        return Fault(Verdict.BARRIER, sentence, "Look for a loop that does not end for that thread.", barrier)
    return kernel_stopped(process.Stopped.TIME, limits, f"; {_inner(thread(facts))} was still running{in_line(at)}", at)


def _system_call(facts: Facts, line: int | None) -> Fault:
    sentence = f"The kernel asks the operating system for something (call {number(facts, 'number')}){in_line(line)}."
    return Fault(Verdict.CRASHED, sentence, "A kernel computes; it cannot open files or start processes.", line)


def _beside_static(facts: Facts, line: int | None) -> Fault:
    sentence = f"Block {triple(facts, 'block')} writes outside its __shared__ arrays."
    hint = "Compare the indices of every store to shared memory with the sizes in its declaration."
    return Fault(Verdict.OUT_OF_BOUNDS, sentence, hint, line)


def _beside_dynamic(facts: Facts, line: int | None) -> Fault:
    given = number(facts, "bytes")
    sentence = f"Block {triple(facts, 'block')} writes past the {given} bytes of dynamic shared memory of its launch."
    hint = "Give LAUNCH as many .shared bytes as the kernel uses, or check the indices."
    return Fault(Verdict.OUT_OF_BOUNDS, sentence, hint, line)


def _too_much_shared(facts: Facts, line: int | None) -> Fault:
    sentence = f"The kernel declares {number(facts, 'bytes')} bytes of static shared memory; a GPU allows 49152."
    return Fault(Verdict.LAUNCH_FAILED, sentence, "Use a smaller tile, or dynamic shared memory.", line)


def _sites(facts: Facts) -> list[tuple[int, int, bool]]:
    """Line, number of threads that wait there, and whether it is a barrier of the block."""
    sites = [
        (number(facts, f"line{i}"), number(facts, f"count{i}"), number(facts, f"barrier{i}") == 1) for i in range(4)
    ]
    return [site for site in sites if site[1] > 0]


def _inner(subject: str) -> str:
    """Return the subject as it stands within a sentence."""
    return subject[0].lower() + subject[1:]
