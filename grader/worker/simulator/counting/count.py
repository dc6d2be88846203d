"""Count a launch: run some of its blocks traced at two small sizes, and extrapolate to the size that counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from grader.contract.layout import arguments, operands
from grader.contract.messages import CountAccesses
from grader.model import Shape
from grader.model.counters import AccessCount, Counters
from grader.worker.simulator.analysis.graph import Graph
from grader.worker.simulator.counting import sites
from grader.worker.simulator.counting.sampled_shapes import sampled_shapes
from grader.worker.simulator.counting.sites import CodeSite, NaturalLoop
from grader.worker.simulator.counting.tally import LANES, Tallies, Tally, tallies
from grader.worker.simulator.counting.unrolled import merged_across_iterations
from grader.worker.simulator.engine.simulate import Simulator
from grader.worker.simulator.engine.trace import Extent
from grader.worker.simulator.generate.barriers import is_barrier
from grader.worker.simulator.generate.layout import Status
from grader.worker.simulator.syntax.records import Instruction

MOST_EVENTS = 200_000
SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class _Sample:
    """The average of the blocks that ran at one size."""

    K: int
    blocks: int
    warps: int
    tallies: Tallies


def count(simulator: Simulator, request: CountAccesses, registers: int, spilled: int) -> Counters | None:
    """Return the counters of a launch; None where the trace had no room or the launch failed."""
    samples = _samples(simulator, request, 2) or _samples(simulator, request, 1)
    if not samples:
        return None
    grid = request.launch.grid(request.shape)
    blocks = grid[0] * grid[1] * grid[2]
    launch = _Launch(samples, request.shape.K, blocks, simulator.graph)
    return replace(
        launch.counters(request.shape),
        registers=registers,
        spilled=spilled,
        shared_bytes=simulator.kernel.shared_bytes,
    )


def _samples(simulator: Simulator, request: CountAccesses, tiles: int) -> list[_Sample]:
    """Return the samples with this number of tiles in each direction, whose first and last run; none on failure."""
    shapes = sampled_shapes(request.shape, request.launch.tile, tiles)
    samples = [_sample(simulator, request, shape, tiles) for shape in shapes]
    complete = [sample for sample in samples if sample]
    return complete if len(complete) == len(samples) else []


def _sample(simulator: Simulator, request: CountAccesses, shape: Shape, tiles: int) -> _Sample | None:
    if simulator.trace is None:
        raise ValueError("the simulator traces nothing")
    simulator.trace.keep(Extent(MOST_EVENTS, MOST_EVENTS, ()))
    grid = request.launch.grid(shape)
    last = min(grid[0], tiles) - 1 + (min(grid[1], tiles) - 1) * grid[0]
    blocks = sorted({0, last})
    memory = operands(request.interface, shape)
    buffers = {name: np.zeros(matrix.nbytes + 256, np.uint8)[: matrix.nbytes] for name, matrix in memory.items()}
    words = [
        argument.name if argument.kind == "buffer" else int(argument.value)
        if argument.kind == "integer" else float(argument.value)
        for argument in arguments(request.interface, shape)
    ]  # fmt: skip
    outcome = simulator.launch(grid, buffers, words, blocks=np.array(blocks, np.int64), seconds=SECONDS, processors=1)
    if outcome.status is not Status.DONE or not simulator.trace.is_complete:
        return None
    tallied = tallies(simulator.trace.events(), simulator.kernel.places, simulator.graph, blocks)
    accesses = merged_across_iterations(tallied.accesses, simulator.graph, request.unrolled)
    return _Sample(shape.K, len(blocks), -(-request.launch.threads // LANES), replace(tallied, accesses=accesses))


@dataclass(frozen=True, slots=True)
class _Launch:
    """Samples of a launch, and what to extrapolate them to."""

    samples: list[_Sample]
    K: int
    blocks: int
    graph: Graph

    def counters(self, shape: Shape) -> Counters:
        every = sites.loops(self.graph)
        runs = self._runs(every)
        loop = self._hottest(every, runs)
        warps = max(1, self.blocks * self.samples[0].warps)
        waits = self._waits()
        return Counters(
            shape=shape,
            blocks=self.blocks,
            accesses=tuple(access for access in self._accesses() if access.requests),
            instructions=round(self._executed(runs, sites.is_issued)),
            multiply_adds=round(self._executed(runs, sites.is_multiply_add)),
            branches=round(sum(runs[n] for n, block in enumerate(self.graph.blocks) if len(set(block.successors)) > 1)),
            double=round(self._executed(runs, sites.is_double)),
            divisions=round(self._executed(runs, sites.is_division)),
            global_waits=round(self._rounds(waits["global"], every, runs) / warps),
            shared_waits=round(self._rounds(waits["shared"], every, runs) / warps),
            barriers=round(self._executed(runs, is_barrier) / warps),
            footprint=round(self._whole([sample.tallies.footprint for sample in self.samples])),
            loop=sites.mix(self.graph, loop) if loop else None,
            registers=0,
            spilled=0,
            shared_bytes=0,
            integer=round(self._executed(runs, sites.is_integer_arithmetic)),
            conversions=round(self._executed(runs, sites.is_conversion)),
        )

    def _whole(self, values: list[float] | list[int]) -> float:
        """Extrapolate what the sampled blocks do, linear in K, to all blocks of the launch."""
        each = [value / sample.blocks for value, sample in zip(values, self.samples, strict=True)]
        return max(0.0, self._at_size(each)) * self.blocks

    def _at_size(self, values: list[float] | list[int]) -> float:
        """Extrapolate a quantity that is linear in K."""
        if len(values) == 1:
            return values[0]
        first, second = self.samples
        return values[1] + (values[1] - values[0]) / (second.K - first.K) * (self.K - second.K)

    def _runs(self, every: list[NaturalLoop]) -> dict[int, float]:
        """Return how often warps run each basic block.

        A block with accesses but without events never runs; one without accesses runs as often as others of its loop.
        """
        traced = [sample.tallies.runs for sample in self.samples]
        blocks = {block for runs in traced for block in runs}
        known = {block: self._whole([runs.get(block, 0) for runs in traced]) for block in blocks}
        silent = {
            n: 0.0 for n, block in enumerate(self.graph.blocks) if any(map(sites.access_kind, block.instructions))
        }
        known = {**silent, **known}
        return {block: known.get(block, self._guess(block, known, every)) for block in range(len(self.graph.blocks))}

    def _guess(self, block: int, known: Mapping[int, float], every: list[NaturalLoop]) -> float:
        around = [loop for loop in every if block in loop.blocks]
        for loop in sorted(around, key=lambda loop: len(loop.blocks)):
            inner = frozenset[int]().union(*(other.blocks for other in every if other.blocks < loop.blocks))
            if own := [known[other] for other in loop.blocks - inner if other in known]:
                return max(own)
        return float(self.blocks * self.samples[0].warps)

    def _hottest(self, every: list[NaturalLoop], runs: Mapping[int, float]) -> NaturalLoop | None:
        """Return the smallest loop around the block with the most arithmetic."""

        def work(block: int) -> float:
            return runs[block] * sum(map(sites.computes, self.graph.blocks[block].instructions))

        busiest = max(range(len(self.graph.blocks)), key=work)
        return min((loop for loop in every if busiest in loop.blocks), key=lambda loop: len(loop.blocks), default=None)

    def _executed(self, runs: Mapping[int, float], kind: Callable[[Instruction], bool]) -> float:
        return sum(runs[number] * sum(map(kind, block.instructions)) for number, block in enumerate(self.graph.blocks))

    def _rounds(self, blocks: set[int], every: list[NaturalLoop], runs: Mapping[int, float]) -> float:
        """Return how often one of the blocks runs, where those of one loop count once in each iteration."""
        most: dict[int, float] = {}
        for block in blocks:
            around = [loop for loop in every if block in loop.blocks]
            header = min(around, key=lambda loop: len(loop.blocks)).header if around else -1 - block
            most[header] = max(most.get(header, 0.0), runs[block])
        return sum(most.values())

    def _waits(self) -> dict[str, set[int]]:
        blocks: dict[str, set[int]] = {"global": set(), "shared": set()}
        for sample in self.samples:
            for site, several in sample.tallies.accesses.items():
                if several[0].kind == "load":
                    blocks[several[0].space].add(site.block)
        return blocks

    def _accesses(self) -> Iterator[AccessCount]:
        grouped: dict[tuple[object, ...], list[tuple[Tally | None, ...]]] = {}
        keys = {(site, number) for sample in self.samples for site, some in sample.tallies.accesses.items()
                for number in range(len(some))}  # fmt: skip
        for site, number in sorted(keys, key=lambda key: (key[0].block, key[0].number, key[1])):
            of_site = tuple(_at(sample, site, number) for sample in self.samples)
            first = next(tally for tally in of_site if tally)
            spread = min(first.stride, first.width + 1)  # a broadcast, neighbours, or further apart
            grouped.setdefault((first.line, first.space, first.kind, first.width, spread), []).append(of_site)
        for several in grouped.values():
            yield self._access(several)

    def _access(self, several: list[tuple[Tally | None, ...]]) -> AccessCount:
        first = next(tally for of_site in several for tally in of_site if tally)

        def whole(name: str) -> float:
            return self._whole([
                sum(_quantity(of_site[number], name) for of_site in several) for number in range(len(self.samples))
            ])  # fmt: skip

        requests = whole("requests")
        samples = range(len(self.samples))
        strides = [_costliest([of_site[number] for of_site in several], first).stride for number in samples]
        return AccessCount(
            line=first.line,
            space=first.space,
            kind=first.kind,
            width=first.width,
            requests=round(requests),
            sectors=round(whole("sectors")),
            wavefronts=round(whole("wavefronts")),
            lanes=round(whole("lanes") / requests, 2) if requests else 0.0,
            stride=round(max(0.0, self._at_size(strides))),
            repeated=round(whole("repeats") / requests, 3) if requests else 0.0,
        )


def _costliest(tallies_: list[Tally | None], default: Tally) -> Tally:
    known = [tally for tally in tallies_ if tally]
    return max(known, key=lambda tally: tally.sectors or tally.wavefronts, default=default)


def _at(sample: _Sample, site: CodeSite, number: int) -> Tally | None:
    several = sample.tallies.accesses.get(site, ())
    return several[number] if number < len(several) else None


def _quantity(tally: Tally | None, name: str) -> int:
    if tally is None:
        return 0
    if name == "requests":
        return len(tally.addresses)
    if name == "lanes":
        return int(np.count_nonzero(tally.acts))
    value: int = getattr(tally, name)
    return value
