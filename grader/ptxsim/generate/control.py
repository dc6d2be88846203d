"""Control flow: the blocks of a function and the edges between them.

An unmasked block runs for all lanes that are alive. A masked one runs for the lanes that wait at it, a mask for each
such block; a chain of checks in the region's order decides where control continues: the first block at which lanes wait
is next. At the end of a loop within a region the chain begins again as long as lanes wait at its head.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from grader.ptxsim.analysis.divergence import MaskedRegion
from grader.ptxsim.analysis.graph import EXIT, Block
from grader.ptxsim.analysis.ordering import awaited_read
from grader.ptxsim.generate.addresses import access_at, generic_addresses
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.comparisons import compared
from grader.ptxsim.generate.emitter import vector
from grader.ptxsim.generate.exits import fail, leave, write_access_fault
from grader.ptxsim.generate.layout import FaultKind, Status
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.values import Value, first_lane, integer, mask, negated
from grader.ptxsim.syntax.records import Instruction, Integer


class LetsOthersRun(Protocol):
    """Where a warp lets others run: see `generate/pauses.py`."""

    def at_edge(self, head: int) -> None: ...
    def in_region(self, head: int) -> bool: ...


class LanesWait(Protocol):
    """What the general code adds: see `generate/general.py`."""

    stops: dict[int, Instruction]

    def let_go_before(self, number: int) -> None: ...
    def ready(self, number: int, lanes: str) -> str: ...
    def moved(self, number: int, lanes: str) -> str: ...
    def end(self) -> None: ...


@dataclass(slots=True)
class Flow:
    """Writes the code of the edges between blocks."""

    code: Code
    region_of: dict[int, MaskedRegion]
    lanes_wait: LanesWait | None = None
    pauses: LetsOthersRun | None = None
    rounds: str = ""

    def begin(self, number: int) -> None:
        """Begin a block: its label, and its active lanes."""
        emitter = self.code.emitter
        emitter.label(f"b{number}")
        self.code.forget()
        self.code.block = number
        self.code.values.hoisted.clear()
        if number in self.region_of:
            slot = self.slot(number)
            self.code.active = emitter.op(f"load i32, ptr {slot}")
            emitter.do(f"store i32 0, ptr {slot}")
            if self.lanes_wait:
                self.code.active = self.lanes_wait.moved(number, self.code.active)
        else:
            if any(len(region.exits) > 1 and number in region.exits for region in self.code.kernel.facts.regions):
                emitter.do(f"store i32 0, ptr {self.slot(number)}")  # lanes of a region may have waited here
            self.code.active = emitter.op(f"load i32, ptr {self.code.entry.alive}")

    def slot(self, number: int) -> str:
        """Return where the mask of lanes that wait at a block is kept; behind the last block, that of a pause."""
        return self.code.in_frame(self.code.frame.mask(number))

    def end(self, number: int, block: Block) -> None:
        """Write the block's way out."""
        self.code.instruction = Instruction("bra", (), (), None, block.line)
        self.code.flush(self.code.kernel.facts.live.live_out[number])
        if block.guard is None and block.selector is None:
            self._go(number, block.successors[0], block.line)
            return
        if block.selector is not None:
            self._choose(number, block)
            return
        predicate = self.code.register(block.guard.register.name) if block.guard else integer("i1", 1)
        if block.guard and block.guard.negated:
            predicate = negated(self.code.emitter, predicate)
        if predicate.vector:
            self._diverge(number, block, predicate)
        else:
            self._branch(number, block, predicate)

    def _branch(self, number: int, block: Block, predicate: Value) -> None:
        emitter = self.code.emitter
        labels = [emitter.new_label("edge") for _ in block.successors]
        emitter.do(f"br i1 {first_lane(emitter, predicate)}, label %{labels[0]}, label %{labels[1]}")
        for label, target in zip(labels, block.successors, strict=True):
            emitter.label(label)
            self._go(number, target, block.line)

    def _go(self, number: int, target: int, line: int) -> None:
        """Let all active lanes continue at one block."""
        emitter = self.code.emitter
        if target == EXIT:
            self._retire(self.code.active)
            emitter.do(f"br label %{self.behind(number) if number in self.region_of else 'done'}")
            return
        positions = self.code.kernel.facts.order.positions
        if number not in self.region_of and target not in self.region_of:
            if positions[target] <= positions[number]:
                self.watch(line, target)
                if self.pauses:
                    self.pauses.at_edge(target)
            emitter.do(f"br label %b{target}")
            return
        self._wait(number, target, self.code.active)
        if number in self.region_of:
            emitter.do(f"br label %{self.behind(number)}")
        else:
            emitter.do(f"br label %b{target}")

    def _diverge(self, number: int, block: Block, predicate: Value) -> None:
        """Let lanes continue at different blocks, or end."""
        emitter = self.code.emitter
        yes = emitter.op(f"and i32 {self.code.active}, {mask(emitter, predicate)}")
        no = emitter.op(f"xor i32 {self.code.active}, {yes}")
        self._send(number, block.line, [(block.successors[0], yes), (block.successors[1], no)])

    def _send(self, number: int, line: int, ways: list[tuple[int, str]]) -> None:
        emitter = self.code.emitter
        staying = [(target, lanes) for target, lanes in ways if target != EXIT]
        for target, lanes in ways:
            if target == EXIT:
                self._retire(lanes)
        if len({target for target, _ in staying}) == 1 and number not in self.region_of:
            self._narrow(number, line, staying[0][0])
            return
        for target, lanes in staying:
            self._wait(number, target, lanes)
        if number in self.region_of:
            emitter.do(f"br label %{self.behind(number)}")
            return
        region = next(self.region_of[target] for target, _ in staying if target in self.region_of)
        emitter.do(f"br label %{self.check_label(region, 0)}")

    def _narrow(self, number: int, line: int, target: int) -> None:
        """Remove the lanes that have ended; the others, if any, continue together."""
        emitter = self.code.emitter
        left = emitter.op(f"load i32, ptr {self.code.entry.alive}")
        some = emitter.op(f"icmp ne i32 {left}, 0")
        label = emitter.new_label("left")
        emitter.do(f"br i1 {some}, label %{label}, label %done")
        emitter.label(label)
        self.code.active = left
        self._go(number, target, line)

    def _choose(self, number: int, block: Block) -> None:
        """brx.idx: each lane goes to the block of its number."""
        emitter, selector = self.code.emitter, block.selector
        if selector is None:
            raise ValueError(number)
        joined: dict[int, str] = {}
        for place, target in enumerate(block.successors):
            own = Instruction("setp", ("eq", "u32"), (selector, selector, Integer(place)), None, block.line)
            self.code.instruction = own
            predicate = compared(self.code, own, "u32", read(self.code, selector, "u32"), integer("i32", place))
            lanes = emitter.op(f"and i32 {self.code.active}, {mask(emitter, predicate)}")
            joined[target] = emitter.op(f"or i32 {joined[target]}, {lanes}") if target in joined else lanes
        if number in self.region_of or number in self.code.kernel.facts.divergent:
            self._send(number, block.line, list(joined.items()))
            return
        for target, lanes in joined.items():
            taken = emitter.op(f"icmp ne i32 {lanes}, 0")
            label, other = emitter.new_label("edge"), emitter.new_label("other")
            emitter.do(f"br i1 {taken}, label %{label}, label %{other}")
            emitter.label(label)
            self._go(number, target, block.line)
            emitter.label(other)
        fail(self.code, FaultKind.TRAP, self.code.active)

    def _wait(self, number: int, target: int, lanes: str) -> None:
        """Let lanes wait at a block of the region, or at one after it if there are several such."""
        region = self.region_of.get(target) or self.region_of.get(number)
        if target not in self.region_of and region is not None and len(region.exits) < 2:
            return
        self.code.emitter.join(self.slot(target), lanes)

    def _retire(self, lanes: str) -> None:
        emitter = self.code.emitter
        old = emitter.op(f"load i32, ptr {self.code.entry.alive}")
        emitter.do(f"store i32 {emitter.without(old, lanes)}, ptr {self.code.entry.alive}")

    def behind(self, number: int) -> str:
        """Return the label at which the chain continues after a masked block."""
        region = self.region_of[number]
        return self.check_label(region, region.blocks.index(number) + 1)

    def check_label(self, region: MaskedRegion, place: int) -> str:
        """Return the label of the check at a place of a region: the ends of loops come before the next block."""
        return f"c{region.blocks[0]}_{place}"

    def watch(self, line: int, head: int | None = None) -> None:
        """Stop here if the time limit is reached; at the end of a loop, `head` is the block that it goes back to."""
        emitter = self.code.emitter
        (addresses, size), stop = self._awaited(head), self.code.processor("stop", "ptr")
        over = emitter.op(f"icmp ne i32 {emitter.op(f'load volatile i32, ptr {stop}')}, 0")
        label, on = emitter.new_label("over"), emitter.new_label("on")
        emitter.do(f"br i1 {over}, label %{label}, label %{on}, !prof !1")
        emitter.label(label)
        lane = emitter.first(self.code.active)
        address = emitter.op(f"extractelement {vector('i64')} {addresses}, i32 {lane}") if addresses else "0"
        write_access_fault(self.code, int(FaultKind.TIME), lane, address, size, line=line)
        leave(self.code, Status.STOPPED)
        emitter.label(on)

    def _awaited(self, head: int | None) -> tuple[str, int]:
        """Return the addresses at which lanes wait for a value in a loop, if they are known, and its bytes."""
        facts = self.code.kernel.facts
        if head is None or head not in facts.spins:
            return "", 0
        read = awaited_read(facts.graph, facts.order, facts.live, head)
        access = access_at(*read) if read else None
        return (generic_addresses(self.code, access), access.total) if access else ("", 0)
