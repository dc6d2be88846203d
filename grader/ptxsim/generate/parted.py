"""A kernel as parts, each a module of LLVM IR, so that only the parts that run are compiled, and none is too large.

Registers and masks lie in the warp's record, so a part may leave for another one at any edge between blocks: it saves
a note on where to resume, as at a barrier, and returns. A note has the part's number in its upper bits. Its lower bits
are 0 for the beginning; further numbers name the part's blocks, its regions of masked blocks, and its barriers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from grader.ptxsim.analysis.divergence import Facts, MaskedRegion, region_of
from grader.ptxsim.analysis.ordering import is_barrier
from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate.code import Code, PlacedKernel
from grader.ptxsim.generate.control import Flow
from grader.ptxsim.generate.emitter import bytes_of
from grader.ptxsim.generate.general import Stop
from grader.ptxsim.generate.ir_text import Mover, ir_text
from grader.ptxsim.generate.kernel import DECLARED, METADATA, function, head, module, runtime, scheduler, write_blocks
from grader.ptxsim.generate.layout import NOTE_BITS, Frame, Place, Status, frame
from grader.ptxsim.generate.movers import mover
from grader.ptxsim.generate.pauses import Pauses, waits_at_object

LARGEST = 300  # instructions of a part, where regions and loops allow it
LARGEST_IN_LOOP = 1200

_JUMP = re.compile(r"label %([bc]\d+(?:_\d+)?)\b")
_DEFINED = re.compile(r"^define internal (.*?\))", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Part:
    """Blocks that are compiled together, and the regions of masked blocks among them."""

    blocks: tuple[int, ...]
    regions: tuple[MaskedRegion, ...]

    def entries(self, number: int) -> Iterator[tuple[str, int]]:
        """Return each label at which the part, of this number, can be entered, and the note that leads there."""
        labels = [*(f"b{block}" for block in self.blocks), *(f"c{region.blocks[0]}_0" for region in self.regions)]
        yield from ((label, number << NOTE_BITS | place + 1) for place, label in enumerate(labels))


@dataclass(frozen=True, slots=True)
class PartNotes:
    """The places that the code of a part names by numbers, and the movers that it calls."""

    places: tuple[Place, ...]
    movers: tuple[Mover, ...]
    may_diverge: bool


@dataclass(slots=True)
class Parted:
    """The parts of a kernel. `places` grows with each part that is made."""

    kernel: PlacedKernel
    places: list[Place] = field(default_factory=list)
    may_diverge: bool = False
    stops: tuple[Stop, ...] = ()  # which only general code has
    parts: tuple[Part, ...] = ()
    frame: Frame = field(default_factory=lambda: frame(0, {}))
    copies: bool = False
    _entries: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.parts = _parts_of(self.kernel.facts)
        self.copies = self.kernel.facts.graph.has("cp")
        self.frame = _frame_of(Code(self.kernel))
        for number, part in enumerate(self.parts):
            self._entries.update(part.entries(number))

    @property
    def saved_bytes(self) -> int:
        """How many bytes a warp's record has before the local memory of its lanes."""
        return -(-self.frame.end // 64) * 64

    @property
    def stride(self) -> int:
        """How many bytes a warp's record takes."""
        return self.saved_bytes + -(-self.kernel.local_bytes * LANES // 64) * 64

    def base(self) -> str:
        """Return the module that runs blocks and warps, with the functions that all parts call."""
        pieces = [
            head(self.kernel.local_bytes),
            *DECLARED,
            _exported(runtime(traced=self.kernel.traced, copies=self.copies)),
            ir_text("dispatch", place_bits=NOTE_BITS),
            _exported(scheduler(self.kernel, self.stride, self.saved_bytes)),
            METADATA,
        ]
        return "\n".join(pieces)

    def add(self, notes: PartNotes) -> None:
        """Number the places of a part, the next that is made."""
        self.places += notes.places
        self.may_diverge |= notes.may_diverge

    def part(self, number: int) -> tuple[str, PartNotes]:
        """Return the module of a part as the next that is made."""
        part, code = self.parts[number], Code(self.kernel)
        code.saved.frame, code.saved.registers, code.places.first = self.frame, self.frame.registers, len(self.places)
        own = [label for label, _ in part.entries(number)]
        code.saved.first_resume = (number << NOTE_BITS) + len(own)
        flow = Flow(code, region_of(self.kernel.facts))
        flow.alive = code.alive = "%alive.at"
        flow.pauses = Pauses(code, flow)
        write_blocks(flow, part.blocks, part.regions)
        code.emitter.lines += _elsewhere(code.emitter.lines, set(own), self._entries)
        written = function(f"i32 @part{number}", flow, own, begins=number == 0)
        movers = tuple(sorted(code.globals.movers))
        called = _called(traced=self.kernel.traced, copies=self.copies), *(mover(*item) for item in movers)
        text = module(code, *map(_declared, called), written)
        return text, PartNotes(tuple(code.places.made), movers, code.may_diverge)


def mover_module(item: Mover) -> str:
    """Return a module with one mover."""
    return "\n".join([*DECLARED, _declared(_called()), _exported(mover(*item)), METADATA])


def functions_of_runtime(*, traced: bool, copies: bool) -> tuple[str, ...]:
    """Return the names of the functions that the base has for parts and movers."""
    return tuple(re.findall(r"@(\w+)\(", "\n".join(_DEFINED.findall(_called(traced=traced, copies=copies)))))


def _called(*, traced: bool = False, copies: bool = False) -> str:
    """Return functions with the signatures of those in the base that parts and movers call."""
    return runtime(traced=traced, copies=copies) + ir_text("arrive", warps=1, stride=0)


def _exported(text: str) -> str:
    return text.replace("define internal ", "define ")


def _declared(text: str) -> str:
    return "\n".join(f"declare {signature}" for signature in _DEFINED.findall(text))


def _parts_of(facts: Facts) -> tuple[Part, ...]:
    """Return the blocks in order, cut outside of loops where that is possible. A region stays whole."""
    order, regions = facts.order, region_of(facts)
    ends = {order.positions[loop.head]: loop.last for loop in order.loops}
    pieces: list[list[int]] = [[]]
    owner: dict[MaskedRegion, list[int]] = {}
    size, loop = 0, -1
    for place, block in enumerate(order.blocks):
        if size > (LARGEST if place > loop else LARGEST_IN_LOOP):
            pieces.append([])
            size = 0
        loop = max(loop, ends.get(place, -1))
        region = regions.get(block)
        if region is None:
            pieces[-1].append(block)
            size += _size(facts, block)
        elif region not in owner:
            owner[region] = pieces[-1]
            pieces[-1] += region.blocks
            size += sum(_size(facts, other) for other in region.blocks)
    return tuple(Part(tuple(piece), tuple(r for r in facts.regions if owner[r] is piece)) for piece in pieces if piece)


def _size(facts: Facts, block: int) -> int:
    return len(facts.graph.blocks[block].instructions) + 1


def _frame_of(code: Code) -> Frame:
    """Return places for all registers that outlive a block, or a wait within one."""
    facts, kept = code.kernel.facts, 0
    for block, live_in, live_out in zip(facts.graph.blocks, facts.live.live_in, facts.live.live_out, strict=True):
        kept |= live_in | live_out
        if any(is_barrier(instruction) or waits_at_object(instruction) for instruction in block.instructions):
            kept |= facts.live.mentioned(block)
    names = facts.live.names(kept)
    sizes = {name: (max(1, code.shape(name).groups), bytes_of(code.stored_type(name))) for name in names}
    return frame(len(facts.graph.blocks), sizes)


def _elsewhere(body: list[str], own: set[str], entries: Mapping[str, int]) -> Iterator[str]:
    """Return blocks that leave for other parts."""
    named = {label for line in body if " label %" in line for label in _JUMP.findall(line)}
    for label in sorted(named - own):
        if label in entries:
            yield f"{label}:\n  store i32 {entries[label]}, ptr %resume.at\n  ret i32 {int(Status.MOVED)}"
