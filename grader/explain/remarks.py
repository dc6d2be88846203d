"""What is said of a launch beside its verdict: what it was not searched for, and what is odd in it."""

from __future__ import annotations

from grader.contract.found import Remark
from grader.explain.elements import axes, element
from grader.explain.finding import Asked
from grader.explain.races import parties
from grader.explain.traced import unused
from grader.explain.watched import not_watched, tolerated
from grader.model import Fault, Verdict
from grader.model.watched import NotWatched, Tolerated
from grader.ptxsim.records.fields import Unsearched
from grader.ptxsim.records.races import Race, Scope
from grader.ptxsim.records.traced import BarrierInTwoLines, EqualWrites, NotSearched, ReturnedBefore, UnsetRead

NOT_SEARCHED = "Not searched for data races, because the kernel has barriers at which some threads only arrive."
UNSEARCHED = {
    Unsearched.ROUNDS: (
        "Blocks do more here than is searched of each: the last rounds of their loops were not searched for data races "
        "and unset memory."
    ),
    Unsearched.WAITS: (
        "Threads wait for each other more often here than is searched: the last accesses of the launch were not "
        "searched for data races."
    ),
    Unsearched.ATOMICS: (
        "There are more atomic operations here than are searched: sums of an atomic load and an atomic store were "
        "not searched for lost additions."
    ),
}


def remark(found: Remark, asked: Asked) -> str:
    """Return a sentence or two on a launch that may be correct."""
    match found:
        case Tolerated(watched):
            said = tolerated(watched)
        case NotWatched():
            said = not_watched(found)
        case UnsetRead():
            said = unused(found, asked)
        case NotSearched():
            said = NOT_SEARCHED
        case BarrierInTwoLines(block, first, second):
            said = (
                f"Threads of block {axes(block)} wait for each other at the barriers in line {first} and line "
                f"{second}. GPUs count arrivals only, but CUDA allows __syncthreads() in a branch only if all threads "
                "of the block take it."
            )
        case ReturnedBefore():
            said = f"{_returned(found)}. GPUs since Volta do not wait for them; older ones may wait forever."
        case EqualWrites(race):
            said = _equal_writes(race, asked)
    return said


def reason(found: Remark) -> Fault | None:
    """Return why the answer of a launch is wrong that may be correct, if threads have missed a barrier."""
    match found:
        case ReturnedBefore():
            sentence = f"{_returned(found)}."
        case BarrierInTwoLines(block, first, second):
            sentence = f"Threads of block {axes(block)} wait at the barriers in line {first} and line {second}."
        case _:
            return None
    hint = (
        "Let all threads of a block, also those outside of C, reach each __syncthreads(): move it out of the if or the "
        "loop."
    )
    return Fault(Verdict.BARRIER, sentence, hint)


def _returned(found: ReturnedBefore) -> str:
    threads = f"{found.returned} of {found.threads} threads of block {axes(found.block)}"
    return f"{threads} have returned before the barrier in line {found.line}"


def _equal_writes(race: Race, asked: Asked) -> str:
    """Return the remark on two writes of one value."""
    threads, what = parties(race), element(race.memory, asked.interface, asked.shape)
    in_two_blocks = race.scope is Scope.GRID
    where = "" if in_two_blocks else f" of block {axes(race.first.block)}"
    lines = [race.first.line, race.second.line]
    second = "" if len(set(lines)) == 1 else f"line {lines[1]} "
    both = f"Line {lines[0]} writes {what} in {threads[0]} and {second}in {threads[1]}{where}"
    harm = "That does no harm, but one block is enough." if in_two_blocks else "That does no harm."
    return f"{both}, the same value each time. {harm}"
