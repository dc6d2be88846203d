"""Where a thread is that does not come to a barrier, or to a shuffle that reads its value."""

from __future__ import annotations

from grader.model.findings import Deadlock
from grader.model.scenes import Scene
from grader.ptxsim.records.traced import MissingSource
from grader.worker.replay.program import GivesUpError
from grader.worker.replay.replays import Replays
from grader.worker.replay.scenes import follow, scene
from grader.worker.replay.spots import thread_of


def of_absent(replays: Replays, found: Deadlock) -> Scene | None:
    """Return the scene of a thread that does not come to the barrier at which others wait."""
    first, variables = replays.machine(found.block)
    first.awaits_returned = True
    replays.run(first)
    start = thread_of(first, (0, 0, 0), found.block)
    own = slice(start, start + first.geometry.per_block)
    waits, keys = first.barriers[own], first.waiting_keys[own]
    lines = {site.line for site in found.sites if site.barrier}
    at_line = [
        bool(w >= 0) and first.code.instructions[_before(key)].line in lines for w, key in zip(waits, keys, strict=True)
    ]
    if all(at_line) or not any(at_line):
        return None
    thread = start + at_line.index(False)
    again, variables = replays.machine(found.block)
    again.awaits_returned = True
    seen = follow(again, variables, thread)
    replays.run(again)
    last = [number for number in seen.numbers if again.code.instructions[number].line]
    return scene(again, variables, seen, last[-1]) if last else None


def _before(key: int) -> int:
    """Return the instruction before the one at which a waiting thread goes on."""
    return int(key) + ((-(int(key) >> 32)) << 32) - 1


def of_source(replays: Replays, found: MissingSource) -> Scene | None:
    """Return the scene of a thread whose value a shuffle reads in which it does not take part."""
    machine, variables = replays.machine(found.call.block, alone=True)
    seen = follow(machine, variables, thread_of(machine, found.source, found.call.block))
    try:
        replays.run(machine)
    except GivesUpError:
        last = [number for number in seen.numbers if machine.code.instructions[number].line]
        return scene(machine, variables, seen, last[-1]) if last else None
    return None
