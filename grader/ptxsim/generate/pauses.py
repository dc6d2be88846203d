"""Places at which a warp that could continue lets others run, because it waits for another thread."""

from __future__ import annotations

from grader.ptxsim.analysis.registers import before, live_behind
from grader.ptxsim.generate.barriers import leave_and_continue
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.control import Flow
from grader.ptxsim.generate.exits import require
from grader.ptxsim.generate.layout import Status, Warp, offset
from grader.ptxsim.generate.mbarriers import completed
from grader.ptxsim.generate.operations import result
from grader.ptxsim.generate.values import lanes
from grader.ptxsim.syntax.records import Instruction

ROUNDS = 32  # of a loop that waits for another thread, before other warps run
MOST_PAUSES = 256  # of a warp in loops that only some lanes are in, before the general code takes over


class Pauses:
    """Where warps let others run: in loops that wait for another thread."""

    def __init__(self, code: Code, flow: Flow) -> None:
        self._code = code
        self._flow = flow
        self._rounds = ""

    def at_edge(self, head: int) -> None:
        """Go back to the head of an unmasked loop."""
        if condition := self._due(head):
            self._leave_where(condition)

    def in_region(self, head: int) -> bool:
        """Go back to the head of a masked loop, where registers are not available. Return whether it may pause."""
        condition = self._due(head)
        if condition:
            self._code.block = head
            self._leave_where(condition, waiting=self._flow.slot(head))
        return bool(condition)

    def _due(self, head: int) -> str:
        """Return the condition under which the warp pauses at the head of a loop; empty if it never does."""
        if head not in self._code.kernel.facts.spins:
            return ""
        emitter = self._code.emitter
        self._rounds = self._rounds or emitter.slot()
        return emitter.op(f"icmp sge i32 {emitter.counted(self._rounds)}, {ROUNDS}")

    def _leave_where(self, condition: str, *, waiting: str = "") -> None:
        with self._code.emitter.where(condition):
            if waiting:
                self._require_progress(waiting)
            leave_and_continue(self._code, Status.YIELDED)

    def _require_progress(self, waiting: str) -> None:
        """Lanes that are not in the loop may hold what the others wait for: in the end, each has to run by itself."""
        code, emitter = self._code, self._code.emitter
        count = emitter.op(f"add i32 {emitter.load('i32', '%w', offset(Warp, 'pauses'), 4)}, 1")
        code.set_warp("pauses", count)
        few = emitter.op(f"icmp slt i32 {count}, {MOST_PAUSES}")
        lanes_, alive = (emitter.op(f"load i32, ptr {slot}") for slot in (waiting, code.entry.alive))
        require(code, emitter.op(f"or i1 {few}, {emitter.op(f'icmp eq i32 {lanes_}, {alive}')}"))


def waits_at_object(instruction: Instruction) -> bool:
    """Whether an instruction waits for the phase of an mbarrier."""
    return instruction.opcode == "mbarrier" and bool({"test_wait", "try_wait"} & set(instruction.modifiers))


def wait_at_object(code: Code, flow: Flow, instruction: Instruction, place: int) -> str:
    """mbarrier.test_wait, try_wait. Return the mask of lanes to which it says that the phase is over.

    Where it is not over for all lanes, other warps run; what the instruction says is from before, so that a kernel has
    to ask again, as on a GPU.
    """
    code.instruction = instruction
    over = completed(code, instruction)
    if flow.lanes_wait is None:
        seen = code.emitter.slot()  # zero where the warp continues after a pause
        code.emitter.do(f"store i32 {over}, ptr {seen}")
        _pause_where(code, flow, place, _some_missing(code, over))
        code.instruction = instruction
        over = code.emitter.op(f"load i32, ptr {seen}")
    result(code, instruction, lanes("i1", over))
    return over


def _some_missing(code: Code, over: str) -> str:
    """Return whether a mask lacks active lanes."""
    return code.emitter.op(f"icmp ne i32 {code.emitter.without(code.active, over)}, 0")


def _pause_where(code: Code, flow: Flow, place: int, condition: str) -> None:
    """Let other warps run if a condition holds, and continue at the instruction at a place of this block."""
    emitter = code.emitter
    live, block = code.kernel.facts.live, code.kernel.facts.graph.blocks[code.block]
    behind = live_behind(block, place, live.live_out[code.block], live.numbers)
    code.flush(before(block.instructions[place], behind, live.numbers))
    active = flow.slot(len(code.kernel.facts.graph.blocks))
    emitter.do(f"store i32 {code.active}, ptr {active}")
    with emitter.where(condition):
        flow.watch(code.instruction.line if code.instruction else 0)
        leave_and_continue(code, Status.YIELDED)
    code.forget()
    code.values.hoisted.clear()
    code.active = emitter.op(f"load i32, ptr {flow.slot(len(code.kernel.facts.graph.blocks))}")
