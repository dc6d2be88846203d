"""Barriers of a block: a warp stores what it still needs, returns, and is resumed when the barrier opens.

PTX ISA, "Parallel Synchronization and Communication Instructions: bar, barrier".
"""

from __future__ import annotations

from grader.ptxsim.analysis.ordering import barrier_operands
from grader.ptxsim.analysis.registers import live_behind
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.control import Flow
from grader.ptxsim.generate.exits import leave, require
from grader.ptxsim.generate.layout import BARRIERS, Barrier, ProcessorState, Status, Warp, offset
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.operations import result
from grader.ptxsim.generate.values import first_lane, mask, scalar
from grader.ptxsim.records.lacks import Lack
from grader.ptxsim.syntax.records import Instruction, Operand

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
    suspend(code, place, Status.WAITS)
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
        alive = code.emitter.op(f"load i32, ptr {code.entry.alive}")
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


def suspend(code: Code, place: int, status: Status) -> None:
    """Store what is live, return, and continue here when the warp is run again."""
    live, block = code.kernel.facts.live, code.kernel.facts.graph.blocks[code.block]
    code.flush(live_behind(block, place, live.live_out[code.block], live.numbers))
    leave_and_continue(code, status)
    code.active = code.emitter.op(f"load i32, ptr {code.entry.alive}")


def leave_and_continue(code: Code, status: Status) -> None:
    """Return, and continue here when the warp is run again. Registers are in the warp's record."""
    label = code.emitter.new_label("resume")
    code.set_warp("resume", str(code.resumes.add(label)))
    leave(code, status)
    code.emitter.label(label)
    code.forget()
    code.values.hoisted.clear()


def barrier_result(code: Code, instruction: Instruction) -> None:
    """Write the result of bar.red for the lanes that the barrier has released."""
    combined(code, instruction, existing(code, _uniform(code, instruction.operands[1])))
