"""Places at which a warp lets others run although it could go on: until something has happened that it waits for."""

from __future__ import annotations

from grader.worker.simulator.analysis.liveness import before, live_behind
from grader.worker.simulator.generate.barriers import parts_of, save_and_leave
from grader.worker.simulator.generate.code import Code
from grader.worker.simulator.generate.control import Flow
from grader.worker.simulator.generate.integers import result
from grader.worker.simulator.generate.layout import Status
from grader.worker.simulator.generate.mbarriers import completed
from grader.worker.simulator.generate.values import lanes
from grader.worker.simulator.syntax.records import Instruction


def waits_at_object(instruction: Instruction) -> bool:
    """Whether an instruction waits for the phase of an mbarrier."""
    return instruction.opcode == "mbarrier" and bool({"test_wait", "try_wait"} & set(instruction.modifiers))


def wait_at_object(code: Code, flow: Flow, instruction: Instruction, place: int) -> None:
    """mbarrier.test_wait, try_wait: where the phase is not over for all lanes, other warps run first."""
    code.instruction = instruction
    if flow.lanes_wait is None:
        over = completed(code, instruction)
        missing = code.emitter.op(f"and i32 {code.active}, {code.emitter.op(f'xor i32 {over}, -1')}")
        _pause_where(code, flow, place, code.emitter.op(f"icmp ne i32 {missing}, 0"))
        code.instruction = instruction
    result(code, instruction, lanes("i1", completed(code, instruction)))


def _pause_where(code: Code, flow: Flow, place: int, condition: str) -> None:
    """Let other warps run if a condition holds, and go on before the instruction at a place of this block."""
    emitter = code.emitter
    live = _live_before(code, flow, place)
    code.flush(live)
    active = flow.paused()
    emitter.do(f"store i32 {code.active}, ptr {active}")
    pause, go = emitter.new_label("pause"), emitter.new_label("go")
    emitter.do(f"br i1 {condition}, label %{pause}, label %{go}")
    emitter.label(pause)
    flow.watch(code.instruction.line if code.instruction else 0)
    save_and_leave(code, flow, [*parts_of(code, flow, live), (active, "i32")], Status.YIELDED)
    emitter.do(f"br label %{go}")
    emitter.label(go)
    code.forget()
    code.hoisted.clear()
    code.active = emitter.op(f"load i32, ptr {active}")


def _live_before(code: Code, flow: Flow, place: int) -> int:
    """Return what the instruction at a place and all behind it still need, its own results where it may keep them."""
    live = code.facts.live
    block = code.facts.graph.blocks[code.block]
    instruction = block.instructions[place]
    found = before(instruction, live_behind(block, place, live.live_out[code.block], live.numbers), live.numbers)
    for name in code.facts.blended.get(code.block, ()):
        found |= 1 << live.numbers[name]
    region = flow.region_of.get(code.block)
    if region is not None:
        for number in (*region.blocks, *region.exits):
            found |= live.live_in[number]
    return found
