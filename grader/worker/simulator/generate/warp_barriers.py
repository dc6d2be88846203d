"""bar.warp.sync in several lines: lanes that name the same mask wait for each other, wherever they do (PTX ISA)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from grader.worker.simulator.analysis.shape import LANES
from grader.worker.simulator.generate.code import Code
from grader.worker.simulator.generate.control import Flow
from grader.worker.simulator.generate.emitter import vector
from grader.worker.simulator.generate.operands import read
from grader.worker.simulator.generate.values import spread
from grader.worker.simulator.generate.warps import splat
from grader.worker.simulator.syntax.records import Instruction

_V = vector("i32")


class WarpBarriers:
    """The blocks that begin with a bar.warp.sync, if there are several.

    `asking` has the lanes that are known to wait at any of them, and `masks` what each of these names. `released` has
    those that need not wait any more: others have gone on elsewhere, and may be back before them, for the next time.
    `staying` has the lanes that a block has to leave where they are.
    """

    def __init__(self, code: Code, flow: Flow, stops: Mapping[int, Instruction], slot: Callable[[], str]) -> None:
        found = {number: stop for number, stop in stops.items() if _is_warp_barrier(stop)}
        self.code, self.flow = code, flow
        self.stops = found if len(found) > 1 else {}
        if not self.stops:
            return
        self.released, self.asking, self.staying = slot(), slot(), slot()
        self.masks = code.emitter.at_entry(f"alloca {_V}")
        code.emitter.entry.append(f"  store {_V} zeroinitializer, ptr {self.masks}")

    def kept(self) -> list[str]:
        """Return what has to outlive a step. Lanes ask again in the next one."""
        return [self.released] if self.stops else []

    def ready(self, number: int, lanes: str, alive: str, progress: str) -> str:
        """Return whether lanes here go on: those released, and all if those that they name wait in any of the lines.

        In that case the others are released.
        """
        emitter = self.code.emitter
        released = emitter.op(f"load i32, ptr {self.released}")
        new = self._without(lanes, released)
        named, asking, same = self._ask(number, new, progress)
        agree = emitter.op(f"and i32 {emitter.op(f'and i32 {same}, {asking}')}, {named}")
        here = emitter.op(f"or i32 {new}, {agree}")
        missing = self._without(emitter.op(f"and i32 {named}, {alive}"), here)
        complete = emitter.op(f"icmp eq i32 {missing}, 0")
        going = emitter.op(f"select i1 {complete}, i32 {here}, i32 0")
        emitter.do(f"store i32 {self._without(asking, going)}, ptr {self.asking}")
        others = emitter.op(f"or i32 {released}, {going}")
        emitter.do(f"store i32 {self._without(others, lanes)}, ptr {self.released}")
        staying = self._without(new, going)
        emitter.do(f"store i32 {staying}, ptr {self.staying}")
        return emitter.op(f"icmp ne i32 {staying}, {lanes}")

    def _ask(self, number: int, lanes: str, progress: str) -> tuple[str, str, str]:
        """Let lanes ask. Return the lanes that they name, all that ask, and those whose mask is the one named here.

        If any of them has not asked before, there is another pass, in which lanes at other stops see it.
        """
        emitter = self.code.emitter
        self.code.forget()
        self.code.instruction = stop = self.stops[number]
        own = spread(emitter, read(self.code, stop.operands[0], "b32"))
        truth = emitter.op(f"bitcast i32 {lanes} to <{LANES} x i1>")
        named = emitter.op(f"select <{LANES} x i1> {truth}, {_V} {own}, {_V} zeroinitializer")
        named = emitter.call("i32", "llvm.vector.reduce.or.v32i32", [(_V, named)])
        before = emitter.op(f"load {_V}, ptr {self.masks}")
        masks = emitter.op(f"select <{LANES} x i1> {truth}, {_V} {own}, {_V} {before}")
        emitter.do(f"store {_V} {masks}, ptr {self.masks}")
        asked = emitter.op(f"load i32, ptr {self.asking}")
        first = emitter.op(f"zext i1 {emitter.op(f'icmp ne i32 {self._without(lanes, asked)}, 0')} to i32")
        moved = emitter.op(f"or i32 {emitter.op(f'load i32, ptr {progress}')}, {first}")
        emitter.do(f"store i32 {moved}, ptr {progress}")
        same = emitter.op(f"icmp eq {_V} {masks}, {splat(self.code, named)}")
        return named, emitter.op(f"or i32 {asked}, {lanes}"), emitter.op(f"bitcast <{LANES} x i1> {same} to i32")

    def leave_behind(self, number: int, lanes: str) -> str:
        """Return the lanes that go on; the others wait again."""
        emitter = self.code.emitter
        staying = emitter.op(f"load i32, ptr {self.staying}")
        emitter.do(f"store i32 {staying}, ptr {self.flow.slot(number)}")
        return self._without(lanes, staying)

    def _without(self, lanes: str, others: str) -> str:
        emitter = self.code.emitter
        return emitter.op(f"and i32 {lanes}, {emitter.op(f'xor i32 {others}, -1')}")


def _is_warp_barrier(stop: Instruction) -> bool:
    return stop.opcode in {"bar", "barrier"} and "warp" in stop.modifiers
