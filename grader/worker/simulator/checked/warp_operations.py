"""The findings of `warp_masks.py` as facts, and in sentences for a student."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model import Fault, Verdict
from grader.worker.simulator.analysis.geometry import Dim3
from grader.worker.simulator.checked.touches import Touch, axes, coordinates, touch_of
from grader.worker.simulator.checked.warp_masks import first_left_out, first_missing_source
from grader.worker.simulator.engine.program import Kernel
from grader.worker.simulator.engine.trace import Events


@dataclass(frozen=True, slots=True)
class LeftOutFound:
    """A warp operation in a thread that its mask leaves out."""

    call: Touch
    mask: int


@dataclass(frozen=True, slots=True)
class MissingSourceFound:
    """A shuffle that reads from a thread which does not take part in it."""

    call: Touch
    source: Dim3
    rounds_before: int


def left_out_found(kernel: Kernel, grid: Dim3, events: Events) -> LeftOutFound | None:
    """Return the first warp operation in a thread that its mask leaves out."""
    found = first_left_out(events)
    return LeftOutFound(touch_of(kernel, grid, events, found.event, found.thread), found.mask) if found else None


def missing_source_found(kernel: Kernel, grid: Dim3, events: Events) -> MissingSourceFound | None:
    """Return the first shuffle that reads from a thread which does not take part in it."""
    found = first_missing_source(events)
    if found is None:
        return None
    call = touch_of(kernel, grid, events, found.event, found.thread)
    return MissingSourceFound(call, coordinates(found.source, kernel.block), found.rounds_before)


def left_out(found: LeftOutFound) -> Fault:
    """Return the fault of a warp operation in a thread that its mask leaves out."""
    call = found.call
    sentence = (
        f"Line {call.line} calls a warp operation, such as a shuffle, in thread {axes(call.thread)} of block "
        f"{axes(call.block)}, but its mask 0x{found.mask & 0xFFFFFFFF:08x} leaves this thread out: the result is "
        "undefined."
    )
    hint = (
        "The mask must name every thread of the warp that makes the call: 0xffffffff if all 32 make it, or the result "
        "of a __ballot_sync() of them before the if. Let all threads that the mask names make the call."
    )
    return Fault(Verdict.WARP_MASK, sentence, hint, call.line or None)


def missing_source(found: MissingSourceFound) -> Fault:
    """Return the fault of a shuffle from a thread that does not take part."""
    call = found.call
    sentence = (
        f"Line {call.line} reads a value of thread {axes(found.source)} in thread {axes(call.thread)} of block "
        f"{axes(call.block)} by a shuffle in which thread {axes(found.source)} does not take part, and C depends on "
        "the value, which is undefined."
    )
    if found.rounds_before:
        hint = (
            f"The shuffle is in a loop that thread {axes(found.source)} has left, or in an if in that loop: it has "
            f"made the call {_times(found.rounds_before)} before. Let all 32 threads make the same number of rounds, "
            "with 0 for what lies beyond the end, or put the shuffle behind the loop."
        )
        return Fault(Verdict.WARP_MASK, sentence, hint, call.line or None)
    hint = (
        "Only threads that make the call and are in its mask have a value. Call the shuffle with all 32 threads, "
        "outside of the if, and outside of loops that end earlier for some of them. __activemask() names the threads "
        "that happen to be there, not those that you need."
    )
    return Fault(Verdict.WARP_MASK, sentence, hint, call.line or None)


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
