"""One kernel as a module of LLVM IR."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grader.ptxsim.analysis.divergence import region_of
from grader.ptxsim.analysis.ordering import is_barrier
from grader.ptxsim.analysis.registers import live_behind
from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate import async_copies, movers, plans, traces
from grader.ptxsim.generate.barriers import barrier, barrier_result
from grader.ptxsim.generate.chains import chain
from grader.ptxsim.generate.code import Code, PlacedKernel
from grader.ptxsim.generate.control import Flow
from grader.ptxsim.generate.exits import ENDINGS
from grader.ptxsim.generate.general import Stop, Waiting
from grader.ptxsim.generate.ir_text import ir_text
from grader.ptxsim.generate.layout import SAVED, Place, Warp, offset
from grader.ptxsim.generate.loads_and_stores import planned
from grader.ptxsim.generate.neighbouring_loads import NeighbouringLoads
from grader.ptxsim.generate.pauses import Pauses, wait_at_object, waits_at_object
from grader.ptxsim.generate.traced_instructions import append_event
from grader.ptxsim.generate.traces import append_object
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
MOST_VECTORS = 8  # that are restored: the 32 registers of AVX-512 hold 16 vectors of 32 floats, the 16 of AVX2 hold 4


@dataclass(frozen=True, slots=True)
class Generated:
    """A kernel's IR and what the engine needs to know about it. `stride` is how many bytes a warp's record takes."""

    text: str
    places: tuple[Place, ...]
    stride: int
    saved_bytes: int
    stops: tuple[Stop, ...]
    may_diverge: bool


def generate(kernel: PlacedKernel, *, general: bool = False) -> Generated:
    """Return the module of a kernel."""
    code, facts = Code(kernel), kernel.facts
    flow = _flow(code, general=general)
    for number in facts.order.blocks:
        write_block(code, flow, number)
    for region in facts.regions:
        chain(flow, region)
    stride = -(-(SAVED + code.saved.bytes) // 64) * 64
    whole = stride + -(-kernel.local_bytes * LANES // 64) * 64
    shared = runtime(traced=kernel.traced, copies=facts.graph.has("cp")), scheduler(kernel, whole, stride)
    moves = (movers.mover(*item) for item in sorted(code.globals.movers))
    text = module(code, *shared, *moves, _step(code, flow))
    stops = flow.lanes_wait.table() if isinstance(flow.lanes_wait, Waiting) else ()
    return Generated(text, tuple(code.places.made), whole, stride, stops, code.may_diverge)


def _flow(code: Code, *, general: bool) -> Flow:
    flow = Flow(code, region_of(code.kernel.facts))
    flow.alive = code.alive = code.emitter.at_entry("alloca i32")
    if general:
        flow.lanes_wait = Waiting(code, flow)
        return flow
    _keep_registers(code)
    flow.pauses = Pauses(code, flow)
    return flow


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
        if _waits(code, flow, instruction, place):
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


def _waits(code: Code, flow: Flow, instruction: Instruction, place: int) -> bool:
    """Translate an instruction at which the warp may leave the processor. Return whether it is one."""
    if instruction.opcode == "barrier_result":
        barrier_result(code, instruction)
    elif is_barrier(instruction):
        barrier(code, flow, instruction, place)
    elif waits_at_object(instruction):
        wait_at_object(code, flow, instruction, place)
        if code.kernel.traced:
            append_object(code, instruction)
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


def _step(code: Code, flow: Flow) -> str:
    targets = " ".join(f"i32 {place + 1}, label %{label}" for place, label in enumerate(code.saved.resumes))
    alive = ("  %alive.was = load i32, ptr %alive.at", f"  store i32 %alive.was, ptr {flow.alive}")
    switch = f"  switch i32 %resume, label %{'begin' if 0 in flow.region_of else 'b0'} [ {targets} ]"
    return resumed("internal i32 @step", code, *alive, switch, *code.emitter.lines, *_first_block(flow))


def resumed(name: str, code: Code, *lines: str) -> str:
    """Return the function that runs a warp; its `lines` begin with a switch on where the warp's record says."""
    beginning = (
        f"  %alive.at = getelementptr i8, ptr %w, i64 {offset(Warp, 'alive')}",
        f"  %resume.at = getelementptr i8, ptr %w, i64 {offset(Warp, 'resume')}",
        *code.emitter.entry,
        "  %resume = load i32, ptr %resume.at",
    )
    return "\n".join([f"define {name}(ptr %m, ptr %w) {{", "entry:", *beginning, *lines, *ENDINGS])


def _first_block(flow: Flow) -> list[str]:
    """Where the first block is masked, all lanes wait there at the beginning."""
    if 0 not in flow.region_of:
        return []
    target = flow.check_label(flow.region_of[0], 0) if flow.lanes_wait else "b0"
    return ["begin:", f"  store i32 %alive.was, ptr {flow.slot(0)}", f"  br label %{target}"]


def module(code: Code, *functions: str) -> str:
    """Return the module of these functions, with all else that the code refers to."""
    declared = sorted({*code.emitter.declarations, *DECLARED})
    own = code.globals.tables, declared, code.globals.functions.values(), functions
    return "\n".join([head(code.kernel.local_bytes), *(text for texts in own for text in texts), METADATA])


def _keep_registers(code: Code) -> None:
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
