"""Data races, in sentences for a student: what happened, where, and what to try."""

from __future__ import annotations

from grader.explain.elements import access, axes, element, verb
from grader.explain.finding import Asked, fault_of
from grader.explain.race_hints import hint
from grader.model import AccessKind, Fault, ThreadAccess, Verdict
from grader.ptxsim.records.races import ChangedSource, Copying, EarlyUse, LostAddition, Race, Races, Scope, StrayArrival

NOT_COVERED = (
    "the wait does not cover this copy: it leaves too many groups in flight (__pipeline_wait_prior(n) waits for all "
    "except the last n), comes too late, or the copy starts behind the __pipeline_commit() or the arrival that the "
    "wait is for."
)
LOST_HINT = (
    "Each load and each store is atomic, but not the two together. Add in one step: atomicAdd(), or fetch_add() of "
    "cuda::atomic_ref."
)


@fault_of.register
def data_race(found: Races, asked: Asked) -> Fault:
    """Return the fault of some races: the first in the sentence, the others in the detail."""
    race, *others = found.races
    memories = [element(each.memory, asked.interface, asked.shape) for each in found.races]
    detail = "\n".join(told(each, memory) for each, memory in zip(others, memories[1:], strict=True))
    between = access(race.first), access(race.second)
    line = min(race.first.line, race.second.line)
    return _fault(told(race, memories[0]), hint(race), line, between, memories[0], _missing(race), detail)


def _fault(
    sentence: str,
    hint: str,
    line: int | None,
    between: tuple[ThreadAccess, ThreadAccess],
    memory: str,
    missing: str,
    detail: str = "",
) -> Fault:
    """Return the fault of two accesses, with what both access, and what is missing between them."""
    return Fault(Verdict.DATA_RACE, sentence, hint, line or None, detail, between, memory, missing)


def parties(race: Race) -> list[str]:
    """Return names of the two threads or blocks."""
    if race.scope is Scope.GRID:
        return [f"block {axes(traced.block)}" for traced in (race.first, race.second)]
    return [f"thread {axes(traced.thread)}" for traced in (race.first, race.second)]


def _missing(race: Race) -> str:
    """Return what is missing between the two."""
    if race.scope is Scope.GRID:
        return "and nothing orders the blocks"
    if race.copying is Copying.AHEAD:
        return "and the read needs what was there before"
    if race.copying is Copying.UNDER_WAY:
        return "with no wait for the first copy in between"
    if race.scope is Scope.WARP:
        return "of the same warp, and nothing makes them wait for each other"
    if race.order.by_parts or race.order.by_objects:
        return f"and {'nothing' if race.order.by_objects else 'no barrier'} makes one wait for the other"
    return "with no barrier between the two"


def told(race: Race, what: str) -> str:
    """Return the sentence of a race for what both access."""
    first, second, missing, threads = race.first, race.second, _missing(race), parties(race)
    where = "" if race.scope is Scope.GRID else f" of block {axes(first.block)}"
    if first.line == second.line:
        if first.thread == second.thread and race.scope is not Scope.GRID:
            return f"Line {first.line} {verb(first)} {what} twice in {threads[0]}{where}, {missing}."
        verbs = verb(first) if verb(first) == verb(second) else f"{verb(first)} and {verb(second)}"
        both = f"in {threads[0]} and in {threads[1]}{where}"
        return f"Line {first.line} {verbs} {what} {both}, {missing}."
    return (
        f"Line {first.line} {verb(first)} {what} in {threads[0]}, and line {second.line} {verb(second)} it "
        f"in {threads[1]}{where}, {missing}."
    )


@fault_of.register
def early_use(found: EarlyUse, asked: Asked) -> Fault:
    """Return the fault of an asynchronous copy that is used before its thread has waited for it."""
    copy, use, what = found.copy, found.use, element(found.memory, asked.interface, asked.shape)
    copier, user = axes(copy.thread), axes(use.thread)
    sentence = (
        f"Line {copy.line} starts an asynchronous copy to {what} in thread {copier}, and line "
        f"{use.line} {verb(use)} it in thread {user} of block {axes(use.block)} before thread {copier} has waited "
        "for the copy."
    )
    missing = f"thread {copier} has not waited for the copy yet"
    return _fault(sentence, _of_early_use(found), copy.line, (access(copy), access(use)), what, missing)


