"""A kernel as parts, each a module of LLVM IR, so that only the parts that run are compiled, and none is too large.

Registers and masks lie in the warp's record, so a part may leave for another one at any edge between blocks: it saves
a note on where to resume, as at a barrier, and returns. A note has the part's number in its upper bits. Its lower bits
are 0 for the beginning; further numbers name the part's blocks and regions of masked blocks to which other parts lead,
and its barriers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from grader.ptxsim.analysis.divergence import Facts, MaskedRegion, region_of
from grader.ptxsim.analysis.ordering import is_barrier
from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate.code import Code, Numbered, PlacedKernel
from grader.ptxsim.generate.control import Flow
from grader.ptxsim.generate.emitter import bytes_of
from grader.ptxsim.generate.general import Stop, Waiting, stops
from grader.ptxsim.generate.ir_text import Mover, ir_text
from grader.ptxsim.generate.kernel import DECLARED, METADATA, function, head, module, runtime, scheduler, write_blocks
from grader.ptxsim.generate.layout import NOTE_BITS, Frame, KeptMask, Place, Status, frame
from grader.ptxsim.generate.movers import mover
from grader.ptxsim.generate.pauses import Pauses, waits_at_object

LARGEST = 300  # instructions of a part, where regions and loops allow it
LARGEST_IN_LOOP = 1200

_DEFINED = re.compile(r"^define internal (.*?\))", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Part:
    """Blocks that are compiled together, the regions of masked blocks among them, and labels that other parts go to."""

    blocks: tuple[int, ...]
    regions: tuple[MaskedRegion, ...]
    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PartNotes:
    """The places that the code of a part names by numbers, and the movers that it calls."""

    places: tuple[Place, ...]
    movers: tuple[Mover, ...]
    may_diverge: bool


@dataclass
class Parted:
    """The parts of a kernel; `general` code has one. `places` grows with each part that is made."""

    kernel: PlacedKernel
    general: bool
    places: list[Place] = field(default_factory=list)
    may_diverge: bool = False

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        return _parts_of(self.kernel.facts)

    @cached_property
    def frame(self) -> Frame:
        return _frame_of(self.kernel, general=self.general)

    @cached_property
    def copies(self) -> bool:
        """Whether the kernel has asynchronous copies."""
        return self.kernel.facts.graph.has("cp")

    @property
    def stops(self) -> tuple[Stop, ...]:
        """Where the lanes of general code wait for each other."""
        return stops(self.kernel.facts.graph, self.frame) if self.general else ()

    @property
    def stride(self) -> int:
        """How many bytes a warp's record takes."""
        return self.frame.end + -(-self.kernel.local_bytes * LANES // 64) * 64

    def base(self) -> str:
        """Return the module that runs blocks and warps, with the functions that all parts call."""
        pieces = [
            head(self.kernel.local_bytes),
            *DECLARED,
            _exported(runtime(traced=self.kernel.traced, copies=self.copies)),
            ir_text("dispatch", place_bits=NOTE_BITS),
            _exported(scheduler(self.kernel, self.stride, self.frame.end)),
            METADATA,
        ]
        return "\n".join(pieces)

    def add(self, notes: PartNotes) -> None:
        """Number the places of a part, the next that is made."""
        self.places += notes.places
        self.may_diverge |= notes.may_diverge

    def part(self, number: int) -> tuple[str, PartNotes]:
        """Return the module of a part as the next that is made."""
        part, places = self.parts[number], Numbered[Place](len(self.places))
        resumes = Numbered[str]((number << NOTE_BITS) + len(part.entries) + 1)
        code = Code(self.kernel, self.frame, places=places, resumes=resumes)
        flow = Flow(code, region_of(self.kernel.facts))
        if self.general:
            flow.lanes_wait = Waiting(code, flow)
        else:
            flow.pauses = Pauses(code, flow)
        write_blocks(flow, part.blocks, part.regions)
        code.emitter.lines += self._elsewhere(number)
        written = function(f"i32 @part{number}", flow, part.entries, begins=number == 0)
        movers = tuple(sorted(code.globals.movers))
        called = _called(traced=self.kernel.traced, copies=self.copies), *(mover(*item) for item in movers)
        text = module(code, *map(_declared, called), written)
        return text, PartNotes(tuple(code.places.made), movers, code.may_diverge)

    def _elsewhere(self, own: int) -> Iterator[str]:
        """Return blocks of a part that leave for other parts."""
        for number, part in enumerate(self.parts):
            for place, label in enumerate(part.entries if number != own else (), 1):
                note = number << NOTE_BITS | place
                yield f"{label}:\n  store i32 {note}, ptr %resume.at\n  ret i32 {int(Status.MOVED)}"


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
    return tuple(_part(facts, piece, [r for r in facts.regions if owner[r] is piece]) for piece in pieces if piece)


def _part(facts: Facts, blocks: Sequence[int], regions: Sequence[MaskedRegion]) -> Part:
    own = {*blocks}
    others = (block for number, block in enumerate(facts.graph.blocks) if number not in own)
    entered = {target for block in others for target in block.successors} & own
    of_regions = (f"c{region.blocks[0]}_0" for region in regions if entered & {*region.blocks})
    return Part(tuple(blocks), tuple(regions), (*(f"b{block}" for block in sorted(entered)), *of_regions))


def _size(facts: Facts, block: int) -> int:
    return len(facts.graph.blocks[block].instructions) + 1


def _frame_of(kernel: PlacedKernel, *, general: bool) -> Frame:
    """Return places for all registers that outlive a block, or a wait within one."""
    code, facts, kept = Code(kernel, frame(0, 0, {})), kernel.facts, 0
    for block, live_in, live_out in zip(facts.graph.blocks, facts.live.live_in, facts.live.live_out, strict=True):
        kept |= live_in | live_out
        if any(is_barrier(instruction) or waits_at_object(instruction) for instruction in block.instructions):
            kept |= facts.live.mentioned(block)
    of_places = (name for name in kernel.function.registers if name not in facts.live.numbers) if general else ()
    names = (*facts.live.names(kept), *of_places)
    sizes = {name: (max(1, code.shape(name).groups), bytes_of(code.stored_type(name))) for name in names}
    return frame(len(facts.graph.blocks), len(KeptMask) if general else 1, sizes)
