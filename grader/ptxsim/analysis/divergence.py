"""Divergence: where the lanes of a warp diverge and reconverge, and which registers differ between lanes.

A branch on a varying predicate is *divergent*. The blocks between it and its post-dominator are *masked*: they run one
after the other in a fixed order, each for the lanes that wait at it. While a block runs for some lanes, other lanes may
wait at blocks of the branch's other side. If the block writes a register that is live for those lanes, the register is
varying, and the write blends: it changes the value of the active lanes only. Other writes do not blend.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grader.ptxsim.analysis.graph import EXIT, Block, Graph, guard_registers, reached
from grader.ptxsim.analysis.order import Order, order, post_dominators
from grader.ptxsim.analysis.ordering import spin_heads
from grader.ptxsim.analysis.registers import Liveness, liveness
from grader.ptxsim.analysis.shape import UNIFORM, VARYING, Geometry, LaneShape
from grader.ptxsim.analysis.shapes import operand_shape, shapes


@dataclass(frozen=True, slots=True)
class MaskedRegion:
    """Connected masked blocks, in order, and the unmasked blocks that follow them."""

    blocks: tuple[int, ...]
    exits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """The results of all analyses of a function, for the code generator.

    `blended` has the registers whose writes blend, by block; `spins` the heads of loops that wait for a value.
    """

    graph: Graph
    order: Order
    live: Liveness
    shapes: Mapping[str, LaneShape]
    divergent: frozenset[int]
    blended: Mapping[int, frozenset[str]]
    regions: tuple[MaskedRegion, ...]
    geometry: Geometry
    spins: frozenset[int]


@dataclass(frozen=True, slots=True)
class Split:
    """A divergent branch: its block, the blocks that each side reaches, and the convergence point."""

    block: int
    sides: tuple[frozenset[int], ...]
    convergence: int


def analyse(graph: Graph, types: Mapping[str, str], geometry: Geometry) -> Facts:
    """Return the facts for code in which lanes reconverge at the post-dominators of branches."""
    live, in_order = liveness(graph), order(graph)
    convergence = post_dominators(graph, in_order.blocks)
    varying: set[str] = set()
    while True:
        lane_shapes = shapes(graph, types, geometry, varying)
        divergent = frozenset(n for n, block in enumerate(graph.blocks) if is_divergent(block, lane_shapes, geometry))
        splits = [_split(graph, in_order, convergence, block) for block in sorted(divergent)]
        blended = _conflicts(splits, live)
        new = {name for names in blended.values() for name in names if not lane_shapes.get(name, UNIFORM).is_varying}
        if not new:
            break
        varying |= new
    regions = _regions(graph, in_order, splits)
    spins = spin_heads(graph, in_order)
    return Facts(graph, in_order, live, lane_shapes, divergent, blended, regions, geometry, spins)


def analyse_without_convergence(graph: Graph, types: Mapping[str, str], geometry: Geometry) -> Facts:
    """Return the facts for general code: all blocks are masked, and all registers vary and blend."""
    live, in_order = liveness(graph), order(graph)
    lane_shapes = dict.fromkeys(types, VARYING)
    divergent = frozenset(n for n, block in enumerate(graph.blocks) if len(set(block.successors)) > 1)
    everything = frozenset(types)
    blended = dict.fromkeys(range(len(graph.blocks)), everything)
    regions, spins = (MaskedRegion(in_order.blocks, ()),), spin_heads(graph, in_order)
    return Facts(graph, in_order, live, lane_shapes, divergent, blended, regions, geometry, spins)


def is_divergent(block: Block, lane_shapes: Mapping[str, LaneShape], geometry: Geometry) -> bool:
    """Whether lanes may continue at different blocks after a block; lanes that end do not count."""
    if len(set(block.successors) - {EXIT}) < 2:
        return False
    if any(lane_shapes.get(register.name, UNIFORM).is_varying for register in guard_registers(block)):
        return True
    return block.selector is not None and not operand_shape(block.selector, lane_shapes, geometry, 32).is_uniform


def _split(graph: Graph, in_order: Order, points: list[int], block: int) -> Split:
    convergence = points[block]
    sides = _sides(graph, block, convergence)
    if not _comes_after(in_order, frozenset().union(*sides), convergence):
        convergence = EXIT
        sides = _sides(graph, block, convergence)
    return Split(block, sides, convergence)


def _sides(graph: Graph, block: int, convergence: int) -> tuple[frozenset[int], ...]:
    """Return the blocks that each side of a branch reaches before its convergence point."""
    targets = [successor for successor in dict.fromkeys(graph.blocks[block].successors) if successor != EXIT]
    return tuple(frozenset(reached(graph, [target], convergence)) for target in targets)


def _comes_after(in_order: Order, inside: frozenset[int], convergence: int) -> bool:
    """Whether the order of masked blocks has the convergence point after all blocks inside."""
    if convergence == EXIT:
        return True
    at = in_order.positions[convergence]
    around = [loop for loop in in_order.loops if loop.first <= at <= loop.last]
    own = [loop for loop in around if loop.head == convergence]
    if own and all(own[0].first <= in_order.positions[block] <= own[0].last for block in inside):
        around = [loop for loop in around if loop.first < own[0].first]
    elif any(in_order.positions[block] > at for block in inside):
        return False
    return not any(loop.head in inside for loop in around)


def _conflicts(splits: list[Split], live: Liveness) -> dict[int, frozenset[str]]:
    """Return, for each block, the registers that it writes and that are live for lanes waiting elsewhere."""
    needed: dict[int, int] = {}
    for split in splits:
        for place, side in enumerate(split.sides):
            waiting = live.live_in[split.convergence] if split.convergence != EXIT else 0
            for other in (*split.sides[:place], *split.sides[place + 1 :]):
                for block in other:
                    waiting |= live.live_in[block]
            for block in side:
                needed[block] = needed.get(block, 0) | waiting
    return {block: frozenset(live.names(bits & live.written[block])) for block, bits in needed.items()}


def _regions(graph: Graph, in_order: Order, splits: list[Split]) -> tuple[MaskedRegion, ...]:
    """Return the masked regions; those of overlapping branches are merged."""
    sets: list[set[int]] = []
    for split in splits:
        merged = set().union(*split.sides)
        if split.block in merged or any(split.block in other for other in sets):
            merged.add(split.block)
        apart = []
        for other in sets:
            if other & merged:
                merged |= other
            else:
                apart.append(other)
        sets = [*apart, merged] if merged else apart
    return tuple(_region(graph, in_order, blocks) for blocks in sets)


def _region(graph: Graph, in_order: Order, blocks: set[int]) -> MaskedRegion:
    exits = {target for block in blocks for target in graph.blocks[block].successors} - blocks - {EXIT}
    return MaskedRegion(
        tuple(sorted(blocks, key=lambda block: in_order.positions[block])),
        tuple(sorted(exits, key=lambda block: in_order.positions[block])),
    )


def region_of(facts: Facts) -> dict[int, MaskedRegion]:
    """Return the region of each masked block."""
    return {block: region for region in facts.regions for block in region.blocks}
