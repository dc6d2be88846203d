"""A cache of a kernel's compiled parts, by program; a hit also saves generating the IR.

The entry of a part contains the places to which its code refers by number. Places are numbered in the order in which
parts are made, so the key contains the number of the part's first place.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from grader.ptxsim.analysis.graph import Graph
from grader.ptxsim.engine.native import ObjectStore, identity
from grader.ptxsim.generate.layout import Place
from grader.ptxsim.generate.module_globals import KINDS, Mover
from grader.ptxsim.generate.parted import Parted


@dataclass(frozen=True, slots=True)
class CompiledPart:
    """The object code of a part, and what its IR generation has determined."""

    code: bytes
    places: tuple[Place, ...]
    movers: tuple[Mover, ...]
    may_diverge: bool


@dataclass(frozen=True, slots=True)
class KeptParts:
    """The cached parts of a program. `program` identifies the PTX, its launch, and the version of this package."""

    store: ObjectStore
    program: str

    def find(self, parted: Parted, number: int) -> CompiledPart | None:
        """Return the part that is made next; None if it is not cached or the entry is damaged."""
        content = self.store.find(*self._key(parted, number)) or b""
        head, _, code = content.partition(b"\n")
        try:
            return _decoded(json.loads(head), code, parted.kernel.facts.graph)
        except (ValueError, TypeError, LookupError):
            return None

    def add(self, parted: Parted, number: int, part: CompiledPart) -> None:
        """Cache the part that was just made."""
        places = [_encoded(place, parted.kernel.facts.graph) for place in part.places]
        head = json.dumps([places, part.movers, part.may_diverge])
        self.store.add(head.encode() + b"\n" + part.code, *self._key(parted, number))

    def _key(self, parted: Parted, number: int) -> tuple[str, ...]:
        form = f"{parted.interleaved} {parted.kernel.traced} {number} {len(parted.places)}"
        return "part", self.program, form, identity()


def _encoded(place: Place, graph: Graph) -> tuple[str, int, int, int]:
    instructions = graph.blocks[place.block].instructions if place.block >= 0 else ()
    own = (number for number, instruction in enumerate(instructions) if instruction is place.record)
    return place.instruction, place.line, place.block, next(own, -1)


def _decoded(head: object, code: bytes, graph: Graph) -> CompiledPart:
    """Raises ValueError, TypeError or LookupError for what `KeptParts.add` has not written."""
    match head:
        case [list(places), list(movers), bool(may_diverge)]:
            moved = tuple((int(size), int(count), KINDS[KINDS.index(kind)]) for size, count, kind in movers)
            return CompiledPart(code, tuple(_place(graph, *place) for place in places), moved, may_diverge)
    raise ValueError("another form")


def _place(graph: Graph, instruction: str, line: int, block: int, number: int) -> Place:
    record = graph.blocks[block].instructions[number] if number >= 0 else None
    return Place(instruction, line, block, record)
