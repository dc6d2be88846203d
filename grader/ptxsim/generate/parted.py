"""A kernel whose parts are written when they are needed, and what they have in common."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from grader.ptxsim.analysis.divergence import region_of
from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate import runtime
from grader.ptxsim.generate.code import Code, PlacedKernel
from grader.ptxsim.generate.control import Flow
from grader.ptxsim.generate.frame import Frame, frame
from grader.ptxsim.generate.general import Stop
from grader.ptxsim.generate.ir_text import Mover, ir_text
from grader.ptxsim.generate.kernel import METADATA, declarations, head, offset_tables, write_block
from grader.ptxsim.generate.layout import Place
from grader.ptxsim.generate.parts import PLACE_BITS, Part, dispatcher, frame_of, function, parts_of
from grader.ptxsim.generate.pauses import Pauses
from grader.ptxsim.generate.runtime import scheduler

_DEFINED = re.compile(r"^define internal (.*?\))", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class WrittenPart:
    """The module of a part, the places that it names by numbers, and the movers that it calls."""

    text: str
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
        self.parts = parts_of(self.kernel.facts)
        self.copies = self.kernel.facts.graph.has("cp")
        self.frame = frame_of(Code(self.kernel))
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
        return "\n".join(
            [
                head(self.kernel.local_bytes),
                *runtime.DECLARED,
                _exported(runtime.runtime(traced=self.kernel.traced, copies=self.copies)),
                dispatcher(),
                _exported(scheduler(self.kernel, self.stride, self.saved_bytes)),
                METADATA,
            ]
        )

    def add(self, places: Sequence[Place], *, may_diverge: bool) -> None:
        """Number the places of a part, the next that is made."""
        self.places += places
        self.may_diverge |= may_diverge

    def part(self, number: int) -> WrittenPart:
        """Return a part as the next that is made."""
        part, code = self.parts[number], Code(self.kernel)
        code.saved.frame, code.saved.registers, code.places.first = self.frame, self.frame.registers, len(self.places)
        entries = sum(1 for _ in part.entries(number))
        code.saved.first_resume = (number << PLACE_BITS) + entries
        flow = Flow(code, region_of(self.kernel.facts))
        flow.alive = code.alive = "%alive.at"
        flow.pauses = Pauses(code, flow)
        for block in part.blocks:
            write_block(code, flow, block)
        written = function(code, flow, number, self._entries, part)
        movers = tuple(sorted(code.globals.movers))
        text = "\n".join(
            [
                head(self.kernel.local_bytes),
                *code.globals.tables,
                *offset_tables(code),
                *declarations(code),
                _declared(_called(traced=self.kernel.traced, copies=self.copies)),
                *(_declared(mover(item)) for item in movers),
                *code.globals.functions.values(),
                written,
                METADATA,
            ]
        )
        return WrittenPart(text, tuple(code.places.made), movers, code.may_diverge)


def mover(item: Mover) -> str:
    """Return the function that accesses memory lane by lane."""
    return runtime.mover(*item)


def mover_module(item: Mover) -> str:
    """Return a module with one mover."""
    return "\n".join([*runtime.DECLARED, _declared(_called()), _exported(mover(item)), METADATA])


def functions_of_runtime(*, traced: bool, copies: bool) -> tuple[str, ...]:
    """Return the names of the functions that the base has for parts and movers."""
    return tuple(re.findall(r"@(\w+)\(", "\n".join(_DEFINED.findall(_called(traced=traced, copies=copies)))))


def _called(*, traced: bool = False, copies: bool = False) -> str:
    """Return functions with the signatures of those in the base that parts and movers call."""
    return runtime.runtime(traced=traced, copies=copies) + ir_text("arrive", warps=1, stride=0)


def _exported(text: str) -> str:
    return text.replace("define internal ", "define ")


def _declared(text: str) -> str:
    return "\n".join(f"declare {signature}" for signature in _DEFINED.findall(text))
