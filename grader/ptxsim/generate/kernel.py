"""The blocks of a kernel as functions of a module of LLVM IR."""

from __future__ import annotations

from collections.abc import Sequence

from grader.ptxsim.analysis.divergence import MaskedRegion
from grader.ptxsim.analysis.ordering import is_barrier
from grader.ptxsim.generate import async_copies, plans, traces
from grader.ptxsim.generate.barriers import barrier, barrier_result
from grader.ptxsim.generate.chains import chain
from grader.ptxsim.generate.code import Code, PlacedKernel
from grader.ptxsim.generate.control import Flow
from grader.ptxsim.generate.exits import ENDINGS
from grader.ptxsim.generate.general import Waiting
from grader.ptxsim.generate.ir_text import ir_text
from grader.ptxsim.generate.layout import NOTE_BITS, Warp, offset
from grader.ptxsim.generate.loads_and_stores import planned
from grader.ptxsim.generate.neighbouring_loads import NeighbouringLoads
from grader.ptxsim.generate.pauses import wait_at_object, waits_at_object
from grader.ptxsim.generate.traced_instructions import append_event
from grader.ptxsim.generate.traces import append_wait
from grader.ptxsim.generate.translation import translate, translator
from grader.ptxsim.syntax.records import Instruction

METADATA = """
!0 = !{!"branch_weights", i32 2000, i32 1}
!1 = !{!"branch_weights", i32 1, i32 2000}
"""
DECLARED = (
    "declare i32 @llvm.cttz.i32(i32, i1)",
    "declare i64 @llvm.umin.i64(i64, i64)",
    "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
    "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)",
    "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
    "declare i32 @llvm.ctpop.i32(i32)",
)


def head(local_bytes: int) -> str:
    """Return the line that every module begins with."""
    return f"@local_bytes = internal constant i64 {local_bytes}"


def write_block(code: Code, flow: Flow, number: int) -> None:
    """Write the instructions of a block and its way out."""
    flow.begin(number)
    block = code.kernel.facts.graph.blocks[number]
    for instruction in block.instructions:  # before anything reads modifiers
        translator(code, instruction)
    if isinstance(flow.lanes_wait, Waiting) and number in flow.lanes_wait.convergence.stops:
        flow.end(number, block)  # the results are there
        return
    plan, neighbours = plans.Plan(), NeighbouringLoads()
    for place, instruction in enumerate(block.instructions):
        code.instruction = instruction
        if code.kernel.traced:
            append_event(code, instruction)
        if isinstance(flow.lanes_wait, Waiting) and is_barrier(instruction):
            flow.lanes_wait.arrive(instruction)
            if "arrive" not in instruction.modifiers:
                emitter = code.emitter
                emitter.do(f"br label %{flow.behind(number)}")
                return
            continue
        if _leaves(code, flow, instruction, place):
            plan, neighbours = plans.Plan(), NeighbouringLoads()
            continue
        if instruction.opcode == "ld" and place not in plan.readings:
            plan = _planned(code, block.instructions, place, plan)
            code.instruction = instruction
        _write(code, block.instructions, place, plan, neighbours)
    flow.end(number, block)


def _write(
    code: Code, instructions: Sequence[Instruction], place: int, plan: plans.Plan, neighbours: NeighbouringLoads
) -> None:
    """Write an instruction, unless it was written before."""
    if place in code.values.hoisted:
        code.recall(place)
    elif place in plan.readings:
        planned(code, instructions[place], plan, place)
    elif place in neighbours.parts or neighbours.begin(code, instructions, place):
        neighbours.load(code, instructions[place], place)
    else:
        translate(code, instructions[place])


def _leaves(code: Code, flow: Flow, instruction: Instruction, place: int) -> bool:
    """Translate an instruction at which the warp may leave the processor. Return whether it is one."""
    if instruction.opcode == "barrier_result":
        barrier_result(code, instruction)
    elif is_barrier(instruction):
        barrier(code, flow, instruction, place)
    elif waits_at_object(instruction):
        over = wait_at_object(code, flow, instruction, place)
        if code.kernel.traced:
            append_wait(code, instruction, over)
    else:
        return False
    return True


