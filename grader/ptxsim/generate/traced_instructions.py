"""The events that traced code appends before each instruction that accesses memory or synchronises."""

from __future__ import annotations

from grader.ptxsim.analysis.ordering import barrier_operands, is_barrier
from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.analysis.updates import ATOMIC
from grader.ptxsim.generate import async_copies, traces
from grader.ptxsim.generate.addresses import Access, access_of, accessed, generic_addresses
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import BITS, element_of, vector
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.values import spread
from grader.ptxsim.generate.warps import lanes_meet, lanes_read, members
from grader.ptxsim.syntax.records import Address, Instruction, Integer, Operand, Register, address_of, items_of

_UNSHARED = frozenset({"param", "local"})


def append_event(code: Code, instruction: Instruction) -> None:
    """Write the code that appends an instruction's events."""
    modifiers = set(instruction.modifiers)
    if is_barrier(instruction):
        _barrier(code, instruction)
    elif lanes_meet(instruction):
        append_warp_operation(code, instruction)
    elif instruction.opcode in {"ld", "ldu"} and not modifiers & _UNSHARED and not _is_fixed_constant(instruction):
        access = access_of(code, instruction)
        kind = traces.Event.ATOMIC if modifiers & ATOMIC else traces.Event.READ
        _append(code, kind, access, access.total, how=traces.how_it_orders(code, instruction))
    elif instruction.opcode == "st" and not modifiers & _UNSHARED:
        _store(code, instruction, atomic=bool(modifiers & ATOMIC))
    elif instruction.opcode in {"atom", "red"}:
        _atomic(code, instruction)
    elif instruction.opcode == "cp":
        _copy(code, instruction)
    elif instruction.opcode in {"membar", "fence"}:
        traces.append_fence(code, instruction)
    elif instruction.opcode == "mbarrier" and not {"test_wait", "try_wait"} & modifiers:
        traces.append_object(code, instruction)


def _is_fixed_constant(instruction: Instruction) -> bool:
    """Return whether this reads a `__constant__` variable at a constant index, where no thread writes."""
    address = address_of(instruction)
    return "const" in instruction.modifiers and address is not None and not isinstance(address.base, Register)


def _barrier(code: Code, instruction: Instruction) -> None:
    """Append an arrival: the number of the barrier, how many threads it expects, and whether this one waits."""
    emitter, wide = code.emitter, vector("i64")
    operands = barrier_operands(instruction, code.kernel.facts.geometry.threads)
    narrow = [spread(emitter, read(code, operand, "u32")) for operand in operands]
    number, expected = (emitter.pure(f"zext {vector('i32')} {name} to {wide}") for name in narrow)
    high = emitter.pure(f"shl {wide} {number}, splat (i64 {traces.EXPECTED_BITS})")
    low = emitter.pure(f"shl {wide} {expected}, splat (i64 1)")
    word = emitter.pure(f"or {wide} {high}, {low}")
    waits_for_none = traces.ARRIVES_ONLY if "arrive" in instruction.modifiers else 0
    traces.append(code, traces.Event.BARRIER, 0, emitter.pure(f"or {wide} {word}, splat (i64 {waits_for_none})"))


def append_warp_operation(code: Code, instruction: Instruction, places: str = "") -> None:
    """Append that the active lanes meet at an operation, with a vector of the numbers of their `places`, plus one."""
    operand = members(instruction)
    if operand is None:  # an operation on fragments, for all lanes
        traces.append_warp(code)
        return
    emitter, wide = code.emitter, vector("i64")
    word = emitter.pure(f"zext {vector('i32')} {spread(emitter, read(code, operand, 'b32'))} to {wide}")
    if instruction.opcode == "shfl":
        source = emitter.pure(f"add {vector('i32')} {lanes_read(code, instruction)[1]}, splat (i32 1)")
        word = _with_number(code, word, source, traces.SOURCE_BITS)
    if places:
        word = _with_number(code, word, places, traces.PLACE_BITS)
    traces.append_warp(code, word)


