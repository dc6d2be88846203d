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

    `released` is where the lanes of each are kept that need not wait there any more: others have gone on elsewhere, and
    may be back before them, for the next time. `staying` has the lanes that a block has to leave where they are.
    """

    def __init__(self, code: Code, flow: Flow, stops: Mapping[int, Instruction], slot: Callable[[], str]) -> None:
        found = {number: stop for number, stop in stops.items() if _is_warp_barrier(stop)}
        self.code, self.flow = code, flow
        self.stops = found if len(found) > 1 else {}
        self.released = {number: slot() for number in self.stops}
        self.staying = {number: slot() for number in self.stops}

    def ready(self, number: int, lanes: str, alive: str) -> str:
        """Return whether lanes here go on: those released, and all if those that they name wait in any of the lines.

        In that case the others are released.
        """
        emitter = self.code.emitter
        gone_on = emitter.op(f"load i32, ptr {self.released[number]}")
        new = emitter.op(f"and i32 {lanes}, {emitter.op(f'xor i32 {gone_on}, -1')}")
        named = emitter.call("i32", "llvm.vector.reduce.or.v32i32", [(_V, self._named(number, new))])
        elsewhere = {other: self._elsewhere(other, named) for other in self.stops if other != number}
        here = new
        for others in elsewhere.values():
            here = emitter.op(f"or i32 {here}, {others}")
        needed = emitter.op(f"and i32 {named}, {alive}")
        missing = emitter.op(f"and i32 {needed}, {emitter.op(f'xor i32 {here}, -1')}")
        complete = emitter.op(f"icmp eq i32 {missing}, 0")
        for other, others in elsewhere.items():
            self._release(other, emitter.op(f"select i1 {complete}, i32 {others}, i32 0"))
        staying = emitter.op(f"select i1 {complete}, i32 0, i32 {new}")
        emitter.do(f"store i32 {staying}, ptr {self.staying[number]}")
        emitter.do(f"store i32 0, ptr {self.released[number]}")
        return emitter.op(f"icmp ne i32 {staying}, {lanes}")

    def leave_behind(self, number: int, lanes: str) -> str:
        """Return the lanes that go on; the others wait again."""
        emitter = self.code.emitter
        staying = emitter.op(f"load i32, ptr {self.staying[number]}")
        emitter.do(f"store i32 {staying}, ptr {self.flow.slot(number)}")
        return emitter.op(f"and i32 {lanes}, {emitter.op(f'xor i32 {staying}, -1')}")

    def _named(self, number: int, lanes: str) -> str:
        """Return the masks that lanes name at a stop; 0 for all others."""
        emitter = self.code.emitter
        self.code.forget()
        self.code.instruction = stop = self.stops[number]
        masks = spread(emitter, read(self.code, stop.operands[0], "b32"))
        truth = emitter.op(f"bitcast i32 {lanes} to <{LANES} x i1>")
        return emitter.op(f"select <{LANES} x i1> {truth}, {_V} {masks}, {_V} zeroinitializer")

    def _elsewhere(self, other: int, named: str) -> str:
        """Return the lanes that wait at another stop, are not released, and name the same mask, which has them."""
        emitter = self.code.emitter
        lanes = emitter.op(f"load i32, ptr {self.flow.slot(other)}")
        gone_on = emitter.op(f"load i32, ptr {self.released[other]}")
        waiting = emitter.op(f"and i32 {lanes}, {emitter.op(f'xor i32 {gone_on}, -1')}")
        same = emitter.op(f"icmp eq {_V} {self._named(other, waiting)}, {splat(self.code, named)}")
        agree = emitter.op(f"and i32 {emitter.op(f'bitcast <{LANES} x i1> {same} to i32')}, {waiting}")
        return emitter.op(f"and i32 {agree}, {named}")

    def _release(self, other: int, lanes: str) -> None:
        emitter = self.code.emitter
        old = emitter.op(f"load i32, ptr {self.released[other]}")
        emitter.do(f"store i32 {emitter.op(f'or i32 {old}, {lanes}')}, ptr {self.released[other]}")


def _is_warp_barrier(stop: Instruction) -> bool:
    return stop.opcode in {"bar", "barrier"} and "warp" in stop.modifiers
