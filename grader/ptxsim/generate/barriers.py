"""Barriers of a block: a warp saves what it still needs, returns, and is resumed when the barrier opens.

PTX ISA, "Parallel Synchronization and Communication Instructions: bar, barrier".
"""

from __future__ import annotations

from collections.abc import Sequence

from grader.ptxsim.analysis.ordering import barrier_operands, is_barrier
from grader.ptxsim.analysis.registers import live_behind
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.control import Flow
from grader.ptxsim.generate.emitter import bytes_of
from grader.ptxsim.generate.exits import leave, require
from grader.ptxsim.generate.layout import BARRIERS, SAVED, Barrier, ProcessorState, Status, Warp, offset
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.operations import result
from grader.ptxsim.generate.values import first_lane, mask, scalar
from grader.ptxsim.records.lacks import Lack
from grader.ptxsim.syntax.records import Instruction, Operand

MOST_VECTORS = 8  # that are restored: the 32 registers of AVX-512 hold 16 vectors of 32 floats, the 16 of AVX2 hold 4
_BARRIER_BYTES = 4 * len(Barrier._fields_)


def barrier(code: Code, flow: Flow, instruction: Instruction, place: int) -> None:
    """Wait at a barrier, arrive at one, or combine a predicate of all threads at one."""
    code.instruction = instruction
    predicate = instruction.operands[-1] if "red" in instruction.modifiers else None
    operands = barrier_operands(instruction, code.kernel.facts.geometry.threads)
    number, expected = (_uniform(code, operand) for operand in operands)
    number = existing(code, number)
    _require_all(code, flow)
    if "arrive" in instruction.modifiers:
        arrive(code, number, expected)
        return
    if predicate is not None:
        add_predicate(code, number, predicate)
    code.set_warp("barrier", number)
    code.set_warp("expected", expected)
    code.set_warp("where", str(code.place()))
    suspend(code, flow, place, Status.WAITS)
    if predicate is not None:
        combined(code, instruction, code.emitter.load("i32", "%w", offset(Warp, "barrier"), 4))


def _uniform(code: Code, operand: Operand) -> str:
    value = read(code, operand, "u32")
    if value.varies:
        raise code.unsupported(Lack.BARRIER_OF_LANES)
    return first_lane(code.emitter, value)


def existing(code: Code, number: str) -> str:
    """Return a number limited to that of an existing barrier, because a register may hold any number."""
    return code.emitter.op(f"and i32 {number}, {BARRIERS - 1}")


def _require_all(code: Code, flow: Flow) -> None:
    """Within masked code, all lanes that are alive have to be here; otherwise the general code takes over."""
    if code.block in flow.region_of:
        alive = code.emitter.op(f"load i32, ptr {flow.alive}")
        require(code, code.emitter.op(f"icmp eq i32 {alive}, {code.active}"))


def arrive(code: Code, number: str, expected: str) -> None:
    """Count the active lanes as arrived at a barrier, which opens when as many as expected have."""
    emitter = code.emitter
    threads = emitter.call("i32", "llvm.ctpop.i32", [("i32", code.active)])
    warps = code.processor("warps", "ptr")
    emitter.do(f"call void @arrive(ptr %m, ptr {warps}, i32 {number}, i32 {threads}, i32 {expected})")


def barrier_record(code: Code, number: str, field: str) -> str:
    """Return the pointer to a field of a barrier's record."""
    emitter = code.emitter
    wide = emitter.op(f"zext i32 {number} to i64")
    scaled = emitter.op(f"mul i64 {wide}, {_BARRIER_BYTES}")
    place = emitter.op(f"add i64 {scaled}, {offset(ProcessorState, 'barriers') + offset(Barrier, field)}")
    return emitter.op(f"getelementptr i8, ptr %m, i64 {place}")


def add_predicate(code: Code, number: str, predicate: Operand) -> None:
    """Count the active lanes whose predicate holds."""
    emitter = code.emitter
    holds = emitter.op(f"and i32 {code.active}, {mask(emitter, read(code, predicate, 'pred'))}")
    count = emitter.call("i32", "llvm.ctpop.i32", [("i32", holds)])
    pointer = barrier_record(code, number, "holds")
    old = emitter.load("i32", pointer, 0, 4)
    emitter.store("i32", emitter.op(f"add i32 {old}, {count}"), pointer, 0, 4)


