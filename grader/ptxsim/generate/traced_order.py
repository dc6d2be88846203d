"""How accesses, fences and mbarriers may order threads, as events and flags of events."""

from __future__ import annotations

from grader.ptxsim.analysis.ordering import spin_reads
from grader.ptxsim.analysis.registers import is_needed
from grader.ptxsim.generate.addresses import Access, access_at, generic_addresses
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import vector
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.traces import Event, How, append
from grader.ptxsim.generate.values import spread
from grader.ptxsim.syntax.records import Address, Instruction, Integer, Operand

_RELEASES = frozenset({"release", "acq_rel", "sc"})
_OF_BLOCK = frozenset({"cta", "cluster"})
_OF_MEMORY = frozenset({"cta", "cluster", "gpu", "gl", "sys"})
_OPERATIONS = {"init": How.INIT, "arrive_drop": How.DROP | How.ARRIVE, "arrive": How.ARRIVE}
BYTES = 8  # of an mbarrier
EXCHANGES = frozenset({"exch", "cas"})  # atomics that may leave a value as it was


def how_it_orders(code: Code, instruction: Instruction) -> How:
    """Return how a load, a store or an atomic may order other accesses."""
    modifiers = set(instruction.modifiers)
    flags = How.NOTHING if modifiers & _OF_BLOCK else How.DEVICE
    flags |= How.ACQUIRES if instruction.opcode in {"ld", "atom"} and _is_used(code, instruction) else How.NOTHING
    flags |= How.PUBLISHES if instruction.opcode != "ld" else How.NOTHING
    flags |= How.RELEASES if modifiers & _RELEASES else How.NOTHING
    if "volatile" in modifiers:
        flags |= How.VOLATILE
    if (
        instruction.opcode == "ld"
        and "volatile" in modifiers
        and instruction in spin_reads(code.kernel.facts.graph, code.kernel.facts.order)
    ):
        flags |= How.SPINS
    return flags


def _is_used(code: Code, instruction: Instruction) -> bool:
    """Whether anything reads what an instruction returns."""
    live, block = code.kernel.facts.live, code.kernel.facts.graph.blocks[code.block]
    place = next((at for at, other in enumerate(block.instructions) if other is instruction), None)
    return place is None or is_needed(block, place, live.live_out[code.block], live.numbers)


def append_exchange(code: Code, instruction: Instruction, access: Access, replacing: str) -> None:
    """Append an exchange after it, with the mask of the lanes that have replaced a value by another one.

    The others publish nothing: who reads the value cannot know that they were there.
    """
    how, executing = how_it_orders(code, instruction), code.executing_lanes()
    addresses = generic_addresses(code, access)
    changing = code.emitter.pure(f"and i32 {executing}, {replacing}")
    unchanging = code.emitter.pure(f"xor i32 {executing}, {changing}")
    append(code, Event.ATOMIC, access.total, addresses, changing, how)
    append(code, Event.ATOMIC, access.total, addresses, unchanging, how & ~How.PUBLISHES)


def append_fence(code: Code, instruction: Instruction) -> None:
    """Append a fence of memory, but not of what orders other kinds of access."""
    scopes = _OF_MEMORY & set(instruction.modifiers)
    if scopes and "proxy" not in "".join(instruction.modifiers):
        append(code, Event.FENCE, how=How.NOTHING if scopes <= _OF_BLOCK else How.DEVICE)


def append_object(code: Code, instruction: Instruction) -> None:
    """Append an operation on an mbarrier: an arrival before it, a wait behind it."""
    operands, modifiers = instruction.operands, instruction.modifiers
    place = next((number for number, item in enumerate(operands) if isinstance(item, Address)), None)
    if place is None:
        return
    if {"test_wait", "try_wait"} & set(modifiers):
        _append(code, instruction, place, How.ACQUIRES, None)
        return
    count: Operand = operands[place + 1] if len(operands) > place + 1 else Integer(1)
    kind = next((flags for name, flags in _OPERATIONS.items() if name in modifiers), None)
    if kind is not None:
        _append(code, instruction, place, kind, count)


def append_arrival_of_copies(code: Code, instruction: Instruction) -> None:
    """Append cp.async.mbarrier.arrive: an arrival that the phase expects only with .noinc."""
    arrives = "noinc" in instruction.modifiers
    _append(code, instruction, 0, How.COPIES | How.ARRIVE, Integer(1 if arrives else 0))


def _append(code: Code, instruction: Instruction, place: int, flags: How, count: Operand | None) -> None:
    address = instruction.operands[place]
    if not isinstance(address, Address):
        return
    addresses = generic_addresses(code, access_at(address, instruction))
    append(code, Event.OBJECT, BYTES, addresses, how=flags)
    if count is not None:
        narrow = spread(code.emitter, read(code, count, "u32"))
        wide = code.emitter.pure(f"zext {vector('i32')} {narrow} to {vector('i64')}")
        append(code, Event.VALUES, BYTES, wide)