def _of_early_use(found: EarlyUse) -> str:
    """Return what to try against a use of a copy before the wait for it."""
    line = found.use.line
    if found.is_awaited and found.copy.thread == found.use.thread:
        return f"T{NOT_COVERED[1:]} Wait for this copy before line {line}, then call __syncthreads()."
    if found.is_awaited:
        return (
            f"A wait is for the copies of its own thread only: put a __syncthreads() between the wait and line {line}. "
            f"If there is one, {NOT_COVERED}"
        )
    return (
        "A barrier does not wait for asynchronous copies: let every thread commit its own and wait for them "
        "(__pipeline_commit() and __pipeline_wait_prior(0), cp.async.wait_all, or wait() of cooperative groups), and "
        "put a __syncthreads() after the wait."
    )


@fault_of.register
def changed_source(found: ChangedSource, asked: Asked) -> Fault:
    """Return the fault of a write to what an asynchronous copy reads."""
    copy, change, what = found.copy, found.change, element(found.memory, asked.interface, asked.shape)
    copier, changer = f"thread {axes(copy.thread)}", f"thread {axes(change.thread)}"
    apart = f" of block {axes(copy.block)}" if copy.block != change.block else ""
    does = AccessKind.UPDATES if change.atomic else AccessKind.WRITES
    sentence = (
        f"Line {copy.line} starts an asynchronous copy from {what} in {copier}{apart}, and line "
        f"{change.line} {does} it in {changer} of block {axes(change.block)} before {copier} has waited for the copy."
    )
    barrier = f", and put a __syncthreads() between the wait and line {change.line}" if changer != copier else ""
    order = f", and let block {axes(change.block)} come after that" if apart else barrier
    hint = (
        "An asynchronous copy may read its source at any time until its thread has waited for it: wait for it "
        f"(__pipeline_wait_prior(0) or cp.async.wait_all) before line {change.line}{order}."
    )
    between = access(copy, AccessKind.READS), access(change, does)
    return _fault(sentence, hint, copy.line, between, what, f"{copier} has not waited for the copy yet")


@fault_of.register
def lost_addition(found: LostAddition, asked: Asked) -> Fault:
    """Return the fault of two additions of which one may be lost."""
    what, (load, store) = element(found.memory, asked.interface, asked.shape), (found.loads[0], found.stores[0])
    kind = "block" if found.between_blocks else "thread"
    threads = [f"{kind} {axes(traced.block if found.between_blocks else traced.thread)}" for traced in found.stores]
    where = "" if found.between_blocks else f" of block {axes(store.block)}"
    does = (
        f"Line {store.line} loads {what}, adds to it and stores the sum"
        if load.line == store.line
        else f"Line {load.line} loads {what}, and line {store.line} stores a sum with it"
    )
    sentence = (
        f"{does}, in {threads[0]} and in {threads[1]}{where}, and nothing orders the two: if both load the same value, "
        "one of the two additions is lost."
    )
    first, second = (access(each, AccessKind.UPDATES) for each in found.stores)
    return _fault(sentence, LOST_HINT, store.line, (first, second), what, "and nothing orders the two")


@fault_of.register
def stray_arrival(found: StrayArrival, _: Asked) -> Fault:
    """Return the fault of arrivals at a barrier whose phases depend on chance."""
    first, second, barrier = found.first, found.second, f"barrier {found.number}"
    threads = [f"thread {axes(traced.thread)}" for traced in (first, second)]
    where = [f" in line {traced.line}" if traced.line else "" for traced in (first, second)]
    block = f"of block {axes(first.block)}"
    if first.line == second.line:
        arrive = f"{threads[0].capitalize()} and {threads[1]} {block} arrive at {barrier}{where[0]}"
    else:
        arrive = f"{threads[0].capitalize()} arrives at {barrier}{where[0]}, and {threads[1]} {block}{where[1]}"
    missing = "and nothing makes one wait for the other"
    sentence = (
        f"{arrive}, {missing}: the barrier opens for any {found.expected} threads, so that some may pass it before "
        "those that they wait for."
    )
    line = min((traced.line for traced in (first, second) if traced.line), default=None)
    between = access(first, AccessKind.ARRIVES), access(second, AccessKind.ARRIVES)
    return _fault(sentence, _hint_at_strays(found), line, between, barrier, missing)


def _hint_at_strays(found: StrayArrival) -> str:
    if found.again:
        return (
            f"bar.arrive does not wait. A thread may arrive at barrier {found.number} again only after the others have "
            "passed it: let them say so at a second barrier, and wait there first."
        )
    return (
        f"Give each group of threads that wait for each other a number of its own, such as 1 for one half of the block "
        f"and 2 for the other. If all of these threads wait for each other, the count of barrier {found.number} must "
        "be the number of them all."
    )
