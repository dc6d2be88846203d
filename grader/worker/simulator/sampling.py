"""Run some blocks of a launch with a trace, at small sizes, and add up what they do."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from grader.contract.layout import arguments, operands, symbols
from grader.contract.messages import CountAccesses
from grader.model import Launch, Operand, Shape
from grader.ptxsim.counting.tally import Tallies, executed, tallies
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.engine.trace import Events, Extent, Trace
from grader.ptxsim.generate.layout import Status

MOST_EVENTS = 200_000
FIRST_EVENTS = 10_000  # of a block: they show which algorithm it runs
SECONDS = 5.0
PERIOD = 128  # the two sizes differ by it, and agree with the size that counts modulo it
ROW = 32  # elements of a line of L1: rows begin in the same place of a line if lengths agree modulo it
LONGEST_PERIOD = 512
SECTOR = 8  # elements


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


@dataclass(frozen=True, slots=True)
class BlockClass:
    """Blocks that do about the same: those that `ran` at the small size represent `count` of them."""

    ran: tuple[int, ...]
    count: int


def period(shape: Shape, tile: tuple[int, int]) -> int:
    """Return a period in which steps of the tile's width or height fit too, so that both sizes end within a step alike.

    It is PERIOD if that would be too long.
    """
    for least in (PERIOD, ROW):
        length = math.lcm(least, *tile)
        if length <= LONGEST_PERIOD and 2 * (length + max(tile)) < shape.K:
            return length
    return PERIOD


def sampled_shapes(shape: Shape, tile: tuple[int, int], tiles: int, every: int = PERIOD) -> list[Shape]:
    """Return one or two shapes to run: small, with this number of whole tiles in each direction."""
    columns, rows = tile
    is_square = shape.M == shape.N == shape.K
    if is_square:
        smaller = _like(shape.N, tiles * max(tile), every)
        shapes = [Shape(size, size, size) for size in (smaller, smaller + every)]
    else:
        sides = min(shape.M, _like(shape.M, tiles * rows, every)), min(shape.N, _like(shape.N, tiles * columns, every))
        smaller = _like(shape.K, every, every)
        shapes = [Shape(*sides, smaller), Shape(*sides, smaller + every)]
    return shapes if shapes[-1].K < shape.K else [shape]


def _like(length: int, least: int, every: int) -> int:
    """Return the smallest length from `least` on that agrees with a length modulo `every`."""
    return least + (length - least) % every


def block_classes(launch: Launch, shape: Shape, small: Shape, tiles: int) -> list[BlockClass]:
    """Return the blocks inside C, and those at its right and lower edge that compute less than a tile."""
    (wide, high, layers), (width, height, _) = launch.grid(shape), launch.grid(small)
    columns, rows = (shape.N, small.N, launch.tile[0]), (shape.M, small.M, launch.tile[1])
    across, down = (columns, rows) if launch.grid_x == "columns" else (rows, columns)
    # All tiles do the same if they begin at the same place of a sector.
    are_alike = all(length % SECTOR == 0 for length in (shape.N, shape.K, *launch.tile))
    inside = (tiles - 1 if are_alike else 0, tiles - 1)
    return [
        BlockClass(
            tuple(sorted({i + j * width for i, j in zip(x.ran, y.ran, strict=False)})), x.count * y.count * layers
        )
        for y in _classes(*down, (high, height), inside)
        for x in _classes(*across, (wide, width), inside)
    ]


def _classes(length: int, small: int, side: int, blocks: tuple[int, int], inside: tuple[int, int]) -> list[BlockClass]:
    """Return the places of blocks along one axis of the grid: those inside, and the last one if it is not whole."""
    count, ran = blocks
    rest = length % side
    if not rest or rest != small % side or ran < inside[1] + 2:
        return [BlockClass(tuple(min(place, ran - 1) for place in inside), count)]
    return [BlockClass(inside, count - 1), BlockClass((ran - 1,), 1)]
