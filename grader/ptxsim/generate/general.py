"""Code that makes no assumption on where lanes meet: each lane may wait by itself, as on the device.

Every instruction at which lanes wait for each other is in a block of its own. Such a block runs only when all lanes
that it needs wait at it; lanes that have arrived at a barrier are held until it lets them go. When a whole pass over
the blocks has moved no lane, the warp is left until a barrier has opened; and after some passes it is left anyway, so
that lanes of other warps get a chance to give it what it waits for in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate

from grader.ptxsim.analysis.graph import Block, Graph
from grader.ptxsim.analysis.ordering import barrier_operands, is_barrier
from grader.ptxsim.generate.barriers import (
    add_predicate,
    arrive,
    barrier_record,
    existing,
    leave_and_continue,
)
from grader.ptxsim.generate.chains import watch_pass
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.control import Flow
from grader.ptxsim.generate.convergence_points import ConvergencePoints
from grader.ptxsim.generate.layout import Frame, KeptMask, Status
from grader.ptxsim.generate.warps import lanes_meet, of_all_active
from grader.ptxsim.syntax.records import Instruction

PASSES = 64  # over the blocks of a warp before another warp runs


@dataclass(frozen=True, slots=True)
class Stop:
    """A block at which lanes wait: where a warp's record has its masks of waiting and of held lanes and its barrier.

    Without a barrier of the block, `held` is negative.
    """

    waiting: int
    held: int
    opens: int
    line: int


def split(graph: Graph) -> Graph:
    """Return the graph with each instruction at which lanes wait in a block of its own."""
    pieces: list[list[tuple[Instruction, ...]]] = [list(_runs(block)) for block in graph.blocks]
    first = [0, *accumulate(map(len, pieces))]
    new: list[Block] = []
    for number, (block, runs) in enumerate(zip(graph.blocks, pieces, strict=True)):
        for place, run in enumerate(runs):
            if place < len(runs) - 1:
                new.append(Block(run, (first[number] + place + 1,), line=run[-1].line if run else block.line))
            else:
                successors = tuple(first[target] if target >= 0 else target for target in block.successors)
                new.append(replace(block, instructions=run, successors=successors))
    return Graph(tuple(new))


def _runs(block: Block) -> Iterator[tuple[Instruction, ...]]:
    """Return the pieces of a block. A barrier is followed by a piece of its own, for lanes that it has released."""
    run: list[Instruction] = []
    for instruction in block.instructions:
        if not lanes_meet(instruction):
            run.append(instruction)
            continue
        if run:
            yield tuple(run)
        yield (instruction,)
        run = []
        if is_barrier(instruction):
            is_red = "red" in instruction.modifiers
            fence = replace(instruction, opcode="membar", modifiers=("cta",), operands=())
            run = [replace(instruction, opcode="barrier_result") if is_red else fence]
    yield tuple(run)


def stops(graph: Graph, frame: Frame) -> tuple[Stop, ...]:
    """Return where lanes wait."""
    return tuple(
        Stop(
            frame.mask(number),
            frame.mask(number, KeptMask.HELD) if is_barrier(instruction) else -1,
            frame.mask(number, KeptMask.OPENS),
            instruction.line,
        )
        for number, instruction in _stops(graph).items()
    )


def _stops(graph: Graph) -> dict[int, Instruction]:
    blocks = ((number, block.instructions[:1]) for number, block in enumerate(graph.blocks))
    return {number: first for number, own in blocks for first in own if lanes_meet(first)}


class Waiting:
    """What is kept for each block at which lanes wait."""

    def __init__(self, code: Code, flow: Flow) -> None:
        self.code = code
        self.flow = flow
        self.stops = _stops(code.kernel.facts.graph)
        self.convergence = ConvergencePoints(code, flow, self.stops)
        self.progress, self.passes, self.late = (code.emitter.slot() for _ in range(3))

    def let_go_before(self, number: int) -> None:
        """Let lanes go that are held at a barrier after which a block comes, if it has opened."""
        for stop, instruction in self.stops.items():
            if is_barrier(instruction) and number in self.code.kernel.facts.graph.blocks[stop].successors:
                self.let_go(stop)

    def let_go(self, stop: int) -> None:
        """Let lanes that are held at a barrier wait after it, if it has opened since they arrived."""
        emitter, mask = self.code.emitter, partial(self.code.frame.mask, stop)
        held = emitter.load("i32", "%w", mask(KeptMask.HELD), 4)
        with emitter.where(emitter.op(f"icmp ne i32 {held}, 0")):
            number = emitter.load("i32", "%w", mask(KeptMask.OPENS), 4)
            now = emitter.load("i32", barrier_record(self.code, number, "generation"), 0, 4)
            then = emitter.load("i32", "%w", mask(KeptMask.TURN), 4)
            with emitter.where(emitter.op(f"icmp ne i32 {now}, {then}")):
                emitter.join(self.flow.slot(self.code.kernel.facts.graph.blocks[stop].successors[0]), held)
                emitter.store("i32", "0", "%w", mask(KeptMask.HELD), 4)

    def ready(self, number: int, lanes: str) -> str:
        """Return whether all lanes that an instruction needs wait at it."""
        emitter, stop = self.code.emitter, self.stops[number]
        if is_barrier(stop):
            return "true"
        alive = emitter.op(f"load i32, ptr {self.code.entry.alive}")
        if number in self.convergence.stops:
            return self.convergence.ready(number, lanes, alive)
        return emitter.op(f"icmp eq i32 {lanes}, {alive}")

    def moved(self, number: int, lanes: str) -> str:
        """Lanes have moved in this pass, to a block at which all these lanes waited. Return those that it runs for."""
        self.code.emitter.do(f"store i32 1, ptr {self.progress}")
        return self.convergence.leave_behind(number, lanes) if number in self.convergence.stops else lanes

    def arrive(self, instruction: Instruction) -> None:
        """The active lanes arrive at a barrier and are held."""
        code, emitter = self.code, self.code.emitter
        code.instruction = instruction
        operands = barrier_operands(instruction, code.kernel.facts.geometry.threads)
        number, expected = (of_all_active(code, operand) for operand in operands)
        number = existing(code, number)
        if "red" in instruction.modifiers:
            add_predicate(code, number, instruction.operands[-1])
        if "arrive" not in instruction.modifiers:
            mask = partial(code.frame.mask, code.block)
            self.let_go(code.block)
            emitter.store("i32", number, "%w", mask(KeptMask.OPENS), 4)
            turn = emitter.load("i32", barrier_record(code, number, "generation"), 0, 4)
            emitter.store("i32", turn, "%w", mask(KeptMask.TURN), 4)
            emitter.join(code.in_frame(mask(KeptMask.HELD)), code.active)
        arrive(code, number, expected)

    def end(self) -> None:
        """Write the end of a pass: another one, or leave."""
        code, emitter = self.code, self.code.emitter
        left = emitter.op(f"load i32, ptr {code.entry.alive}")
        some, check, again, block, later = (emitter.new_label(s) for s in ("some", "moved", "again", "block", "later"))
        emitter.do(f"br i1 {emitter.op(f'icmp ne i32 {left}, 0')}, label %{some}, label %done")
        emitter.label(some)
        code.active = left
        watch_pass(self.flow, self.late)
        moved = emitter.op(f"load i32, ptr {self.progress}")
        emitter.do(f"store i32 0, ptr {self.progress}")
        emitter.do(f"br i1 {emitter.op(f'icmp ne i32 {moved}, 0')}, label %{check}, label %{block}")
        emitter.label(check)
        many = emitter.op(f"icmp sge i32 {emitter.counted(self.passes)}, {PASSES}")
        emitter.do(f"br i1 {many}, label %{later}, label %{again}")
        for label, status in ((block, Status.BLOCKED), (later, Status.YIELDED)):
            emitter.label(label)
            leave_and_continue(code, status)
            emitter.do(f"store i32 1, ptr {self.progress}")
            emitter.do(f"br label %{again}")
        emitter.label(again)
        emitter.do(f"br label %{self.flow.check_label(self.flow.region_of[0], 0)}")