def _planned(code: Code, instructions: tuple[object, ...], place: int, before: plans.Plan) -> plans.Plan:
    """Return a new plan for the loads from here on; if this load cannot be planned, the plan `before`."""
    plan = plans.plan(code, instructions, place, translate)  # type: ignore[arg-type]
    if place not in plan.readings:
        return before
    plans.check(code, plan)
    return plan


def runtime(*, traced: bool = False, copies: bool = False) -> str:
    """Return the functions that every module contains.

    Those of `traced` code append accesses to a trace; a kernel with asynchronous `copies` needs the functions for them.
    """
    more = (traces.functions() if traced else "", async_copies.functions(traced=traced) if copies else "")
    return "".join((*map(ir_text, ("faults", "resolve", "local_row", "preload")), *more))


def scheduler(kernel: PlacedKernel, stride: int, local_at: int) -> str:
    """Return the functions that run blocks. A warp's record has `stride` bytes; local memory starts at `local_at`."""
    geometry = kernel.facts.geometry
    warps = geometry.warps
    return (
        ir_text(
            "run",
            warps=warps,
            stride=stride,
            shared_bytes=kernel.shared_bytes,
            reserved_bytes=kernel.reserved_bytes,
            local_at=local_at,
            all_local_bytes=stride - local_at,
        )
        + ir_text("arrive", warps=warps, stride=stride)
        + ir_text("open_for_rest", warps=warps, stride=stride, threads=geometry.threads)
        + ir_text("run_block", warps=warps, last_warp=warps - 1, stride=stride, reverse=1)
    )


def write_blocks(flow: Flow, blocks: Sequence[int], regions: Sequence[MaskedRegion]) -> None:
    """Write these blocks, and the checks after those that are masked."""
    for number in blocks:
        write_block(flow.code, flow, number)
    for region in regions:
        chain(flow, region)


def function(name: str, flow: Flow, entries: Sequence[str] = (), *, begins: bool = True) -> str:
    """Return the function that runs a warp in the blocks that have been written, from where the warp's record says.

    That is one of `entries`, the place of a wait, or if the function `begins` the kernel the beginning.
    """
    code = flow.code
    beginning = _beginning(flow) if begins else []
    labels = enumerate((*entries, *code.resumes.made), 1)
    targets = " ".join(f"i32 {place}, label %{label}" for place, label in labels)
    lines = (
        f"  %alive.at = getelementptr i8, ptr %w, i64 {offset(Warp, 'alive')}",
        f"  %resume.at = getelementptr i8, ptr %w, i64 {offset(Warp, 'resume')}",
        *code.emitter.entry,
        "  %resume = load i32, ptr %resume.at",
        f"  %here = and i32 %resume, {(1 << NOTE_BITS) - 1}",
        f"  switch i32 %here, label %{'begin' if begins else 'fault'} [ {targets} ]",
    )
    return "\n".join([f"define {name}(ptr %m, ptr %w) {{", "entry:", *lines, *beginning, *code.emitter.lines, *ENDINGS])


def _beginning(flow: Flow) -> list[str]:
    """Return the lines that a warp begins with; where the first block is masked, all lanes wait there."""
    code, emitter, target = flow.code, flow.code.emitter, "b0"
    body, emitter.lines = emitter.lines, []
    emitter.label("begin")
    code.clear_frame()
    if 0 in flow.region_of:
        emitter.do(f"store i32 {emitter.op(f'load i32, ptr {code.entry.alive}')}, ptr {flow.slot(0)}")
        target = flow.check_label(flow.region_of[0], 0) if flow.lanes_wait else target
    emitter.do(f"br label %{target}")
    lines, emitter.lines = emitter.lines, body
    return lines


def module(code: Code, *functions: str) -> str:
    """Return the module of these functions, with all else that the code refers to."""
    declared = sorted({*code.emitter.declarations, *DECLARED})
    own = code.globals.tables, declared, code.globals.functions.values(), functions
    return "\n".join([head(code.kernel.local_bytes), *(text for texts in own for text in texts), METADATA])
