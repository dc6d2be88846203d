"""Loads of shared memory that the assembler merges across iterations of a loop that it unrolls. Pure.

PTX does not show whether ptxas unrolls a loop: of loops with 16, 25 and 64 multiply-adds, it unrolled the first two
five times and left the last as it was. So the number of iterations comes from the machine code. Within the unrolled
body, the loads of neighbouring words are merged by the same rule as in merging.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from grader.worker.simulator.analysis.graph import Graph
from grader.worker.simulator.counting.merging import orders
from grader.worker.simulator.counting.sites import CodeSite, is_multiply_add
from grader.worker.simulator.counting.tally import Tally

WIDEST = 16  # bytes that a thread reads in one instruction


def merged_across_iterations(
    accesses: Mapping[CodeSite, tuple[Tally, ...]], graph: Graph, iterations: int
) -> dict[CodeSite, tuple[Tally, ...]]:
    """Return the accesses, with those merged that neighbouring iterations of the innermost loops make."""
    loops = {number for number in range(len(graph.blocks)) if _is_unrolled(graph, number)}
    return {
        site: tuple(_merged(tally, iterations) for tally in tallies) if site.block in loops else tallies
        for site, tallies in accesses.items()
    }


def _is_unrolled(graph: Graph, number: int) -> bool:
    """Whether a block is a loop with arithmetic, in which nothing keeps loads of two iterations apart."""
    block = graph.blocks[number]
    is_loop = number in block.successors
    return is_loop and any(map(is_multiply_add, block.instructions)) and not any(map(orders, block.instructions))


def _merged(tally: Tally, iterations: int) -> Tally:
    for count in (4, 2):
        if tally.width * count <= WIDEST and iterations % count == 0 and (wide := _of_neighbours(tally, count)):
            return wide
    return tally


def _of_neighbours(tally: Tally, count: int) -> Tally | None:
    """Return one wide load for every `count` loads that a warp makes in succession; None if they are apart."""
    is_load = (tally.space, tally.kind) == ("shared", "load")
    if not is_load or len(tally.addresses) % count:
        return None
    order = np.argsort(tally.owners, kind="stable")
    owners = tally.owners[order].reshape(-1, count)
    acts = tally.acts[order].reshape(len(owners), count, -1)
    addresses = np.where(acts, tally.addresses[order].reshape(acts.shape), 0)
    first, together = acts[:, :1], acts.all(axis=1, keepdims=True) | ~acts.any(axis=1, keepdims=True)
    expected = np.where(first, addresses[:, :1] + tally.width * np.arange(count)[:, None], 0)
    is_aligned = not (addresses[:, 0] % (tally.width * count)).any()
    if not (is_aligned and together.all() and (addresses == expected).all() and (owners == owners[:, :1]).all()):
        return None
    return replace(tally, width=tally.width * count, addresses=addresses[:, 0], acts=acts[:, 0], owners=owners[:, 0])
