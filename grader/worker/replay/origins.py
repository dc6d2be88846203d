"""Where values come from: a node for each load, store and arithmetic instruction of each thread, as far as traced."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from grader.worker.replay.program import TooManyValuesError

Numbers = NDArray[np.int64]
MOST_NODES = 1 << 22
PRODUCTS = frozenset({"mul", "fma", "mad"})
LOAD, STORE, READ, SHUFFLE, CONSTANT = "load", "store", "read", "shuffle", "constant"
CONVERTED, OTHER, UNSET = "converted", "other", "unset"
NEVER_SET = -1  # instead of the node of a value, where nobody has set one


# How many sources of a node are nodes, where others are addresses or calls.
SOURCES = {LOAD: 0, CONSTANT: 0, UNSET: 0, STORE: 1, READ: 1, SHUFFLE: 1}


@dataclass(frozen=True, slots=True)
class Node:
    """A value: the instruction that made it and its thread, the nodes that it was made from (0 for none), the value.

    LOAD is of a matrix, from the address in `sources`; STORE puts the first source to an address, and READ reads it.
    SHUFFLE takes the first source from another lane, CONVERTED is another value, because its type is shorter, and OTHER
    is what no addition or multiplication has made, or what is computed from the bits of a number. The `sources` of a
    CONSTANT are the calls in which it was set.
    UNSET is what nobody has set, in a register or at the address in `sources`.
    """

    id: int
    kind: str
    number: int
    thread: int
    value: float
    sources: tuple[int, ...]


class Origins:
    """All nodes, by their numbers from 1."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._chunks: list[tuple[str, int, Numbers, NDArray[np.float64], Sequence[Numbers]]] = []
        self._count = 1
        self.shorter: dict[int, str] = {}  # the types to which instructions convert

    def add(
        self, kind: str, number: int, threads: Numbers, values: NDArray[np.generic], sources: Sequence[Numbers]
    ) -> Numbers:
        """Add a node for each thread, and return their numbers."""
        start, self._count = self._count, self._count + len(threads)
        if self._count > MOST_NODES:
            raise TooManyValuesError("too many values")
        as_reals = np.broadcast_to(np.asarray(values), threads.shape).astype(np.float64)
        self._starts.append(start)
        self._chunks.append((kind, number, threads, as_reals, sources))
        return np.arange(start, self._count)

    @cache  # noqa: B019 - of all addresses, for one story
    def loaded(self, first: int, last: int) -> frozenset[int]:
        """Return the addresses of all elements that these threads load."""
        every = [sources[0][(threads >= first) & (threads <= last)]
                 for kind, _, threads, _, sources in self._chunks if kind == LOAD]  # fmt: skip
        return frozenset(np.unique(np.concatenate(every)).tolist()) if every else frozenset()

    def of_kinds(self, kinds: Container[str], first: int, last: int) -> Iterator[Node]:
        """Yield the nodes of some kinds of these threads, in their order."""
        for start, (kind, _, threads, _, _) in zip(self._starts, self._chunks, strict=True):
            if kind in kinds:
                yield from (self.node(start + int(at)) for at in np.flatnonzero((threads >= first) & (threads <= last)))

    def way(self, node: int, most: int) -> list[Node]:
        """Return what a value was made from, the earliest first; all values if they are few enough."""
        found: dict[int, Node] = {}
        waiting = [node]
        while waiting and len(found) <= most:
            number = waiting.pop()
            if number and number not in found:
                each = found[number] = self.node(number)
                waiting += each.sources[: SOURCES.get(each.kind, len(each.sources))]
        return sorted(found.values(), key=lambda each: each.id)

    def earlier(self, node: Node) -> int:
        """Return how many times the thread of a node has done the same before, at the same address."""
        place = 0 if node.kind == LOAD else 1
        count = 0
        for first, (kind, number, threads, _, sources) in zip(self._starts, self._chunks, strict=True):
            if first >= node.id:
                break
            if kind == node.kind and number == node.number:
                same = (threads == node.thread) & (sources[place] == node.sources[place])
                count += int(np.count_nonzero(same[: max(0, node.id - first)]))
        return count

    def stores(self, start: int, size: int) -> Iterator[tuple[int, int, int]]:
        """Yield node, thread and address of every store to a region, in their order."""
        for first, (kind, _, threads, _, sources) in zip(self._starts, self._chunks, strict=True):
            if kind == STORE:
                inside = np.flatnonzero((sources[1] >= start) & (sources[1] < start + size))
                yield from zip(
                    (first + inside).tolist(), threads[inside].tolist(), sources[1][inside].tolist(), strict=True
                )

    def values(self, nodes: Numbers) -> NDArray[np.float64]:
        """Return the values of nodes, zero for those that are 0."""
        values = np.zeros(nodes.shape)
        left = np.flatnonzero(nodes)
        while len(left):
            chunk = bisect_right(self._starts, int(nodes[left[0]])) - 1
            start, found = self._starts[chunk], self._chunks[chunk][3]
            inside = (nodes[left] >= start) & (nodes[left] < start + len(found))
            values[left[inside]] = found[nodes[left[inside]] - start]
            left = left[~inside]
        return values

    def node(self, number: int) -> Node:
        """Return a node."""
        chunk = bisect_right(self._starts, number) - 1
        kind, instruction, threads, values, sources = self._chunks[chunk]
        at = number - self._starts[chunk]
        return Node(
            number, kind, instruction, int(threads[at]), float(values[at]), tuple(int(each[at]) for each in sources)
        )
