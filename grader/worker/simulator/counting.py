"""Count a launch: run some of its blocks traced at two small sizes, and extrapolate to the size that counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from grader.contract.messages import CountAccesses
from grader.model import PtxFacts, Shape
from grader.model.counters import AccessCount, Counters
from grader.ptxsim.analysis.graph import Graph
from grader.ptxsim.analysis.ordering import is_barrier
from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.counting import sites
from grader.ptxsim.counting.sites import LoopBlocks
from grader.ptxsim.counting.tally import Key, Tallies, Tally
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.records.fields import AccessKind
from grader.ptxsim.syntax.records import Instruction
from grader.worker.simulator.loop_mix import mix
from grader.worker.simulator.sampling import BlockGroup, first_block, is_like_small, sampled

WORD = 4  # bytes
TOLERANCE = 0.1  # of the products: tiles at the edges compute more than C has


def count(simulator: Simulator, request: CountAccesses, facts: PtxFacts) -> Counters | None:
    """Return the counters of a launch; None where the trace had no room or the launch failed."""
    grid = request.launch.grid(request.shape)
    blocks, warps = grid[0] * grid[1] * grid[2], -(-request.launch.threads // LANES)
    groups = sampled(simulator, request)
    if groups and not is_like_small(simulator, request, groups):
        groups = _by_first_block(simulator, request, blocks, warps)
    if not groups:
        return None
    launched = _Launch(groups, request.shape.K, sum(group.blocks for group in groups), warps, simulator.graph)
    return replace(
        launched.counters(request.shape),
        blocks=blocks,
        working=launched.blocks if launched.blocks < blocks else 0,
        registers=facts.registers,
        spilled=facts.spilled,
        shared_bytes=simulator.kernel.placed.shared_bytes,
    )


def _by_first_block(simulator: Simulator, request: CountAccesses, blocks: int, warps: int) -> list[BlockGroup]:
    """Return the first block at the counted size as a sample of all that compute: as many as the products need.

    A kernel that chooses its tile by the size has a grid for its smallest tile; the other blocks return at once.
    """
    sample = first_block(simulator, request)
    if sample is None:
        return []
    alone = _Launch([BlockGroup(1, (sample,))], request.shape.K, 1, warps, simulator.graph)
    products, needed = alone.products(), request.shape.flops / 2 / LANES
    working = round(needed / products) if products else 0
    if not 0 < working <= blocks or abs(working * products / needed - 1) > TOLERANCE:
        return []
    return [BlockGroup(working, (sample,))]


@dataclass(frozen=True, slots=True)
class _Launch:
    """Samples of a launch, and what to extrapolate them to."""

    groups: list[BlockGroup]
    K: int
    blocks: int
    warps: int
    """Of a block."""
    graph: Graph

    def counters(self, shape: Shape) -> Counters:
        every = sites.loops(self.graph)
        runs = self._runs(every)
        loop = self._hottest(every, runs)
        warps = max(1, self.blocks * self.warps)
        waits = self._waits()
        whole = Counters(
            shape=shape,
            blocks=self.blocks,
            accesses=tuple(access for access in (*self._accesses(), *self._local(runs)) if access.requests),
            instructions=round(self._executed(runs, sites.is_issued)),
            multiply_adds=round(self._executed(runs, sites.is_multiply_add)),
            branches=round(sum(runs[n] for n, block in enumerate(self.graph.blocks) if len(set(block.successors)) > 1)),
            double=round(self._executed(runs, sites.is_double)),
            divisions=round(self._executed(runs, sites.is_division)),
            global_waits=round(self._rounds(waits["global"], every, runs) / warps),
            shared_waits=round(self._rounds(waits["shared"], every, runs) / warps),
            barriers=round(self._executed(runs, is_barrier) / warps),
            footprint=round(self._whole(lambda tallies: tallies.footprint)),
            loop=mix(self.graph, loop) if loop else None,
            registers=0,
            spilled=0,
            shared_bytes=0,
            integer=round(self._executed(runs, sites.is_integer_arithmetic)),
            integer_multiply_adds=round(self._executed(runs, sites.is_integer_multiply_add)),
            products=round(self._executed(runs, sites.products)),
            conversions=round(self._executed(runs, sites.is_conversion)),
            prefetched=round(self._prefetched(), 3),
        )
        return self._with_short_numbers(whole, runs)

    def _with_short_numbers(self, counters: Counters, runs: Mapping[int, float]) -> Counters:
        """Return the counters with those of numbers of 16 bits and of tensor cores, where a kernel has any."""
        if not sites.has_short_numbers(self.graph):
            return counters
        constants = sites.constants(self.graph)

        def total(count: Callable[[Sequence[Instruction]], int]) -> int:
            return round(sum(runs[n] * count(block.instructions) for n, block in enumerate(self.graph.blocks)))

        fused = total(lambda inside: len(sites.fused(inside)))
        halves = round(self._executed(runs, sites.is_half)) - fused
        return replace(
            counters,
            instructions=counters.instructions - fused,
            multiply_adds=counters.multiply_adds - fused,
            halves=halves,
            pairs=min(halves, total(sites.pairs)),
            half_conversions=total(lambda inside: sites.half_conversions(inside, constants)),
            tensor=round(self._executed(runs, sites.is_tensor)),
            tensor_products=round(self._executed(runs, sites.tensor_products)),
        )

    def products(self) -> float:
        """Return the products of elements that warps compute: those in double precision where there are no others."""
        runs = self._runs(sites.loops(self.graph))
        return self._executed(runs, sites.products) or self._executed(runs, sites.is_double_product)

    def _prefetched(self) -> float:
        loads = self._whole(lambda tallies: tallies.global_loads)
        return self._whole(lambda tallies: tallies.prefetches) / loads if loads else 0.0

    def _local(self, runs: Mapping[int, float]) -> Iterator[AccessCount]:
        """Yield the accesses to arrays of a thread, which the trace lacks."""
        requests: Counter[tuple[int, AccessKind, int]] = Counter()
        for number, block in enumerate(self.graph.blocks):
            for instruction in block.instructions:
                if access := sites.local_access(instruction):
                    requests[instruction.line, *access] += round(runs[number])
        for (line, kind, width), count in requests.items():
            lines = count * max(1, width // WORD)
            yield AccessCount(line, "local", kind, width, count, 0, lines, float(LANES), width, 0.0)

    def _whole(self, quantity: Callable[[Tallies], float]) -> float:
        """Extrapolate what the sampled blocks do, linear in K, to all blocks of the launch."""
        return sum(group.whole(quantity, self.K) for group in self.groups)

    def _runs(self, every: list[LoopBlocks]) -> dict[int, float]:
        """Return how often warps run each basic block.

        A block with accesses but without events never runs; one without accesses runs as often as others of its loop.
        """
        blocks = {block for tallies in self._tallies() for block in tallies.runs}
        known = {block: self._whole(partial(Tallies.runs_of, block=block)) for block in blocks}
        silent = {
            n: 0.0 for n, block in enumerate(self.graph.blocks) if any(map(sites.access_kind, block.instructions))
        }
        known = {**silent, **known}
        return {block: known.get(block, self._estimate(block, known, every)) for block in range(len(self.graph.blocks))}

    def _estimate(self, block: int, known: Mapping[int, float], every: list[LoopBlocks]) -> float:
        around = [loop for loop in every if block in loop.blocks]
        for loop in sorted(around, key=lambda loop: len(loop.blocks)):
            inner = frozenset[int]().union(*(other.blocks for other in every if other.blocks < loop.blocks))
            if own := [known[other] for other in loop.blocks - inner if other in known]:
                return max(own)
        return float(self.blocks * self.warps)

    def _hottest(self, every: list[LoopBlocks], runs: Mapping[int, float]) -> LoopBlocks | None:
        """Return the smallest loop around the block with the most arithmetic."""

        def work(block: int) -> float:
            return runs[block] * sum(map(sites.computes, self.graph.blocks[block].instructions))

        busiest = max(range(len(self.graph.blocks)), key=work)
        return min((loop for loop in every if busiest in loop.blocks), key=lambda loop: len(loop.blocks), default=None)

    def _executed(self, runs: Mapping[int, float], kind: Callable[[Instruction], int]) -> float:
        return sum(runs[number] * sum(map(kind, block.instructions)) for number, block in enumerate(self.graph.blocks))

    def _rounds(self, blocks: set[int], every: list[LoopBlocks], runs: Mapping[int, float]) -> float:
        """Return how often one of the blocks runs, where those of one loop count once in each iteration."""
        most: dict[int, float] = {}
        for block in blocks:
            around = [loop for loop in every if block in loop.blocks]
            header = min(around, key=lambda loop: len(loop.blocks)).header if around else -1 - block
            most[header] = max(most.get(header, 0.0), runs[block])
        return sum(most.values())

    def _waits(self) -> dict[str, set[int]]:
        blocks: dict[str, set[int]] = {"global": set(), "shared": set()}
        for tallies in self._tallies():
            for site, several in tallies.accesses.items():
                if several[0].kind == "load":
                    blocks[several[0].space].add(site.block)
        return blocks

    def _tallies(self) -> Iterator[Tallies]:
        return (sample.tallies for group in self.groups for sample in group.samples)

    def _accesses(self) -> Iterator[AccessCount]:
        first: dict[Key, Tally] = {}
        for tallies in self._tallies():
            for site, several in tallies.accesses.items():
                for number, tally in enumerate(several):
                    first.setdefault((site.block, site.number, number), tally)
        grouped: dict[tuple[object, ...], list[Key]] = {}
        for key in sorted(first):
            tally = first[key]
            spread = min(tally.stride, tally.width + 1)  # a broadcast, neighbours, or further apart
            what = tally.line, tally.space, tally.kind, tally.width, spread, tally.of_fragment
            grouped.setdefault(what, []).append(key)
        for keys in grouped.values():
            yield self._access(keys, first[keys[0]])

    def _access(self, keys: list[Key], first: Tally) -> AccessCount:
        def whole(name: str) -> float:
            return self._whole(lambda tallies: sum(tallies.quantity(key, name) for key in keys))

        requests = whole("requests")
        strides = self.groups[0].at_size(
            lambda tallies: _costliest([tallies.access(key) for key in keys], first).stride, self.K
        )
        return AccessCount(
            line=first.line,
            space=first.space,
            kind=first.kind,
            width=first.width,
            requests=round(requests),
            sectors=round(whole("sectors")),
            wavefronts=round(whole("wavefronts")),
            lanes=round(whole("lanes") / requests, 2) if requests else 0.0,
            stride=round(max(0.0, strides)),
            repeated=round(whole("repeats") / requests, 3) if requests else 0.0,
            of_fragment=first.of_fragment,
        )


def _costliest(tallies_: list[Tally | None], default: Tally) -> Tally:
    known = [tally for tally in tallies_ if tally]
    return max(known, key=lambda tally: tally.sectors or tally.wavefronts, default=default)
