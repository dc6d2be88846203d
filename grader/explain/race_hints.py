"""What to try against a race, in words for a student."""

from __future__ import annotations

from grader.model.hints import BarrierHint
from grader.ptxsim.records.races import Copying, Race, Scope, VariableKind

_FENCE = (
    "Blocks are ordered only by a value that one of them writes after __threadfence(), with an atomic or to a volatile "
    "flag, and that the other has seen."
)
_FLAG = "A flag orders two threads only with a __threadfence_block() before it is raised and another after it was seen."

INDICES = "check how its indices follow from threadIdx and blockIdx"


def hint(race: Race) -> str:
    """Return what to try against a race."""
    first, second = race.first, race.second
    if race.copying in {Copying.AHEAD, Copying.UNDER_WAY}:
        return _starts_too_early(race)
    if race.scope is Scope.GRID:
        return _between_blocks(race)
    if first.initialises or second.initialises:
        return BarrierHint("Put a __syncthreads() behind the initialisation: no thread may use the barrier before it.")
    if not (first.reads or second.reads) and first.atomic == second.atomic:
        return _of_writes(race)
    is_mixed = first.atomic != second.atomic and not (first.reads or second.reads)
    if first.line == second.line and race.both_write and not is_mixed:
        return _of_additions(race)
    return _inside_block(race)


def _of_writes(race: Race) -> str:
    """Return what to try where two threads write."""
    if race.memory.kind is VariableKind.WHOLE:
        return (
            "Several threads write to one variable: let one of them do it, in an if on threadIdx, or give each "
            "thread a variable of its own. To add several values to one variable, use atomicAdd."
        )
    earlier, later = race.first.line, race.second.line
    if earlier != later and all(race.met):
        return _at_two_barriers(race.met)
    added = "To add several values to one element, use atomicAdd."
    if earlier == later:
        whole = "If one of them has the whole result, let only that one write it."
        return f"Two threads write to the same element: {apart(race)}. {added} {whole}"
    replaced = f"If line {later} is to replace what line {earlier} writes, put a __syncthreads() between the two."
    parts = (
        f" If each line has a part of “{race.memory.name}” of its own, these overlap: let the second begin behind the "
        "end of the first, with its padding."
        if race.memory.is_shared and race.memory.name
        else ""
    )
    return BarrierHint(f"Two threads write to the same element: {INDICES}.{parts} {added} {replaced}")


def apart(race: Race) -> str:
    """Return what gives two threads elements of their own."""
    axes = zip("xyz", race.first.thread, race.second.thread, strict=True)
    differing = [axis for axis, one, other in axes if one != other]
    if len(differing) != 1 or race.first.block != race.second.block:
        return INDICES
    return f"if each is to have one of its own, let the index depend on threadIdx.{differing[0]}, in which they differ"


def _of_additions(race: Race) -> str:
    """Return what to try where several threads may add by one line."""
    private = "If each thread has a sum of its own, declare it without __shared__. " if race.memory.is_shared else ""
    return (
        f"{private}If several threads add to one variable (x += y), additions are lost: use atomicAdd, or give each "
        "thread a variable of its own and add these after a barrier."
    )


def _between_blocks(race: Race) -> str:
    first, second = race.first, race.second
    reads = first.reads or second.reads
    if first.atomic and second.atomic:
        return "Both are atomic for the threads of their own block only (_block, thread_scope_block): use atomicAdd()."
    if race.order.by_memory:
        return (
            f"{_FENCE} Unless line {first.line} and line {second.line} access this value itself, line {first.line} "
            f"must come before the __threadfence(), and line {second.line} after the value was seen. Where one thread "
            "of a block does this for the others, a __syncthreads() must be in between."
        )
    if reads and first.line != second.line:
        return (
            "No barrier orders blocks, so a block cannot use what another one writes in the same launch: let each "
            "block compute what it reads, and keep it in shared memory or in an element of its own."
        )
    if race.memory.kind is VariableKind.WHOLE:
        return "No barrier orders blocks: let one block write the variable, or add to it with atomicAdd."
    index = "" if reads else f" If each block is to write elements of its own, correct the index in line {second.line}."
    return (
        "No barrier orders blocks: let one block write each element, or add with atomicAdd to elements that were set "
        f"before the launch.{index}"
    )


