"""A launch that can be replayed again and again: what it needs, and scenes of its threads."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from grader.contract import inputs
from grader.contract.layout import arguments, operands, store, symbols
from grader.contract.messages import Replay
from grader.model import Argument, Case, Launch
from grader.model.findings import Space
from grader.model.matrices import MATRICES
from grader.model.scenes import Scene
from grader.ptxsim.records.races import Race
from grader.worker.replay.debug_info import DebugInfo
from grader.worker.replay.instructions import step
from grader.worker.replay.machine import NOT_RUNNING, LockstepMachine
from grader.worker.replay.origins import Node
from grader.worker.replay.program import FlatProgram, GivesUpError, TooManyValuesError
from grader.worker.replay.scenes import Guards, SeenConditions, scene
from grader.worker.replay.spots import Axes, Spot, address_of, thread_of
from grader.worker.replay.threads import LaunchGeometry, ReachedError, SoughtAccess
from grader.worker.replay.variables import Variables

SECONDS, MOST_STEPS = 4.0, 120_000  # of one run: 100,000 steps of 128 threads take 0.6 s on a quiet machine
MOST_STEPS_OF_ALL = 240_000
MOST_THREADS = 1 << 14
SHORTEST = 2  # bytes of a value in which a kernel may keep a sum of longer elements


@dataclass(slots=True)
class Replays:
    """A program and a launch of it, which can be replayed again and again, for so many steps together."""

    request: Replay
    code: FlatProgram
    info: DebugInfo
    steps_left: int = MOST_STEPS_OF_ALL
    alone: bool = False  # whether one block runs at a time: threads have other numbers then

    def run(self, machine: LockstepMachine, until: SoughtAccess | None = None) -> int:
        """Run a machine, and return the instruction at which it comes to an access; -1 if it does not.

        Raises GivesUpError as the machine does, and at the limits.
        """
        machine.watched = until
        try:
            machine.run(min(MOST_STEPS, self.steps_left), SECONDS)
        except ReachedError as reached:
            return reached.number
        finally:
            self.steps_left -= machine.steps
        return -1

    def number_of(self, block: Axes | None) -> int | None:
        """Return the linear number of a block."""
        x, y, _ = self.request.launch.grid(self.request.case.shape)
        return None if block is None else block[0] + x * (block[1] + y * block[2])

    def machine(self, block: Axes | None, *, traces: bool = False) -> LockstepMachine:
        """Return a machine at the start of the launch, of one block if that runs `alone`, which may trace values."""
        started = machine_at_start(self.code, self.request, self.number_of(block), alone=self.alone)
        started.traces = traces
        return started

    def following(self, block: Axes | None, thread: int) -> tuple[LockstepMachine, SeenConditions]:
        """Return a machine at the start of the launch, and the conditions that a thread will come to."""
        started = self.machine(block)
        return started, SeenConditions(started, Variables(started, self.info), thread)

    def traced(self, block: Axes | None) -> LockstepMachine:
        """Return a machine that has traced all values, of one block only if these are too many."""
        try:
            self.run(traced := self.machine(block, traces=True))
        except TooManyValuesError:
            if block is None:
                raise
            self.alone = True
            self.run(traced := self.machine(block, traces=True))
        return traced


def scene_at(replays: Replays, block: Axes | None, at: SoughtAccess, *, in_kernel: bool = False) -> Scene | None:
    """Return the scene of a thread at a line that accesses an address; None also where that takes too long."""
    (machine, seen), number = replays.following(block, at.thread), -1
    with suppress(GivesUpError):
        number = replays.run(machine, at)
    if number >= 0 and in_kernel:
        number = (number, *machine.calls.around(at.thread, number))[-1]
    return scene(machine, seen, number) if number >= 0 else None


def turned_away(replays: Replays, block: Axes, thread: int, other: int, store: int) -> Scene | None:
    """Return the scene of a thread at the last condition that kept it from a store to which the other one came."""
    again, seen = replays.following(block, thread)
    replays.run(again)
    known, its = replays.following(block, other)
    replays.run(known)
    code, guards = again.code, Guards(again.code)
    for branch in reversed(seen.in_order()):
        number, other_way = branch.number, its.branches.get(branch.number)
        is_apart = other_way and len(branch.ways) == 1 and (not branch.taken) in other_way.ways
        if is_apart and (code.owners[number] is not code.owners[store] or guards.governs(number, store)):
            turned, last = scene(again, seen, number), seen.last()[branch.condition.line]
            upto = [each for each in turned.conditions if each.line != last.line]
            return replace(turned, variables=last.variables, conditions=(*upto, last))
    return None


def kept_from(replays: Replays, block: Axes | None, store: Node, read: SoughtAccess) -> Scene | None:
    """Return the scene of a thread that has stored, with what kept it from that later, until a read."""
    machine, seen = replays.following(block, store.thread)
    if replays.run(machine, read) < 0:
        return None
    has_ended = bool(machine.keys[store.thread] == NOT_RUNNING and machine.barriers[store.thread] < 0)
    barring = seen.barring(store.number, Guards(machine.code), has_ended=has_ended)
    return replace(scene(machine, seen, store.number), conditions=barring)


def raced(replays: Replays, race: Race) -> tuple[Scene | None, Scene | None]:
    """Return the scenes of two threads that nothing orders, the first one first, each in its kernel."""
    machine, block = replays.machine(race.first.block), race.first.block
    spot = Spot(race.first.thread, block, race.first.line, Space.SHARED, race.memory.name, race.memory.offset)
    first, second = (
        SoughtAccess(thread_of(machine, each.thread, block), each.line, address_of(machine, spot))
        for each in (race.first, race.second)
    )
    later = scene_at(replays, block, replace(second, before=first), in_kernel=True)
    earlier = replace(first, after=first.times - 1)
    return scene_at(replays, block, earlier, in_kernel=True) if later else None, later


def machine_at_start(
    code: FlatProgram, request: Replay, block: int | None, *, alone: bool = False, copies: int = 1
) -> LockstepMachine:
    """Return a machine at the start of a launch: of all blocks if they are few, or else of one, `alone` or not.

    Each of its copies has a C of its own.
    """
    case, interface, launch, kernel = request.case, request.interface, request.launch, request.build.symbol
    blocks = np.tile(_blocks(launch, case, block, alone=alone), copies)
    geometry = LaunchGeometry(launch.grid(case.shape), launch.block, blocks)
    memory = operands(interface, case.shape)
    granule = min(SHORTEST, *(np.dtype(each.dtype).itemsize for each in memory.values()))
    started = LockstepMachine(code, kernel, geometry, granule, launch.shared, step)
    drawn = inputs.draw(case, interface)
    matrices = {"A": drawn.A, "B": drawn.B, "C": drawn.C}
    addresses = {}
    for name in MATRICES:
        content = store(matrices[name], memory[name], interface).view(np.uint8)
        copied = copies if name == "C" else 1
        rows = started.everyone // (started.count // copies) if copied > 1 else None
        region = started.memory.add(name, len(content), rows, copied, np.tile(content, copied))
        region.size, region.traced = len(content), name == "C"
        region.kind = np.dtype(memory[name].dtype)
        addresses[name] = region.base
    _pass(started, kernel, arguments(interface, case.shape, launch), addresses)
    for name, value in symbols(interface, case.shape, launch).items():
        _assign(started, name, value.packed(value.nbytes or 4, addresses))
    return started


def _blocks(launch: Launch, case: Case, block: int | None, *, alone: bool) -> NDArray[np.int64]:
    x, y, z = launch.grid(case.shape)
    if x * y * z * launch.threads <= MOST_THREADS and not alone:
        return np.arange(x * y * z, dtype=np.int64)
    if block is None or launch.threads > MOST_THREADS:
        raise GivesUpError("too many threads")
    return np.array(
        [number for number in range(x * y * z) if number % (x * y) == block % (x * y)][: MOST_THREADS // launch.threads]
    )


def _pass(started: LockstepMachine, kernel: str, values: Sequence[Argument], addresses: dict[str, int]) -> None:
    function = started.code.function(kernel)
    if len(values) != len(function.parameters):
        raise GivesUpError("the parameters")
    for parameter, argument in zip(function.parameters, values, strict=True):
        region = started.calls.parameter(function, parameter.name)
        if region is not None:
            content = np.frombuffer(argument.packed(parameter.size, addresses), np.uint8)
            region.data.reshape(started.count, -1)[:, : len(content)] = content


def _assign(started: LockstepMachine, name: str, content: bytes) -> None:
    """Set a variable of the module."""
    for region in started.memory.regions:
        if region.name == name:
            region.data[: len(content)] = np.frombuffer(content, np.uint8)
