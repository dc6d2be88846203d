"""What a trace shows besides races, in sentences for a student: what happened, where, and what to try."""

from __future__ import annotations

from dataclasses import replace

from grader.explain.elements import axes, place_in
from grader.explain.finding import Asked, fault_of
from grader.explain.stopped_hints import VARIABLE_HINT
from grader.model import Fault, Verdict
from grader.ptxsim.records.traced import LeftOut, MissingSource, OutsideVariable, SecondLaunch


@fault_of.register
def _outside_variable(found: OutsideVariable, _: Asked) -> Fault:
    """Return the fault of an access outside a variable or outside memory from malloc."""
    access, memory = found.access, found.name or "memory from malloc() or new"
    place = f": {place_in(found.offset, found.size, found.element)}" if found.size else ""
    sentence = (
        f"Thread {axes(access.thread)} of block {axes(access.block)} {'reads' if access.reads else 'writes'} outside "
        f"{memory} in line {access.line}{place}."
    )
    hint = VARIABLE_HINT
    if not found.name:
        hint = "Compare the index with the number of elements. malloc() expects bytes: elements times sizeof(float)."
    return Fault(Verdict.OUT_OF_BOUNDS, sentence, hint, access.line or None)


@fault_of.register
def _left_out(found: LeftOut, _: Asked) -> Fault:
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


@fault_of.register
def _missing_source(found: MissingSource, _: Asked) -> Fault:
    """Return the fault of a shuffle from a thread that does not take part."""
    call, source = found.call, f"thread {axes(found.source)}"
    sentence = (
        f"Line {call.line} reads a value of {source} in thread {axes(call.thread)} of block {axes(call.block)} by a "
        f"shuffle in which {source} does not take part, and C depends on the value, which is undefined."
    )
    hint = (
        "Only threads that make the call and are in its mask have a value. Call the shuffle with all 32 threads, "
        "outside of the if, and outside of loops that end earlier for some of them. __activemask() names the threads "
        "that happen to be there, not those that you need."
    )
    return Fault(Verdict.WARP_MASK, sentence, hint, call.line or None)


@fault_of.register
def _second_launch(found: SecondLaunch, asked: Asked) -> Fault:
    """Return the fault of a race that old values cause."""
    race = fault_of(found.race, asked)
    hint = (
        "A __device__ variable keeps its value from launch to launch. Give each flag and counter its first value again "
        "before the kernel ends, in the last block that needs it; or count up, so that each launch waits for a number "
        "of its own."
    )
    sentence = f"In a second launch, __device__ variables still have the values of the first. {race.sentence}"
    return replace(race, sentence=sentence, hint=hint)
