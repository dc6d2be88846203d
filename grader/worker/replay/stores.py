"""Which elements of C the threads of a launch have stored that has been replayed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from grader.contract.layout import load, operands
from grader.model import Interface, Shape
from grader.worker.replay.machine import LockstepMachine
from grader.worker.replay.program import GivesUpError
from grader.worker.replay.spots import Axes, thread_of


class ElementPlaces:
    """Where the elements of a matrix are in memory."""

    def __init__(self, name: str, interface: Interface, shape: Shape) -> None:
        operand = operands(interface, shape)[name]
        self.kind = np.dtype(operand.dtype)
        self.size = self.kind.itemsize
        self._places: NDArray[np.int64] = np.asarray(load(np.arange(operand.elements), operand, interface), np.int64)
        self._elements = np.full(int(self._places.max()) + 1, -1, np.int64)
        self._elements[self._places.reshape(-1)] = np.arange(self._places.size)

    def offset(self, row: int, column: int) -> int:
        """Return the offset of an element in bytes."""
        return int(self._places[row, column]) * self.size

    def element(self, offset: int) -> tuple[int, int]:
        """Return row and column of an element."""
        place = offset // self.size
        if not 0 <= place < len(self._elements) or self._elements[place] < 0:
            raise GivesUpError("what lies between the rows")
        row, column = divmod(int(self._elements[place]), self._places.shape[1])
        return row, column


class StoredElements:
    """The elements of C by the nodes that store them. A `block` is the number of its first thread."""

    def __init__(self, machine: LockstepMachine, places: ElementPlaces) -> None:
        self._machine, self._origins, self._places = machine, machine.origins, places
        self._c = machine.memory.named("C")
        self.per_block, (self.across, *_) = machine.geometry.per_block, machine.geometry.block  # threads
        self.blocks = range(0, machine.count, self.per_block)

    def first_of(self, block: Axes) -> int:
        """Return the number of the first thread of a block."""
        return thread_of(self._machine, (0, 0, 0), block)

    def stored(self, row: int, column: int) -> int:
        """Return the node of the last store to an element; 0 where there was none."""
        return int(self._c.origins[self._places.offset(row, column) // self._c.granule])

    def value(self, row: int, column: int) -> float:
        """Return the value of an element."""
        return float(self._c.view(self._places.kind)[self._places.offset(row, column) // self._places.size])

    @cache  # noqa: B019 - of one launch
    def by_thread(self, block: int) -> Mapping[int, Mapping[tuple[int, int], int]]:
        """Return row and column of the elements of C that each thread of a block stores, with the first such store."""
        own = range(block, block + self.per_block)
        found: dict[int, dict[tuple[int, int], int]] = {}
        for node, thread, address in self._origins.stores(self._c.base, self._c.size):
            if thread in own:
                found.setdefault(thread, {}).setdefault(self._places.element(address - self._c.base), node)
        return found

    @cache  # noqa: B019 - of one launch
    def _first_stores(self, block: int) -> Sequence[tuple[int, int, int]]:
        """Return the first store of each thread of a block to each of its elements, in their order, with its place."""
        return sorted((node, *each) for own in self.by_thread(block).values() for each, node in own.items())

    def reach(self, block: int) -> tuple[int, int, int, int] | None:
        """Return the first and the last row and column of C to which a block stores; None if it stores nothing."""
        _, rows, columns = zip(*self._first_stores(block), strict=True) if self._first_stores(block) else ((), (), ())
        return (min(rows), max(rows), min(columns), max(columns)) if rows else None

    def overlap(self, block: int) -> tuple[int, int, int, int] | None:
        """Return the second thread's store to an element of a block, its place, and how many threads store there."""
        nodes: dict[tuple[int, ...], list[int]] = {}
        for node, *place in self._first_stores(block):
            nodes.setdefault(tuple(place), []).append(node)
        return _first_overlap(nodes)

    def overlap_of_blocks(self) -> tuple[int, int, int, int] | None:
        """Return the second block's store to an element, its place, and how many blocks store there."""
        nodes: dict[tuple[int, ...], list[int]] = {}
        for block in self.blocks:
            of_block = {(row, column): node for node, row, column in reversed(self._first_stores(block))}
            for place, node in of_block.items():
                nodes.setdefault(place, []).append(node)
        return _first_overlap(nodes)

    def outside(self, block: int, rows: range, columns: range) -> tuple[int, int, int] | None:
        """Return the first store of a block to another row or column of C, and these; None if there is none."""
        beyond = (each for each in self._first_stores(block) if each[1] not in rows or each[2] not in columns)
        return next(beyond, None)


def _first_overlap(nodes: Mapping[tuple[int, ...], Sequence[int]]) -> tuple[int, int, int, int] | None:
    """Return the second store to the first element that has several, its place, and their number; None without one."""
    every = ((own[1], row, column, len(own)) for (row, column), own in sorted(nodes.items()) if len(own) > 1)
    return next(every, None)
