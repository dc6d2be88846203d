"""Loads, stores and atomics as steps of a machine. An access outside of all memory reads zero and writes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.syntax.records import Address, Integer, Operand, Register, Sink, Symbol, Vector
from grader.worker.replay.arithmetic import BINARY, Values, type_of
from grader.worker.replay.instructions import Operands, Reader
from grader.worker.replay.machine import LockstepMachine, ReachedError, RegisterCell, Step, Who
from grader.worker.replay.memory import WINDOW_BITS, MemoryRegion
from grader.worker.replay.origins import LOAD, READ, STORE
from grader.worker.replay.program import GivesUpError

Addresses: TypeAlias = NDArray[np.int64]
SPACES = {"global", "shared", "local", "const", "param"}
FACTORS = {"A", "B"}
MISALIGNED = -1  # instead of the address that is looked for: any that is no multiple of what is accessed


def _space(operands: Operands) -> str:
    words = (word.partition("::")[0] for word in operands.instruction.modifiers)
    return next((word for word in words if word in SPACES), "")


def _addresses(operands: Operands, operand: Operand, space: str) -> Reader:
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


def _watch(operands: Operands, items: int = 1) -> Callable[[Who, Addresses], None]:
    """Return what ends the run at the access that is looked for."""
    machine, number, line = operands.machine, operands.number, operands.instruction.line

    size = type_of(operands.instruction.modifiers[-1]).itemsize if operands.instruction.opcode != "cp" else 4

    def look(who: Who, addresses: Addresses) -> None:
        watched = machine.watched
        if watched is None or watched.line != (line or machine.line_of(number, who)):
            return
        at = np.flatnonzero(who == watched.thread)
        if len(at):
            address = int(addresses[at[0]])
            is_misaligned = watched.address == MISALIGNED and address % (size * items)
            if (is_misaligned or watched.address - address in range(size * items)) and watched.reached():
                raise ReachedError(number)

    return look


def _by_region(
    machine: LockstepMachine, who: Who, addresses: Addresses, size: int
) -> Iterator[tuple[MemoryRegion, Who, Values, Addresses]]:
    """Yield each region that is accessed, with its threads, their places in `who`, and where the bytes are."""
    windows = addresses >> WINDOW_BITS
    for window in windows[:1] if (windows == windows[0]).all() else np.unique(windows):
        region = machine.memory.region(int(window) << WINDOW_BITS)
        if region is None:
            continue
        offsets = addresses & ((1 << WINDOW_BITS) - 1)
        inside = np.flatnonzero((windows == window) & (offsets <= region.size - size) & (offsets % size == 0))
        if len(inside):
            yield region, who[inside], inside, region.places(offsets[inside], who[inside])


def read(
    machine: LockstepMachine, number: int, who: Who, addresses: Addresses, kind: np.dtype[Any]
) -> tuple[Values, Any]:
    """Return the values at addresses, and the nodes that they come from."""
    values, nodes = np.zeros(len(who), kind), np.zeros(len(who), np.int64)
    for region, some, at, places in _by_region(machine, who, addresses, kind.itemsize):
        values[at] = region.view(kind)[places // kind.itemsize]
        if not machine.traces:
            continue
        if region.name in FACTORS:
            nodes[at] = machine.origins.add(LOAD, machine.place_of(number, some), some, values[at], (addresses[at],))
            continue
        stored = region.origins[places // region.granule]
        if region.traced and stored.any():
            stored = np.where(
                stored,
                machine.origins.add(READ, machine.place_of(number, some), some, values[at], (stored, addresses[at])),
                0,
            )
        nodes[at] = stored
    return values, nodes if nodes.any() else 0


def write(machine: LockstepMachine, number: int, who: Who, addresses: Addresses, values: Values, nodes: Any) -> None:
    """Store values, with the nodes that they come from."""
    sources = np.broadcast_to(np.asarray(nodes, np.int64), who.shape)
    for region, some, at, places in _by_region(machine, who, addresses, values.dtype.itemsize):
        region.view(values.dtype)[places // values.dtype.itemsize] = values[at]
        if not machine.traces:
            continue
        stored = sources[at]
        if region.traced:
            stored = machine.origins.add(
                STORE, machine.place_of(number, some), some, values[at], (stored, addresses[at])
            )
        region.origins[places // region.granule] = stored
        for behind in range(region.granule, values.dtype.itemsize, region.granule):
            region.origins[places // region.granule + behind // region.granule] = 0


def _items(operand: Operand) -> tuple[Operand, ...]:
    return operand.items if isinstance(operand, Vector) else (operand,)


def _part_of_parameter(operands: Operands, operand: Operand, at: int, kind: np.dtype[Any]) -> RegisterCell | None:
    """Return the cell of a parameter that an instruction names."""
    if _space(operands) == "param" and isinstance(operand, Address) and isinstance(operand.base, Symbol):
        region = operands.machine.parameter(operands.function, operand.base.name)
        if region:
            return operands.machine.part(region, operand.base.offset + operand.offset + at, kind)
    return None


def load(operands: Operands) -> Step:
    """Load a value, or several."""
    result, place = operands.all[:2]
    kind = type_of(operands.instruction.modifiers[-1])
    machine, number, look = operands.machine, operands.number, _watch(operands, len(_items(result)))
    writers = [operands.writer(each) for each in _items(result)]
    cells = [_part_of_parameter(operands, place, kind.itemsize * at, kind) for at in range(len(writers))]
    addresses = None if cells[0] else _addresses(operands, place, _space(operands))

    def execute(who: Who) -> None:
        base = addresses(who) if addresses else None
        if base is not None:
            look(who, base)
        for at, (write_register, cell) in enumerate(zip(writers, cells, strict=True)):
            if cell is not None:
                write_register(who, cell.data[who], cell.origins[who] if cell.origins is not None else 0)
            elif base is not None:
                write_register(who, *read(machine, number, who, base + at * kind.itemsize, kind))

    return execute


def store(operands: Operands) -> Step:
    """Store a value, or several."""
    place, source = operands.all[:2]
    kind = type_of(operands.instruction.modifiers[-1])
    items = _items(source)
    machine, number, look = operands.machine, operands.number, _watch(operands, len(items))
    readers, traces = [operands.every(each, kind) for each in items], [operands.tracer("", (each,)) for each in items]
    cells = [_part_of_parameter(operands, place, kind.itemsize * at, kind) for at in range(len(items))]
    addresses = None if cells[0] else _addresses(operands, place, _space(operands))

    def execute(who: Who) -> None:
        base = addresses(who) if addresses else None
        if base is not None:
            look(who, base)
        for at, (value, trace, cell) in enumerate(zip(readers, traces, cells, strict=True)):
            values = value(who)
            if cell is not None:
                cell.data[who] = values
                cell.mark(who, trace(who, values))
            elif base is not None:
                write(machine, number, who, base + at * kind.itemsize, values, trace(who, values))

    return execute


def _of_two(name: str) -> Callable[[Values, Values, Values], Values]:
    return lambda old, value, _: BINARY[name](old, value)


EXCHANGES: Mapping[str, Callable[[Values, Values, Values], Values]] = {
    **{name: _of_two(name) for name in ("add", "min", "max", "and", "or", "xor")},
    "exch": lambda _old, value, _: value,
    "cas": lambda old, compared, value: np.where(old == compared, value, old),
}


def atomic(operands: Operands) -> Step:
    """Change a value in memory, one thread after the other."""
    instruction = operands.instruction
    name = next((word for word in instruction.modifiers if word in EXCHANGES), "")
    kind = type_of(instruction.modifiers[-1])
    if not name or "v2" in instruction.modifiers or "v4" in instruction.modifiers:
        raise GivesUpError(instruction.name)
    given = operands.all if instruction.opcode == "atom" else (Sink(), *operands.all)
    result, place, *sources = given
    addresses, look = _addresses(operands, place, _space(operands)), _watch(operands)
    readers = [operands.every(each, kind) for each in sources]
    write_register, trace = operands.writer(result), operands.tracer("", sources[:1])
    machine, number = operands.machine, operands.number

    def execute(who: Who) -> None:
        base = addresses(who)
        look(who, base)
        values = [value(who) for value in readers]
        nodes = np.broadcast_to(np.asarray(trace(who, values[0]), np.int64), who.shape)
        for at in range(len(who)):
            one, where = who[at : at + 1], base[at : at + 1]
            old, before = read(machine, number, one, where, kind)
            new = EXCHANGES[name](old, values[0][at : at + 1], values[-1][at : at + 1])
            after = nodes[at : at + 1]
            if name == "add" and (after.any() or np.any(before)):
                sources_ = np.broadcast_to(np.asarray(before, np.int64), one.shape), after
                after = machine.origins.add("add", machine.place_of(number, one), one, new, sources_)
            write(machine, number, one, where, new, after)
            write_register(one, old, before)

    return execute


def copy_beside(operands: Operands) -> Step:
    """Copy at once what an asynchronous copy brings later (PTX ISA, "cp.async")."""
    modifiers = operands.instruction.modifiers
    if modifiers[:1] != ("async",) or "bulk" in modifiers or "mbarrier" in modifiers:
        raise GivesUpError(operands.instruction.name)
    if {"commit_group", "wait_group", "wait_all"} & set(modifiers):
        return lambda _who: None
    target, source, size, *used = operands.all
    if not isinstance(size, Integer):
        raise GivesUpError("a copy")
    into, out_of = _addresses(operands, target, "shared"), _addresses(operands, source, "global")
    kind = np.dtype(np.uint32)
    length = operands.every(used[0], kind) if used else None
    machine, number, look = operands.machine, operands.number, _watch(operands)

    def execute(who: Who) -> None:
        to, start = into(who), out_of(who)
        look(who, start)
        bytes_ = length(who) if length else np.full(len(who), size.value)
        for at in range(0, size.value, kind.itemsize):
            values, nodes = read(machine, number, who, np.where(at < bytes_, start + at, 0), kind)
            write(machine, number, who, to + at, values, nodes)

    return execute


STEPS: Mapping[str, Callable[[Operands], Step]] = {
    "ld": load, "ldu": load, "st": store, "atom": atomic, "red": atomic, "cp": copy_beside,
}  # fmt: skip


def with_accesses(step: Callable[[LockstepMachine, int], Step]) -> Callable[[LockstepMachine, int], Step]:
    """Return what makes the steps of all instructions."""

    def made(machine: LockstepMachine, number: int) -> Step:
        maker = STEPS.get(machine.code.instructions[number].opcode)
        return maker(Operands(machine, number)) if maker else step(machine, number)

    return made
