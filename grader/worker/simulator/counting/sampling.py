"""Run some blocks of a launch with a trace, at small sizes, and add up what they do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from grader.contract.layout import arguments, operands, symbols
from grader.contract.messages import CountAccesses
from grader.model import Operand, Shape
from grader.ptxsim.counting.tally import Tallies, executed, tallies
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.engine.trace import Events, Extent, Trace
from grader.ptxsim.generate.layout import Status
from grader.worker.simulator.counting.sampled_shapes import PERIOD, BlockClass, block_classes, period, sampled_shapes

MOST_EVENTS = 200_000
FIRST_EVENTS = 10_000  # of a block: they show which algorithm it runs
SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Sample:
    """What some blocks do at one size."""

    K: int
    blocks: int
    tallies: Tallies


@dataclass(frozen=True, slots=True)
class BlockGroup:
    """Blocks of a launch that do the same: their number, and samples at one or two sizes."""

    blocks: int
    samples: tuple[Sample, ...]

    def whole(self, quantity: Callable[[Tallies], float], K: int) -> float:
        """Extrapolate what a block does, linear in K, to all blocks of the group."""
        return max(0.0, _extrapolated(self.samples, quantity, K)) * self.blocks

    def at_size(self, value: Callable[[Tallies], float], K: int) -> float:
        """Extrapolate a value that does not depend on how many blocks ran."""
        return _extrapolated(tuple(replace(sample, blocks=1) for sample in self.samples), value, K)


def _extrapolated(samples: tuple[Sample, ...], quantity: Callable[[Tallies], float], K: int) -> float:
    values = [quantity(sample.tallies) / sample.blocks for sample in samples]
    if len(values) == 1:
        return values[0]
    first, second = samples
    return values[1] + (values[1] - values[0]) / (second.K - first.K) * (K - second.K)


def sampled(simulator: Simulator, request: CountAccesses) -> list[BlockGroup]:
    """Return samples of all blocks; none where the trace had no room or a launch failed."""
    every = period(request.shape, request.launch.tile)
    return _groups(simulator, request, 2, every) or _groups(simulator, request, 1, PERIOD)


def is_like_small(simulator: Simulator, request: CountAccesses, groups: Iterable[BlockGroup]) -> bool:
    """Whether the first block accesses memory at the counted size with the code that runs at the small sizes too.

    It does not if the kernel chooses its algorithm by the size.
    """
    ran = {block for group in groups for sample in group.samples for block in sample.tallies.runs}
    _launch(simulator, request, request.shape, (0,), FIRST_EVENTS)
    return executed(_events(simulator), simulator.kernel.places, simulator.graph) <= ran


def first_block(simulator: Simulator, request: CountAccesses) -> Sample | None:
    """Return what the first block does at the counted size; None where the trace had no room or the launch failed."""
    return _sample(simulator, request, request.shape, BlockClass((0,), 1))


def _groups(simulator: Simulator, request: CountAccesses, tiles: int, every: int) -> list[BlockGroup]:
    """Return the samples with this number of whole tiles in each direction."""
    shapes = sampled_shapes(request.shape, request.launch.tile, tiles, every)
    of_sizes = [block_classes(request.launch, request.shape, small, tiles) for small in shapes]
    groups = []
    for of_class in zip(*of_sizes, strict=True):
        samples = [_sample(simulator, request, small, each) for small, each in zip(shapes, of_class, strict=True)]
        complete = tuple(sample for sample in samples if sample)
        if len(complete) < len(samples):
            return []
        groups.append(BlockGroup(of_class[0].count, complete))
    return groups


def _sample(simulator: Simulator, request: CountAccesses, shape: Shape, blocks: BlockClass) -> Sample | None:
    if not _launch(simulator, request, shape, blocks.ran, MOST_EVENTS):
        return None
    tallied = tallies(_events(simulator), simulator.kernel.places, simulator.graph, blocks.ran)
    return Sample(shape.K, len(blocks.ran), tallied)


def _launch(simulator: Simulator, request: CountAccesses, shape: Shape, blocks: tuple[int, ...], events: int) -> bool:
    """Run some blocks with a trace, and return whether they ended and the trace has all events."""
    trace = _trace(simulator)
    trace.keep(Extent(events, events, ()))
    memory = operands(request.interface, shape)
    buffers = {name: _matrix(matrix) for name, matrix in memory.items()}
    words = arguments(request.interface, shape, request.launch)
    simulator.assign(symbols(request.interface, shape, request.launch))
    ran, grid = np.array(blocks, np.int64), request.launch.grid(shape)
    outcome = simulator.launch(grid, buffers, words, blocks=ran, seconds=SECONDS, processors=1)
    return outcome.status is Status.DONE and trace.is_complete


def _matrix(operand: Operand) -> NDArray[np.uint8]:
    """Return a factor of ones, because a kernel may leave out zeros; C is zero."""
    memory = np.zeros(operand.nbytes + 256, np.uint8)[: operand.nbytes]
    if operand.name != "C":
        memory.view(operand.dtype)[:] = 1
    return memory


def _events(simulator: Simulator) -> Events:
    return _trace(simulator).events()


def _trace(simulator: Simulator) -> Trace:
    if simulator.trace is None:
        raise ValueError("the simulator traces nothing")
    return simulator.trace