def _starts_too_early(race: Race) -> str:
    first, second = race.first, race.second
    if race.copying is Copying.AHEAD:
        return BarrierHint(
            f"Line {first.line} copies into a tile that line {second.line} has yet to read: let the copies use another "
            f"buffer, which takes one more, or start them behind line {second.line} and a __syncthreads()."
        )
    wait = "wait(), consumer_wait()" if race.order.by_objects else "__pipeline_wait_prior(0) or cp.async.wait_all"
    where = "the next round" if first.line == second.line else f"line {second.line}"
    unordered = (
        "Nothing orders two asynchronous copies before the first is complete, not even those of one thread: copy each "
        f"element once, or let the thread of line {first.line} wait ({wait}) before {where}"
    )
    if first.thread == second.thread:
        return f"{unordered}."
    return BarrierHint(f"{unordered}, and put a __syncthreads() behind the wait.")


def _inside_block(race: Race) -> str:
    first, second = race.first, race.second
    lines = f"line {first.line} and line {second.line}"
    if first.line == second.line:
        lines = (
            f"one round of line {first.line} and the next" if race.in_loop else f"the two accesses in line {first.line}"
        )
    if first.line > second.line and race.in_loop:
        lines += ", which follows in the next iteration of the loop"
    if race.order.by_objects and (race.scope is not Scope.WARP or first.copies or second.copies):
        return BarrierHint(
            "A thread that has waited for an mbarrier or a pipeline comes after those that arrived there in that phase "
            f"(arrive(), consumer_release(), a copy), and after no others: line {first.line} must come before an "
            f"arrival of its thread, and line {second.line} after a wait of its own thread (wait(), consumer_wait(), "
            "producer_acquire()), or a __syncthreads() behind one. Each phase takes as many arrivals as init() says. "
            "test_wait and try_wait only ask whether the phase is over: repeat them until it is."
        )
    if race.order.by_parts and race.scope is not Scope.WARP:
        return (
            "A barrier orders only the threads that arrive at it, and only those that wait there (bar.sync, not "
            "bar.arrive) come after the others. Which barrier lets the read wait for the write, and which one the next "
            "write for the read?"
        )
    if race.scope is Scope.WARP and not (all(race.met) or race.skipped):
        return (
            f"The threads of a warp do not run in lockstep: put a __syncwarp() between {lines}, where all of them call "
            "it. If threads of other warps use the data too, it takes a __syncthreads()."
        )
    return _at_barriers_of_the_block(race, lines)


def _at_two_barriers(lines: tuple[int, int]) -> str:
    return (
        f"Threads of the block meet here at two barriers, those of line {lines[0]} and line {lines[1]}, because some "
        "of them skip one: move it out of the if or the loop, so that every thread of the block reaches each "
        "__syncthreads()."
    )


def _at_barriers_of_the_block(race: Race, lines: str) -> str:
    if all(race.met):
        return _at_two_barriers(race.met)
    if race.skipped:
        return BarrierHint(
            f"Both threads skip the barrier in line {race.skipped}, which others of the block reach: move it out of "
            "the if or the loop, so that every thread of the block reaches each __syncthreads()."
        )
    is_atomic = race.first.atomic or race.second.atomic  # so the threads are to share what they write
    own = " Both threads write there: is each to have elements of its own?" if race.both_write and not is_atomic else ""
    first, second = race.first.line, race.second.line
    is_twice = race.again and race.second.reads and not race.first.reads and first != second
    another = f", and another one behind line {second}, before the loop runs line {first} again" if is_twice else ""
    flag = f" {_FLAG}" if race.order.by_memory else ""
    return BarrierHint(f"Put a __syncthreads() between {lines}{another}.{own}{flag}")
