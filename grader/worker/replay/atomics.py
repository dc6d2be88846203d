"""Atomics, asynchronous copies, and exchange between the lanes of a warp, as steps of a machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.syntax.records import Integer, Pair, Sink
from grader.worker.replay.accesses import SHUFFLED, Addresses, addresses_of, read, space_of, watch_of, write
from grader.worker.replay.arithmetic import BINARY, Values, type_of
from grader.worker.replay.operands import Operands
from grader.worker.replay.origins import NEVER_SET, SHUFFLE
from grader.worker.replay.program import GivesUpError
from grader.worker.replay.threads import Step, Who

MISSING = np.uint32(0xFFFFFFFF)  # no number; what a shuffle reads from a lane that does not take part is undefined


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
    addresses, look = addresses_of(operands, place, space_of(operands)), watch_of(operands)
    readers = [operands.every(each, kind) for each in sources]
    write_register, trace = operands.writer(result), operands.tracer("", sources[:1])
    machine, number = operands.machine, operands.number

    def execute(who: Who) -> None:
        base = addresses(who)
        look(who, base)
        values = [value(who) for value in readers]
        nodes = np.broadcast_to(np.asarray(trace(who, values[0]), np.int64), who.shape)
        for at in _turns(base):
            some, where = who[at], base[at]
            old, before = read(machine, number, some, where, kind)
            new = EXCHANGES[name](old, values[0][at], values[-1][at])
            after = nodes[at]
            if name == "add" and (after.any() or np.any(before)):
                sources_ = np.broadcast_to(np.asarray(before, np.int64), some.shape), after
                after = machine.add("add", number, some, new, sources_)
            write(machine, number, some, where, new, after)
            write_register(some, old, before)

    return execute


def _turns(addresses: Addresses) -> Iterator[NDArray[np.intp]]:
    """Yield who goes next: of the threads with one address, the first that has not been."""
    left = np.arange(len(addresses))
    while len(left):
        _, first = np.unique(addresses[left], return_index=True)
        first.sort()
        yield left[first]
        left = np.delete(left, first)


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
    into, out_of = addresses_of(operands, target, "shared"), addresses_of(operands, source, "global")
    kind = np.dtype(np.uint32)
    length = operands.every(used[0], kind) if used else None
    machine, number, look = operands.machine, operands.number, watch_of(operands)

    def execute(who: Who) -> None:
        to, start = into(who), out_of(who)
        look(who, start)
        bytes_ = length(who) if length else np.full(len(who), size.value)
        for at in range(0, size.value, kind.itemsize):
            values, nodes = read(machine, number, who, np.where(at < bytes_, start + at, 0), kind)
            write(machine, number, who, to + at, values, nodes)

    return execute


def exchange_lanes(operands: Operands) -> Step:
    """Move values between the lanes of a warp (PTX ISA, "shfl.sync")."""
    mode = operands.instruction.modifiers[1]
    result, source, lane, clamp, _ = operands.all
    first, second = (result.first, result.second) if isinstance(result, Pair) else (result, None)
    unsigned = np.dtype(np.uint32)
    read, read_lane, read_clamp = (operands.every(each, unsigned) for each in (source, lane, clamp))
    write, write_other = operands.writer(first or Sink()), operands.writer(second or Sink())
    cell, machine, number, look = operands.cell(source), operands.machine, operands.number, watch_of(operands)

    def exchange(who: Who) -> None:
        anywhere = np.full(len(who), SHUFFLED)
        look(who, anywhere)
        own = (who % machine.geometry.per_block) % 32
        b, c = read_lane(who).astype(np.int64), read_clamp(who).astype(np.int64)
        segment, limit = c >> 8 & 31, c & 31
        least = own & segment
        most = least | (limit & ~segment)
        target = {"up": own - b, "down": own + b, "bfly": own ^ b, "idx": least | (b & ~segment)}.get(mode)
        if target is None:
            raise GivesUpError(mode)
        inside = target >= most if mode == "up" else target <= most
        target = np.where(inside, target, own)
        place = np.minimum(np.searchsorted(who, who - own + target), len(who) - 1)
        is_missing = who[place] != who - own + target  # a lane that does not take part
        values, nodes = np.where(is_missing, MISSING, read(who)[place]), np.zeros(len(who), np.int64)
        if cell is not None and cell.origins is not None:
            known = np.where(is_missing, NEVER_SET, cell.origins[who][place])
            machine.with_unset(number, who, known)
            reals = machine.origins.values(known)
            nodes = np.where(known, machine.add(SHUFFLE, number, who, reals, (known, anywhere)), 0)
        write(who, values, nodes)
        write_other(who, inside, 0)

    return exchange
