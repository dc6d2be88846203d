"""What a trace shows besides races, in sentences for a student: what happened, where, and what to try."""

from __future__ import annotations

from dataclasses import replace

from grader.explain import hints
from grader.explain.elements import axes, element, place_in
from grader.explain.finding import Asked, fault_of
from grader.model import Fault, Verdict
from grader.model.hints import GeneralHint
from grader.ptxsim.records.races import VariableKind
from grader.ptxsim.records.traced import LeftOut, MissingSource, OutsideVariable, SecondLaunch, UnsetRead, UnsetVariable


@fault_of.register
def _outside_variable(found: OutsideVariable, _: Asked) -> Fault:
    """Return the fault of an access outside a variable or outside memory from malloc."""
    access, memory = found.access, found.name or "memory from malloc() or new"
    place = f": {place_in(found.offset, found.size, found.element)}" if found.size else ""
    sentence = (
        f"Thread {axes(access.thread)} of block {axes(access.block)} {'reads' if access.reads else 'writes'} outside "
        f"{memory} in line {access.line}{place}."
    )
    hint = hints.VARIABLE
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


WHO = " Does a thread return early or skip its part?"


@fault_of.register
def unset_memory(found: UnsetRead, asked: Asked) -> Fault:
    """Return the fault of a read of shared memory that was never set, and whose value reaches C."""
    read, sentence = found.read, f"{_unset_read(found, asked)}, and C depends on the value."
    hint: str = GeneralHint(
        "Shared memory is not zero at the start. The threads must write every element that is read before the "
        f"__syncthreads(), with 0 beyond the edges of the matrices.{WHO}"
    )
    if found.memory.kind is VariableKind.WHOLE:
        hint = (
            "Shared memory is not zero at the start. Let one thread set the variable, and put a __syncthreads() "
            "between that and the first read."
        )
    if read.atomic:
        hint = (
            f"Shared memory is not zero at the start. Set {found.memory.name or 'each sum'} to 0 before line "
            f"{read.line} adds to it, and put a __syncthreads() between the two."
        )
    if found.may_race:
        hint = (
            f"Does any thread set it? If one does, a __syncthreads() between that and line {read.line} is missing. "
            "This launch does more than is recorded, so it does not show which of the two it is."
        )
    return Fault(Verdict.UNSET_MEMORY, sentence, hint, read.line or None)


def unused(found: UnsetRead, asked: Asked) -> str:
    """Return the remark on a read of shared memory that was never set, and whose value does not reach C."""
    return f"{_unset_read(found, asked)}. C does not depend on the value here."


def _unset_read(found: UnsetRead, asked: Asked) -> str:
    read, what = found.read, element(found.memory, asked.interface, asked.shape)
    where = f"in thread {axes(read.thread)} of block {axes(read.block)}"
    return f"Line {read.line} reads {what} {where} before any thread has written it"


@fault_of.register
def unset_variable(found: UnsetVariable, _: Asked) -> Fault:
    """Return the fault of something that is used before it is set."""
    candidates = {
        "a variable": bool(found.lines),
        "an element of a local array": found.is_local,
        "an element of shared memory": found.is_shared,
    }
    names = [name for name, possible in candidates.items() if possible]
    line = found.lines[0] or None if len(found.lines) == len(names) == 1 else None
    user = f"Line {line}" if line else "The kernel"
    sentence = f"{user} uses {' or '.join(names)} that was never set, and C depends on its value."
    hint = "Does every sum start at zero? Is everything that the last, partial step uses set in that step?"
    if found.is_local and len(names) == 1:
        hint = f"{hint} {hints.OF_ONE_THREAD}"
    return Fault(Verdict.UNSET_MEMORY, sentence, GeneralHint(hint), line)
