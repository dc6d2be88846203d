"""Loads, stores and atomics as steps of a machine. An access outside of all memory reads zero and writes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.syntax.records import Address, Operand, Register, Symbol, items_of
from grader.worker.replay.arithmetic import Kind, Values, type_of
from grader.worker.replay.machine import LockstepMachine
from grader.worker.replay.memory import WINDOW_BITS, MemoryRegion
from grader.worker.replay.operands import Operands, Reader
from grader.worker.replay.origins import LOAD, READ, STORE
from grader.worker.replay.program import GivesUpError
from grader.worker.replay.threads import ReachedError, SoughtAccess, Step, Who

Addresses: TypeAlias = NDArray[np.int64]
SPACES = {"global", "shared", "local", "const", "param"}
FACTORS = {"A", "B"}
WIDEST = 16  # bytes of an asynchronous copy
LOCAL = "local"  # where arrays of a thread are, such as its sums
SHUFFLED = -99  # instead of an address, far from all others: the register of another lane


def space_of(operands: Operands) -> str:
    """Return the space that an instruction names; nothing for generic addresses."""
    words = (word.partition("::")[0] for word in operands.instruction.modifiers)
    return next((word for word in words if word in SPACES), "")


def addresses_of(operands: Operands, operand: Operand, space: str) -> Reader:
    """Return what gives the generic addresses of an operand."""
    if not isinstance(operand, Address):
        raise GivesUpError("an address")
    offset = operand.offset + operands.machine.memory.bases.get(space, 0)
    if isinstance(operand.base, Register):
        cell = operands.machine.cell(operands.function, operand.base.name)
        registers = cell.data
        return lambda who: registers[who].astype(np.int64) + offset
    start = operands.address(operand.base.name) + operand.base.offset if isinstance(operand.base, Symbol) else 0
    return lambda who: np.full(len(who), start + offset, np.int64)


def watch_of(operands: Operands, items: int = 1) -> Callable[[Who, Addresses], None]:
    """Return what ends the run at the access that is looked for."""
    machine, number, line = operands.machine, operands.number, operands.instruction.line

    size = type_of(operands.instruction.modifiers[-1]).itemsize if operands.instruction.opcode != "cp" else 4
    whole = _bytes_from(operands, size * items)

    def is_at(sought: SoughtAccess, who: Who, addresses: Addresses) -> bool:
        if sought.line != (line or machine.line_of(number, who)):
            return False
        at = np.flatnonzero(who == sought.thread)
        address = int(addresses[at[0]]) if len(at) else SHUFFLED
        is_misaligned = 0 < sought.multiple <= whole and address % sought.multiple
        return bool(len(at) and (is_misaligned or sought.address - address in range(size * items)))

    def leaves(sought: SoughtAccess, who: Who, addresses: Addresses) -> bool:
        inside, offsets = sought.inside[number], addresses - machine.memory.bases["local"]
        is_outside = (offsets < inside.start) | (offsets + size * items > inside.stop)
        threads = who[is_outside & ((who == sought.thread) | (sought.thread < 0))]
        sought.thread = int(threads[0]) if len(threads) else sought.thread
        return bool(len(threads))

    def look(who: Who, addresses: Addresses) -> None:
        if (watched := machine.watched) is None:
            return
        if number in watched.inside and leaves(watched, who, addresses):
            raise ReachedError(number)
        if watched.before is not None and is_at(watched.before, who, addresses):
            watched.before.seen(machine.opened)
        if is_at(watched, who, addresses) and watched.reached(machine.opened):
            raise ReachedError(number)

    return look


def _bytes_from(operands: Operands, size: int) -> int:
    """Return how many bytes are accessed from an address on, where a debug build moves the parts of a vector alone."""
    own = operands.instruction
    if own.opcode == "cp":
        return WIDEST
    for at in count(1):
        other = operands.machine.code.instructions[operands.number + at]
        parts = zip(own.operands, other.operands, strict=False)
        moved = [two.offset - one.offset for one, two in parts
                 if isinstance(one, Address) and isinstance(two, Address) and one.base == two.base]  # fmt: skip
        if (other.opcode, other.modifiers) != (own.opcode, own.modifiers) or moved != [at * size]:
            return at * size
    return 0


def _by_region(
    machine: LockstepMachine, who: Who, addresses: Addresses, size: int
) -> Iterator[tuple[MemoryRegion, Who, Values, Addresses]]:
    """Yield each region that is accessed, with its threads, their places in `who`, and where the bytes are."""
    windows = addresses >> WINDOW_BITS
    for window in windows[:1] if (windows == windows[0]).all() else np.unique(windows):
        region = machine.memory.region(int(window) << WINDOW_BITS)
        if region is None:
            if machine.faulty is not None:
                machine.faulty[who[windows == window]] = True
            continue
        offsets = addresses & ((1 << WINDOW_BITS) - 1)
        is_inside = (windows == window) & (offsets <= region.size - size) & (offsets % size == 0)
        inside = np.flatnonzero(is_inside)
        if machine.faulty is not None:
            machine.faulty[who[(windows == window) & ~is_inside]] = True
        if len(inside):
            yield region, who[inside], inside, region.places(offsets[inside], who[inside])


def read(machine: LockstepMachine, number: int, who: Who, addresses: Addresses, kind: Kind) -> tuple[Values, Values]:
    """Return the values at addresses, and the nodes that they come from."""
    values, nodes = np.zeros(len(who), kind), np.zeros(len(who), np.int64)
    for region, some, at, places in _by_region(machine, who, addresses, kind.itemsize):
        values[at] = region.view(kind)[places // kind.itemsize]
        if not machine.traces:
            continue
        if region.name in FACTORS:
            nodes[at] = machine.add(LOAD, number, some, _reals(region, values[at], places), (addresses[at],))
            continue
        stored = region.origins[places // region.granule]
        machine.with_unset(number, some, stored, addresses[at])
        if region.traced and stored.any():
            stored = np.where(
                stored, machine.add(READ, number, some, _known(machine, stored, values[at]), (stored, addresses[at])), 0
            )
        nodes[at] = stored
    return values, nodes if nodes.any() else 0


def _reals(region: MemoryRegion, values: Values, places: Values) -> Values:
    """Return the elements of a matrix, which a vector may have loaded as whole numbers."""
    kind = region.kind
    if kind is None or kind.itemsize != values.dtype.itemsize:
        return values
    return region.view(kind)[places // kind.itemsize]


def _known(machine: LockstepMachine, nodes: Values, values: Values) -> Values:
    """Return the values of nodes, and others where there is none: a copy of a vector moves whole numbers."""
    if values.dtype.kind == "f" or not nodes.any():
        return values
    return np.where(nodes, machine.origins.values(nodes), values)


def write(machine: LockstepMachine, number: int, who: Who, addresses: Addresses, values: Values, nodes: Values) -> None:
    """Store values, with the nodes that they come from."""
    sources = np.broadcast_to(np.asarray(nodes, np.int64), who.shape)
    for region, some, at, places in _by_region(machine, who, addresses, values.dtype.itemsize):
        region.view(values.dtype)[places // values.dtype.itemsize] = values[at]
        if not machine.traces:
            continue
        stored = sources[at]
        if region.name == LOCAL and not stored.any() and not values[at].any():
            stored = machine.constant(number, some, values[at])
        if region.traced:
            reals = _known(machine, stored, values[at])
            stored = machine.add(STORE, number, some, reals, (stored, addresses[at]))
        region.origins[places // region.granule] = stored
        for behind in range(region.granule, values.dtype.itemsize, region.granule):
            region.origins[places // region.granule + behind // region.granule] = 0


def load(operands: Operands) -> Step:
    """Load a value, or several."""
    result, place = operands.all[:2]
    kind = type_of(operands.instruction.modifiers[-1])
    machine, number, look = operands.machine, operands.number, watch_of(operands, len(items_of(result)))
    writers = [operands.writer(each) for each in items_of(result)]
    addresses = addresses_of(operands, place, space_of(operands))

    def execute(who: Who) -> None:
        base = addresses(who)
        look(who, base)
        for at, write_register in enumerate(writers):
            write_register(who, *read(machine, number, who, base + at * kind.itemsize, kind))

    return execute


def store(operands: Operands) -> Step:
    """Store a value, or several."""
    place, source = operands.all[:2]
    kind = type_of(operands.instruction.modifiers[-1])
    items = items_of(source)
    machine, number, look = operands.machine, operands.number, watch_of(operands, len(items))
    readers, traces = [operands.every(each, kind) for each in items], [operands.tracer("", (each,)) for each in items]
    addresses = addresses_of(operands, place, space_of(operands))

    def execute(who: Who) -> None:
        base = addresses(who)
        look(who, base)
        for at, (value, trace) in enumerate(zip(readers, traces, strict=True)):
            values = value(who)
            write(machine, number, who, base + at * kind.itemsize, values, trace(who, values))

    return execute
