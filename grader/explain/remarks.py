"""What is said of a launch beside its verdict: what it was not searched for, and what is odd in it."""

from __future__ import annotations

from functools import singledispatch

from grader.contract.found import Remark
from grader.explain.elements import axes, element
from grader.explain.finding import Asked
from grader.explain.races import who
from grader.explain.unset import unused
from grader.explain.watched import not_watched, tolerated
from grader.model.watched import NotWatched, Tolerated
from grader.ptxsim.records.fields import Unsearched
from grader.ptxsim.records.races import Scope
from grader.ptxsim.records.traced import BarrierInTwoLines, EqualWrites, NotSearched, ReturnedBefore

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


@singledispatch
def remark(found: Remark, asked: Asked) -> str:
    """Return a sentence or two on a launch that may be correct. Functions are registered for each kind."""
    raise TypeError(f"nothing explains {type(found).__name__} of {asked.shape}")


remark.register(unused)


@remark.register
def _tolerated(found: Tolerated, _: Asked) -> str:
    return tolerated(found.found)


@remark.register
def _not_watched(found: NotWatched, _: Asked) -> str:
    return not_watched(found)


@remark.register
def _not_searched(_found: NotSearched, _: Asked) -> str:
    return NOT_SEARCHED


@remark.register
def _in_two_lines(found: BarrierInTwoLines, _: Asked) -> str:
    return (
        f"Threads of block {axes(found.block)} wait for each other at the barriers in line {found.first} and line "
        f"{found.second}. GPUs count arrivals only, but CUDA allows __syncthreads() in a branch only if all threads of "
        "the block take it."
    )


@remark.register
def _returned_before(found: ReturnedBefore, _: Asked) -> str:
    return (
        f"{found.returned} of {found.threads} threads of block {axes(found.block)} have returned before the barrier in "
        f"line {found.line}. GPUs since Volta do not wait for them; older ones may wait forever."
    )


@remark.register
def _equal_writes(found: EqualWrites, asked: Asked) -> str:
    """Return the remark on two writes of one value."""
    race = found.race
    threads, what, in_two_blocks = (
        who(race),
        element(race.memory, asked.interface, asked.shape),
        race.scope is Scope.GRID,
    )
    where = "" if in_two_blocks else f" of block {axes(race.first.block)}"
    lines = [race.first.line, race.second.line]
    second = "" if len(set(lines)) == 1 else f"line {lines[1]} "
    both = f"Line {lines[0]} writes {what} in {threads[0]} and {second}in {threads[1]}{where}"
    harm = "That does no harm, but one block is enough." if in_two_blocks else "That does no harm."
    return f"{both}, the same value each time. {harm}"
