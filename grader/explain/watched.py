"""What compute-sanitizer finds, in sentences for a student: what happened, where, and what to try."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from grader.contract.messages import SEARCH_SECONDS
from grader.errors import InfrastructureError
from grader.explain import hints
from grader.explain.elements import axes, in_line, of_thread, reads_or_writes
from grader.explain.finding import Asked, fault_of
from grader.model import Fault, Verdict, watched
from grader.model.findings import Thread
from grader.model.watched import NotWatched, Watched, WatchedRace

ELEMENT = 4  # bytes of a float, the longest element that most matrices have
UNORDERED = "nothing makes one of them wait for the other"
TOLERATED = "This GPU tolerates that, CUDA does not allow it."
Words: TypeAlias = tuple[Verdict, str, str]  # with the sentence and the hint


@fault_of.register
def watched_fault(found: Watched, _: Asked) -> Fault:
    """Return the fault of records of one kind: the first in the sentence, the others in the detail."""
    first, *others = found.records
    verdict, sentence, hint = _words(first)
    threads = (first.first, first.second) if isinstance(first, WatchedRace) else (first.by,)
    line = min((thread.line for thread in threads if thread.line), default=None)
    detail = "\n".join(_words(other)[1] for other in others)
    fault = Fault(verdict, sentence, hint, line, detail)
    if not isinstance(first, WatchedRace):
        return fault
    pair = tuple(of_thread(*each) for each in zip(threads, map(reads_or_writes, first.writes), strict=True))
    return replace(fault, accesses=pair, memory=_byte(first), missing=UNORDERED)


@fault_of.register
def _of_no_launch(found: NotWatched, _: Asked) -> Fault:
    """Raise InfrastructureError: nothing is known of the launch."""
    raise InfrastructureError(not_watched(found))


def tolerated(found: Watched) -> str:
    """Return the remark on what stops no launch."""
    return f"{_words(found.records[0])[1]} {TOLERATED}"


def not_watched(found: NotWatched) -> str:
    """Return why a tool watched no launch."""
    if found.out_of_time:
        return f"{found.tool} of compute-sanitizer did not finish within {SEARCH_SECONDS:.0f} s."
    return f"{found.tool} of compute-sanitizer could not watch the launch: {found.said or 'it gave no reason'}"


def _words(record: watched.WatchedRecord) -> Words:
    match record:
        case watched.WatchedAccess():
            return _access(record)
        case watched.WatchedBarrier():
            return _barrier(record)
        case WatchedRace():
            return _race(record)
        case watched.OtherBlock(by, writes, problem):
            access = f"Thread {_thread(by)} {reads_or_writes(writes)} shared memory of another block{in_line(by.line)}"
            hint = (
                "Call cluster.sync() before the first access to the shared memory of another block and after the last "
                "one."
            )
            return Verdict.DATA_RACE, f"{access}: a {problem}.", hint
        case watched.WatchedUnset():
            return _unset(record)


def _access(record: watched.WatchedAccess) -> Words:
    access, line = f"Thread {_thread(record.by)} {reads_or_writes(record.writes)}", in_line(record.by.line)
    if record.is_misaligned:
        sentence = f"{access} {record.size} bytes{line} at an address that is not a multiple of {record.size}."
        wide = "A float4 must start at a multiple of 16 bytes, a float2 at a multiple of 8: check the index."
        hint = wide if record.size > ELEMENT else "Pointers and indices count elements, and not bytes: check the cast."
        return Verdict.CRASHED, sentence, hint
    if record.shared_byte is not None:
        sentence = f"{access} byte {record.shared_byte} of shared memory{line}, which is outside it."
        hint = "Compare the indices with the size in the array's declaration, or with .shared of LAUNCH if it has none."
        return Verdict.OUT_OF_BOUNDS, sentence, hint
    if place := record.beside:
        sentence = f"{access} outside {place.matrix}{line}: index {place.index} of {place.elements} elements."
        return Verdict.OUT_OF_BOUNDS, sentence, hints.INDEX
    memory = "through a null pointer" if record.is_null else "memory that belongs to no matrix"
    return Verdict.OUT_OF_BOUNDS, f"{access} {memory}{line}.", hints.POINTER


def _barrier(record: watched.WatchedBarrier) -> Words:
    thread, line = _thread(record.by), in_line(record.by.line)
    if record.is_invalid:
        sentence = (
            f"Thread {thread} calls a warp operation or a barrier{line} with invalid arguments, such as a mask that "
            "leaves this thread out."
        )
        hint = "The mask must name every thread of the warp that makes the call, and no thread that does not make it."
        return Verdict.WARP_MASK, sentence, hint
    sentence = f"Thread {thread} waits at a barrier{line} that not all threads reach ({record.problem.lower()})."
    hint = "Every thread of a block must reach the same __syncthreads(); move it out of the if."
    return Verdict.BARRIER, sentence, hint


def _race(record: WatchedRace) -> Words:
    first, second = record.first, record.second
    one, other = (reads_or_writes(each) for each in record.writes)
    sentence = (
        f"{_code(first).capitalize()} {one} {_byte(record)} in thread {axes(first.number)}, and {_code(second)} "
        f"{other} it in thread {axes(second.number)} of block {axes(first.block)}; {UNORDERED}."
    )
    hint = (
        "Put a __syncthreads() between the two. Where only threads of one warp exchange data, a __syncwarp() whose "
        "mask names all of them is enough."
    )
    return Verdict.DATA_RACE, sentence, hint


def _unset(record: watched.WatchedUnset) -> Words:
    memory = "an element of C" if record.in_c else "global memory"
    sentence = (
        f"Thread {_thread(record.by)} reads {memory}{in_line(record.by.line)} before anything has been written there."
    )
    hint = (
        "Keep the sum in a variable that starts at 0, and only write to C."
        if record.in_c
        else "Memory from malloc or new is not zero at the start: set every element before it is read."
    )
    return Verdict.UNSET_MEMORY, sentence, hint


def _byte(record: WatchedRace) -> str:
    return f"byte {record.byte} of shared memory"


def _thread(thread: Thread) -> str:
    return f"{axes(thread.number)} of block {axes(thread.block)}"


def _code(thread: Thread) -> str:
    return f"line {thread.line}" if thread.line else "a function of a header"
