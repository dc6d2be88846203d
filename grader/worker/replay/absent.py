"""Where a thread is that does not come to a shuffle which reads its value, and who stores too late."""

from __future__ import annotations

from dataclasses import replace

from grader.model.scenes import MOST_CONDITIONS, Scene
from grader.ptxsim.records.traced import MissingSource, UnsetRead
from grader.worker.replay.machine import LockstepMachine
from grader.worker.replay.program import GivesUpError
from grader.worker.replay.replays import Replays, turned_away
from grader.worker.replay.scenes import follow, scene
from grader.worker.replay.spots import address_of, spot_of, thread_of


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


def with_stores(replays: Replays, shown: Scene, found: UnsetRead) -> Scene:
    """Return the scene of a read that comes too early, with who stores to the array."""
    spot = spot_of(found)
    if spot is None:
        return shown
    machine, _ = replays.machine(spot.block)
    machine.traces = True
    try:
        replays.run(machine)
        address = address_of(machine, replays.info, spot)
    except GivesUpError:
        return shown
    array, first = address - spot.offset, thread_of(machine, (0, 0, 0), spot.block)
    per_block, size = machine.geometry.per_block, machine.size_of(array)
    every = list(machine.origins.stores(array, size))
    for node, thread, at in every:
        if at == address and thread - thread % per_block != first:
            store = machine.origins.node(node).number
            turned = turned_away(replays, spot.block, first + thread % per_block, thread, store)
            if turned is not None and turned.conditions:
                return replace(shown, writer=turned.thread, kept_out=turned.conditions[-1])
    own = [each for each in every if each[1] - each[1] % per_block == first]
    lines = {_line_of(node, machine) for node, *_ in own}
    counts = len({at for *_, at in own}), size // (found.memory.element or 1), len({each[1] for each in own}), per_block
    return replace(shown, stores=tuple(sorted(lines - {0}))[:MOST_CONDITIONS], elements=counts)


def _line_of(node: int, machine: LockstepMachine) -> int:
    return machine.code.instructions[machine.origins.node(node).number].line