def combined(code: Code, instruction: Instruction, number: str) -> None:
    """bar.red: write the combination of all threads' predicates, which the barrier's record has."""
    emitter = code.emitter
    count = emitter.load("i32", barrier_record(code, number, "count_result"), 0, 4)
    if "popc" in instruction.modifiers:
        result(code, instruction, scalar("i32", count))
        return
    threads = emitter.load("i32", barrier_record(code, number, "all_result"), 0, 4)
    text = f"icmp eq i32 {count}, {threads}" if "and" in instruction.modifiers else f"icmp ne i32 {count}, 0"
    result(code, instruction, scalar("i1", emitter.op(text)))


def suspend(code: Code, flow: Flow, place: int, status: Status) -> None:
    """Save what is live, return, and continue here when the warp is run again."""
    live = _live(code, flow, place)
    code.flush(live)
    save_and_leave(code, flow, parts_of(code, flow, live), status)
    code.active = code.emitter.op(f"load i32, ptr {flow.alive}")


def parts_of(code: Code, flow: Flow, live: int) -> list[tuple[str, str]]:
    """Return where live registers and, within a region, its masks are stored, with their types.

    Registers that are kept in the warp's record stay there during a wait.
    """
    if code.saved.frame is not None:
        return []
    parts = parts_of_registers(code, live)
    region = flow.region_of.get(code.block)
    if region is not None:
        exits = region.exits if len(region.exits) > 1 else ()
        parts += [(flow.slot(number), "i32") for number in (*region.blocks, *exits)]
    return parts


def parts_of_registers(code: Code, live: int) -> list[tuple[str, str]]:
    """Return where registers are stored, with their types, without those that are kept in the warp's record."""
    names = [name for name in code.kernel.facts.live.names(live) if name not in code.saved.registers]
    return [(slot, code.stored_type(name)) for name in names for slot in code.slots(name)]


def save_and_leave(code: Code, flow: Flow, parts: Sequence[tuple[str, str]], status: Status) -> None:
    """Save the parts, return, and restore them when the warp is run again."""
    emitter = code.emitter
    places = _places(code, [type_ for _, type_ in parts])
    for (slot, type_), at in zip(parts, places, strict=True):
        emitter.store(type_, emitter.op(f"load {type_}, ptr {slot}"), "%w", at, 4)
    code.set_warp("alive", emitter.op(f"load i32, ptr {flow.alive}"))
    label = f"r{len(code.saved.resumes) + 1}"
    code.saved.resumes.append(label)
    code.set_warp("resume", str(code.saved.first_resume + len(code.saved.resumes)))
    leave(code, status)
    emitter.label(label)
    code.forget()
    code.values.hoisted.clear()
    for (slot, type_), at in zip(parts, places, strict=True):
        emitter.do(f"store {type_} {emitter.load(type_, '%w', at, 4)}, ptr {slot}")


def _live(code: Code, flow: Flow, place: int) -> int:
    """Return what this block still needs, and within a region what any block of it may need."""
    block, live = code.kernel.facts.graph.blocks[code.block], code.kernel.facts.live
    return live_behind(block, place, live.live_out[code.block], live.numbers) | live_in_region(code, flow)


def live_in_region(code: Code, flow: Flow) -> int:
    """Return what any block of the current region may need."""
    region, live = flow.region_of.get(code.block), 0
    for number in (*region.blocks, *region.exits) if region else ():
        live |= code.kernel.facts.live.live_in[number]
    return live


def _places(code: Code, types: list[str]) -> list[int]:
    """Return where each part is saved, as an offset into the warp's record."""
    places, at = [], code.saved.end
    for type_ in types:
        places.append(at)
        at += bytes_of(type_)
    code.saved.bytes = max(code.saved.bytes, at - SAVED)
    return places


def barrier_result(code: Code, instruction: Instruction) -> None:
    """Write the result of bar.red for the lanes that the barrier has released."""
    combined(code, instruction, existing(code, _uniform(code, instruction.operands[1])))


def keep_vectors(code: Code) -> None:
    """Give the vectors that are live at barriers a place in the warp's record, if they are many.

    What a warp needs after a barrier is saved before it and restored behind it. Where that is more than the processor's
    registers hold, LLVM restores it to the stack, so each value is copied several times at each barrier. Instructions
    then read and write the record instead.
    """
    names = _vectors_at_barriers(code)
    if len(names) > MOST_VECTORS:
        code.keep(names)


def _vectors_at_barriers(code: Code) -> list[str]:
    """Return what has a value for each lane. A register that is read before it is written needs a value at first."""
    facts = code.kernel.facts
    needed = 0
    for number, block in enumerate(facts.graph.blocks):
        for place, instruction in enumerate(block.instructions):
            if is_barrier(instruction):
                needed |= live_behind(block, place, facts.live.live_out[number], facts.live.numbers)
    fresh = code.kernel.read_first
    return [name for name in facts.live.names(needed) if name not in fresh and code.stored_type(name).startswith("<")]