def _with_number(code: Code, word: str, numbers: str, bits: int) -> str:
    """Return words with numbers from some bit on."""
    emitter, wide = code.emitter, vector("i64")
    number = emitter.pure(f"zext {vector('i32')} {numbers} to {wide}")
    return emitter.pure(f"or {wide} {word}, {emitter.pure(f'shl {wide} {number}, splat (i64 {bits})')}")


def _store(code: Code, instruction: Instruction, *, atomic: bool) -> None:
    access = access_of(code, instruction)
    flags = traces.how_it_orders(code, instruction)
    if atomic:
        _append(code, traces.Event.ATOMIC, access, access.total, how=flags)
        return
    for part, item in enumerate(items_of(instruction.operands[1])):
        _append(code, traces.Event.WRITE, access, access.size, offset=part * access.size, how=flags)
        _values(code, access, item)


def _values(code: Code, access: Access, item: Operand) -> None:
    """Append the values that lanes write, as integers of 64 bits."""
    emitter, element = code.emitter, element_of(access.type)
    name = spread(emitter, read(code, item, access.type))
    bits = f"i{BITS[element]}"
    if element != bits:
        name = emitter.pure(f"bitcast {vector(element)} {name} to {vector(bits)}")
    if bits == "i128":
        high = emitter.pure(f"lshr {vector(bits)} {name}, splat (i128 64)")
        parts = [emitter.pure(f"trunc {vector(bits)} {part} to {vector('i64')}") for part in (name, high)]
    else:
        parts = [name if bits == "i64" else emitter.pure(f"zext {vector(bits)} {name} to {vector('i64')}")]
    for part in parts:
        traces.append(code, traces.Event.VALUES, access.size, part)


def _atomic(code: Code, instruction: Instruction) -> None:
    if not traces.EXCHANGES & set(instruction.modifiers):  # their event follows them
        access = accessed(code, instruction)
        _append(code, traces.Event.ATOMIC, access, access.total, how=traces.how_it_orders(code, instruction))


def _copy(code: Code, instruction: Instruction) -> None:
    """Append the read of an asynchronous copy that starts here, or the end of a group, or a wait.

    The copy itself follows when its source has been read (`async_copies.py`).
    """
    modifiers = instruction.modifiers
    if "commit_group" in modifiers:
        traces.append(code, traces.Event.COMMIT)
    elif "mbarrier" in modifiers:
        traces.append_arrival_of_copies(code, instruction)
    elif {"wait_group", "wait_all"} & set(modifiers):
        pending = instruction.operands[0] if "wait_group" in modifiers else None
        traces.append(code, traces.Event.WAIT, pending.value if isinstance(pending, Integer) else traces.ALL_COPIES)
    elif len(instruction.operands) > 2:
        source, (size, *shorter) = instruction.operands[1], async_copies.sizes(instruction)
        if isinstance(source, Address) and isinstance(size, Integer):
            _copied(code, Access("global", source, "b32", 1), size, shorter)


def _copied(code: Code, access: Access, written: Integer, shorter: list[Operand]) -> None:
    """Append what a copy reads: nothing, where it fills a part of the target with zeros."""
    size = written.value
    if not shorter:
        _append(code, traces.Event.READ, access, size, how=traces.How.SOURCE)
        return
    emitter, given = code.emitter, async_copies.lengths(code, read(code, written, "u32"), shorter[0])
    is_whole = emitter.op(f"icmp eq {vector('i32')} {given}, splat (i32 {size})")
    lanes = emitter.op(f"bitcast <{LANES} x i1> {is_whole} to i32")
    acting = emitter.op(f"and i32 {lanes}, {code.executing_lanes()}")
    traces.append(code, traces.Event.READ, size, generic_addresses(code, access), acting, traces.How.SOURCE)


def _append(
    code: Code, kind: traces.Event, access: Access, size: int, *, offset: int = 0, how: traces.How = traces.How.NOTHING
) -> None:
    """Append an event with the lanes' addresses, moved by an offset in bytes."""
    addresses = generic_addresses(code, access)
    if offset:
        addresses = code.emitter.pure(f"add {vector('i64')} {addresses}, splat (i64 {offset})")
    traces.append(code, kind, size, addresses, how=how)
