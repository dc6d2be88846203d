"""A launch of a case, ready to be replayed: the blocks that matter, the inputs, the arguments."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader.contract import inputs
from grader.contract.layout import arguments, operands, store, symbols
from grader.model import Case, Interface, Launch
from grader.model.matrices import MATRICES
from grader.worker.replay.atomics import with_accesses
from grader.worker.replay.instructions import step
from grader.worker.replay.machine import LockstepMachine
from grader.worker.replay.program import FlatProgram, GivesUpError
from grader.worker.replay.threads import LaunchGeometry

MOST_THREADS = 1 << 14
SHORTEST = 2  # bytes of a value in which a kernel may keep a sum of longer elements


def machine(
    code: FlatProgram,
    kernel: str,
    case: Case,
    interface: Interface,
    launch: Launch,
    block: int | None,
    *,
    alone: bool = False,
    copies: int = 1,
) -> LockstepMachine:
    """Return a machine at the start of a launch: of all blocks if they are few, or else of one, `alone` or not.

    Each of its copies has a C of its own.
    """
    blocks = np.tile(_blocks(launch, case, block, alone=alone), copies)
    geometry = LaunchGeometry(launch.grid(case.shape), launch.block, blocks)
    memory = operands(interface, case.shape)
    granule = min(SHORTEST, *(np.dtype(each.dtype).itemsize for each in memory.values()))
    started = LockstepMachine(code, kernel, geometry, granule, launch.shared)
    started.compile = with_accesses(step)
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


def _pass(started: LockstepMachine, kernel: str, values: tuple[object, ...], addresses: dict[str, int]) -> None:
    function = started.code.function(kernel)
    if len(values) != len(function.parameters):
        raise GivesUpError("the parameters")
    for parameter, argument in zip(function.parameters, values, strict=True):
        region = started.parameter(function, parameter.name)
        if region is not None:
            content = np.frombuffer(argument.packed(parameter.size, addresses), np.uint8)  # type: ignore[attr-defined]
            region.data.reshape(started.count, -1)[:, : len(content)] = content


def _assign(started: LockstepMachine, name: str, content: bytes) -> None:
    """Set a variable of the module."""
    for region in started.memory.regions:
        if region.name == name:
            region.data[: len(content)] = np.frombuffer(content, np.uint8)
