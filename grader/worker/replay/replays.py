"""A launch that can be replayed again and again, and scenes of its threads."""

from __future__ import annotations

from dataclasses import dataclass, replace

from grader.contract.messages import Replay
from grader.model.scenes import Scene
from grader.worker.replay import launch
from grader.worker.replay.debug_info import DebugInfo
from grader.worker.replay.machine import LockstepMachine
from grader.worker.replay.origins import Node
from grader.worker.replay.program import FlatProgram
from grader.worker.replay.scenes import Guards, follow, scene
from grader.worker.replay.spots import Axes
from grader.worker.replay.threads import ReachedError, SoughtAccess
from grader.worker.replay.variables import Variables

SECONDS, MOST_STEPS = 4.0, 60_000  # of one run: on a quiet machine, the steps take a second at most
MOST_STEPS_OF_ALL = 120_000


@dataclass(slots=True)
class Replays:
    """A program and a launch of it, which can be replayed again and again, for so many steps together."""

    request: Replay
    code: FlatProgram
    info: DebugInfo
    steps_left: int = MOST_STEPS_OF_ALL
    alone: bool = False  # whether one block runs at a time: threads have other numbers then

    def run(self, machine: LockstepMachine) -> None:
        """Run a machine. Raises as it does, and at the limits."""
        try:
            machine.run(min(MOST_STEPS, self.steps_left), SECONDS)
        finally:
            self.steps_left -= machine.steps

    def number_of(self, block: Axes | None) -> int | None:
        """Return the linear number of a block."""
        x, y, _ = self.request.launch.grid(self.request.case.shape)
        return None if block is None else block[0] + x * (block[1] + y * block[2])

    def machine(self, block: Axes | None, *, alone: bool = False) -> tuple[LockstepMachine, Variables]:
        """Return a machine at the start of the launch, of all blocks unless this one is to run `alone`."""
        request, number = self.request, self.number_of(block)
        kernel = request.build.symbol
        started = launch.machine(
            self.code, kernel, request.case, request.interface, request.launch, number, alone=alone or self.alone
        )
        return started, Variables(started, self.info)


def scene_at(replays: Replays, block: Axes | None, at: SoughtAccess) -> Scene | None:
    """Return the scene of a thread at a line that accesses an address."""
    machine, variables = replays.machine(block)
    seen = follow(machine, variables, at.thread)
    machine.watched = at
    try:
        replays.run(machine)
    except ReachedError as reached:
        return scene(machine, variables, seen, reached.number)
    return None


def turned_away(replays: Replays, block: Axes, thread: int, other: int, store: int) -> Scene | None:
    """Return the scene of a thread at the last condition that kept it from a store to which the other one came."""
    again, variables = replays.machine(block)
    seen = follow(again, variables, thread)
    replays.run(again)
    known, its_variables = replays.machine(block)
    its = follow(known, its_variables, other)
    replays.run(known)
    code, guards = again.code, Guards(again.code)
    for number in reversed(seen.numbers):
        line, way = code.instructions[number].line, seen.only_way(number)
        is_apart = way is not None and (number, not way) in its.ways
        if is_apart and (code.owners[number] is not code.owners[store] or guards.governs(number, store)):
            turned = scene(again, variables, seen, number)
            upto = [each for each in turned.conditions if each.line != line]
            return replace(turned, variables=seen.last[line].variables, conditions=(*upto, seen.last[line]))
    return None


def kept_from(replays: Replays, block: Axes | None, store: Node, read: SoughtAccess | None) -> Scene | None:
    """Return the scene of a thread that has stored, with what kept it from that later: until a read, or to the end."""
    machine, variables = replays.machine(block)
    seen = follow(machine, variables, store.thread)
    machine.watched = read
    try:
        replays.run(machine)
    except ReachedError:
        pass
    else:
        if read is not None:
            return None
    barring = seen.barring(store.number, Guards(machine.code))
    return replace(scene(machine, variables, seen, store.number), conditions=barring)
