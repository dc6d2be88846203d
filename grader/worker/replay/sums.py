"""The sums in C of a launch that has been replayed: their terms, and where each factor came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from math import isclose, isnan

import numpy as np
from numpy.typing import NDArray

from grader.contract.layout import load, operands
from grader.model import Interface, Shape
from grader.model.scenes import Factor, Term
from grader.worker.replay.machine import LockstepMachine
from grader.worker.replay.memory import WINDOW_BITS
from grader.worker.replay.origins import (
    CONSTANT,
    CONVERTED,
    LOAD,
    PRODUCTS,
    READ,
    SHUFFLE,
    SOURCES,
    STORE,
    Node,
)
from grader.worker.replay.program import GivesUpError
from grader.worker.replay.spots import Axes, axes_of, thread_of
from grader.worker.replay.threads import SoughtAccess

MOST_ADDED, MOST_PRODUCTS = 1 << 14, 1 << 12
PASSES = frozenset({STORE, READ, SHUFFLE, CONVERTED})  # a value on its way
ENDS = frozenset({LOAD, *PASSES})  # where the way back from a factor ends: at an element, or at what was stored


@dataclass(frozen=True, slots=True)
class Added:
    """A term as it was added, and the nodes of the loads of its factors, as far as they are known."""

    term: Term
    loads: tuple[int, ...]  # the node of the load of each factor
    joined: int = 0  # the line at which it came from another thread
    passes: tuple[tuple[int, int], ...] = ()  # by which its factors came from others: stores or loads, and their reads
    summed: int = 0  # the line that adds it as a part of another sum
    reads: tuple[int, ...] = ()  # the node of the read of each factor; 0 for one that no memory was in between
    product: int = 0  # the node of the product

    def misplaced(self, row: int, column: int) -> Iterator[tuple[int, int]]:
        """Yield the nodes of the loads and the reads of factors that do not belong to the element."""
        right = {("A", row, self.term.k), ("B", self.term.k, column)}
        for at, each in enumerate(self.term.factors):
            if (each.matrix, each.row, each.column) not in right:
                yield self.loads[at], self.reads[at] if self.reads else 0


@dataclass(frozen=True, slots=True)
class Addend:
    """A part of a sum, its factor there, the thread and the line that add it, and all lines on the way to it."""

    node: int
    scale: float
    joined: int
    thread: int
    line: int
    way: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Sum:
    """The terms of a sum, what is added besides, and for each product with a zero, how many terms come before.

    `start` is the node of the constant that the sum began with; 0 if it began with none.
    """

    terms: list[Added]
    besides: float
    zeros: list[int]
    start: int = 0


def is_same(one: float, other: float, rounding: float) -> bool:
    """Return whether two sums are the same but for rounding."""
    return (isnan(one) and isnan(other)) or isclose(one, other, rel_tol=rounding, abs_tol=1e-3)


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


class Sums:
    """The sums in C of a launch that has been replayed."""

    def __init__(self, machine: LockstepMachine, interface: Interface, shape: Shape) -> None:
        self._machine, self.origins, self.geometry = machine, machine.origins, machine.geometry
        self._elements = {name: ElementPlaces(name, interface, shape) for name in ("A", "B", "C")}
        self._c = next(each for each in machine.memory.regions if each.name == "C")

    def first_of(self, block: Axes) -> int:
        """Return the number of the first thread of a block."""
        return thread_of(self._machine, (0, 0, 0), block)

    def access(self, node: Node) -> SoughtAccess:
        """Return the access that made a node."""
        address = node.sources[0 if node.kind == LOAD else 1]
        return SoughtAccess(node.thread, self.line(node.number), address, self.origins.earlier(node))

    @cache  # noqa: B019 - of one launch
    def places(self, block: int) -> Mapping[int, Mapping[tuple[int, int], int]]:
        """Return row and column of the elements of C that each thread of a block stores, with the first such store."""
        own = range(block, block + self.geometry.per_block)
        found: dict[int, dict[tuple[int, int], int]] = {}
        for node, thread, address in self.origins.stores(self._c.base, self._c.size):
            if thread in own:
                element = self._elements["C"].element(address - self._c.base)
                found.setdefault(thread, {}).setdefault(element, node)
        return found

    def stored(self, row: int, column: int) -> int:
        """Return the node of the last store to an element; 0 where there was none."""
        offset = self._elements["C"].offset(row, column)
        return int(self._c.origins[offset // self._c.granule])

    def value(self, row: int, column: int, kind: str) -> float:
        """Return the value of an element."""
        offset = self._elements["C"].offset(row, column)
        return float(self._c.view(np.dtype(kind))[offset // self._elements["C"].size])

    def is_loaded(self, term: Term, row: int, column: int, thread: int) -> bool:
        """Return whether the elements that belong in a term are loaded: by its block, if it reads what others load."""
        places = [("A", row, term.k or 0), ("B", term.k or 0, column)]
        is_read = any(each.read for each in term.factors)
        loaded = self.origins.loaded(*(self.block_of(thread) if is_read else (thread, thread)))
        bases = {each.name: each.base for each in self._machine.memory.regions}
        return all(bases[name] + self._elements[name].offset(*place) in loaded for name, *place in places)

    def block_of(self, thread: int) -> tuple[int, int]:
        """Return the first and the last thread of the block of a thread."""
        first = thread - thread % self.geometry.per_block
        return first, first + self.geometry.per_block - 1

    def product(self, row: int, k: int, column: int, threads: tuple[int, int]) -> Node | None:
        """Return the first product of these elements by one of these threads; None if there is none."""
        wanted = {("A", row, k), ("B", k, column)}
        for number, node in enumerate(map(self._without_constants, self.origins.of_kinds(PRODUCTS, *threads))):
            if number >= MOST_PRODUCTS:
                break
            if (
                self.has_elements(node)
                and {(each.matrix, each.row, each.column) for each in self._term(node).term.factors} == wanted
            ):
                return node
        return None

    def line_of_taken(self, matrix: str, row: int, column: int, product: int) -> int:
        """Return the line in which the thread of a product has last read an element before; 0 where it has not."""
        base = next(each.base for each in self._machine.memory.regions if each.name == matrix)
        address, thread, line = base + self._elements[matrix].offset(row, column), self.origins.node(product).thread, 0
        for node in self.origins.of_kinds({READ, LOAD}, thread, thread):
            if node.id >= product:
                break
            end = self._end(node.id)
            if end.kind == LOAD and end.sources[0] == address:
                line = self.line(node.number)
        return line

    def thread_of(self, thread: int) -> tuple[int, int, int]:
        """Return the number of a thread in its block."""
        return axes_of(self._machine, thread)

    @cache  # noqa: B019 - of one launch
    def _first_stores(self, block: int) -> Sequence[tuple[int, int, int]]:
        """Return the first store of each thread of a block to each of its elements, in their order, with its place."""
        return sorted((node, *each) for own in self.places(block).values() for each, node in own.items())

    def reach(self, block: int) -> tuple[int, int, int, int] | None:
        """Return the first and the last row and column of C to which a block stores; None if it stores nothing."""
        _, rows, columns = zip(*self._first_stores(block), strict=True) if self._first_stores(block) else ((), (), ())
        return (min(rows), max(rows), min(columns), max(columns)) if rows else None

    def overlap(self, block: int) -> tuple[Node, int, int, int] | None:
        """Return the second thread's store to an element of a block, its place, and how many threads store there."""
        threads = Counter((row, column) for _, row, column in self._first_stores(block))
        shared = [each for each in self._first_stores(block) if threads[each[1:]] > 1]
        both = [(node, row, column) for node, row, column in shared if (row, column) == shared[0][1:]]
        return (self.origins.node(both[1][0]), *both[1][1:], len(both)) if both else None

    def outside(self, block: int, rows: range, columns: range) -> tuple[Node, int, int] | None:
        """Return the first store of a block to another row or column of C, and these; None if there is none."""
        beyond = (each for each in self._first_stores(block) if each[1] not in rows or each[2] not in columns)
        return next(((self.origins.node(node), row, column) for node, row, column in beyond), None)

    def line(self, number: int) -> int:
        """Return the line of an instruction."""
        return self._machine.code.instructions[number].line

    def line_of(self, node: int) -> int:
        """Return the line of the instruction that made a node."""
        return self.line(self.origins.node(node).number)

    def others_go_on(self, source: int, first: int, last: int) -> bool:
        """Return whether its block has stored to shared memory between two reads of a node, or run its load again."""
        own, origins = self.block_of(self.origins.node(first).thread), self.origins
        if self.origins.node(source).kind == LOAD:
            return any(first < each.id < last and each.number == self.origins.node(source).number
                       for each in origins.of_kinds({LOAD}, *own))  # fmt: skip
        region = self._machine.memory.region(self._machine.memory.bases["shared"])
        every = origins.stores(region.base, region.size) if region else ()
        return any(first < node < last and own[0] <= thread <= own[1] for node, thread, _ in every)

    def line_of_start(self, constant: int, store: int) -> int:
        """Return the line of a constant, or of the call in which it was set from the function of a store."""
        node, owners = self.origins.node(constant), self._machine.code.owners
        function = owners[self.origins.node(store).number]
        frames = (node.number, *node.sources)
        return self.line(next((each for each in frames if owners[each] is function), node.number))

    def way(self, store: int, most: int) -> list[Node]:
        """Return what led to a store, the earliest first. Raises GivesUpError for too many values."""
        found = self.origins.way(store, most)
        if len(found) > most:
            raise GivesUpError("many values")
        return found

    def terms(self, store: int) -> Sum:
        """Return the terms of a sum in their order, and what was added besides. Raises GivesUpError for another sum."""
        found: list[Added] = []
        value, besides, total = self.origins.node(store).value, 0.0, 0.0
        waiting, zeros, start = [Addend(store, 1.0, 0, -1, 0)], list[int](), 0
        for _ in range(MOST_ADDED):
            if not waiting:
                break
            part = self._located(waiting.pop())
            node = self._node(part.node)
            if constant := self._constant_of(self.origins.node(part.node)):
                start = start or constant
                besides += part.scale * self.value_of(constant) if node.kind in PRODUCTS else 0.0
            known = [each for each in node.sources[: 1 if node.kind in PASSES else None] if each]
            if node.kind in {*PASSES, "add"}:
                waiting += [self._below(part, node, each) for each in known]  # the last is looked at first
                besides += part.scale * self._beside(node, known)
            elif node.kind in PRODUCTS:
                waiting += [self._below(part, node, each) for each in node.sources[2:] if each]
                product = self.product_of(node)
                if scaled := self._scaled(node):
                    scale = product / self.value_of(scaled) if self.value_of(scaled) else 0.0
                    waiting.append(replace(self._below(part, node, scaled), scale=part.scale * scale))
                elif self.has_elements(node) or (product != 0 and self._has_element(node)):
                    found.append(self._joined(part, node))
                    total += part.scale * product
                else:  # beyond the edges of the matrices, tiles hold zeros
                    besides += part.scale * product
                    zeros += [len(found)] if product == 0 else []
            elif node.kind == LOAD and part.line:
                found.append(self._alone(node, part))
                total += part.scale * node.value
            else:
                raise GivesUpError(f"a sum with {node.kind}")
        if waiting or not is_same(total + besides, value, 1e-3):
            raise GivesUpError("other terms")
        in_order = [replace(each, term=replace(each.term, number=at)) for at, each in enumerate(found[::-1])]
        return Sum(in_order, besides, [len(found) - behind for behind in zeros], start)

    def _node(self, number: int) -> Node:
        return self._without_constants(self.origins.node(number))

    def _without_constants(self, node: Node) -> Node:
        """Return a node as if constants came from nowhere; addresses in `sources` are not looked at."""
        values = node.sources[: SOURCES.get(node.kind)]
        constant = {each for each in values if each and self.origins.node(each).kind == CONSTANT}
        if not constant:
            return node
        return replace(node, sources=tuple(0 if each in constant else each for each in node.sources))

    def _constant_of(self, node: Node) -> int:
        """Return the constant that a sum begins with at a node; 0 if it does not begin there."""
        summed = {**dict.fromkeys(PASSES, slice(0, 1)), "add": slice(0, 2), "fma": slice(2, 3), "mad": slice(2, 3)}
        sources = node.sources[summed.get(node.kind, slice(0, 0))]
        return next((each for each in sources if each and self.origins.node(each).kind == CONSTANT), 0)

    def _beside(self, node: Node, known: Sequence[int]) -> float:
        """Return what a node adds to the sources that are known."""
        if node.kind != "add":
            return 0.0 if known else node.value
        return node.value - self.value_of(known[0]) if len(known) == 1 else 0.0

    def _below(self, part: Addend, node: Node, source: int) -> Addend:
        line = self.line(node.number)
        way = part.way if node.kind != "add" or line in part.way[-1:] else (*part.way, line)
        return Addend(source, part.scale, part.joined, node.thread, line, way)

    def _summed(self, part: Addend, product: Node) -> int:
        """Return the last line on the way to a product that adds two sums; 0 where none does."""
        return next((line for line in reversed(part.way) if line != self.line(product.number)), 0)

    def _located(self, part: Addend) -> Addend:
        """Return the part of a sum with the line at which it came from another thread, if it did."""
        came = part.thread not in {-1, self.origins.node(part.node).thread}
        return replace(part, joined=part.line) if came else part

    def value_of(self, number: int) -> float:
        """Return the value of a node."""
        return self.origins.node(number).value

    def product_of(self, node: Node) -> float:
        """Return the value of a product; that of one with an unknown factor follows from the sum."""
        one, other, *rest = node.sources
        if one and other:
            return self.value_of(one) * self.value_of(other)
        return node.value - (self.value_of(rest[0]) if rest and rest[0] else 0.0)

    def _scaled(self, node: Node) -> int:
        """Return the sum that a product multiplies by a number; 0 for one of elements. Raises GivesUpError for sums."""
        ends = [self._end(each) for each in node.sources[:2] if each]
        if all(each.kind in {"add", "sub"} for each in ends) and len(ends) > 1:
            raise GivesUpError("a product of sums")
        return node.sources[0] or node.sources[1] if len(ends) == 1 and ends[0].kind not in ENDS else 0

    def has_elements(self, node: Node) -> bool:
        """Return whether a node is a product of two elements, which may be zero themselves."""
        return node.kind in PRODUCTS and all(each and self._end(each).kind == LOAD for each in node.sources[:2])

    def _has_element(self, node: Node) -> bool:
        return any(each and self._end(each).kind == LOAD for each in node.sources[:2])

    def _end(self, number: int) -> Node:
        *_, last = self._way(number)
        return last

    def _term(self, node: Node) -> Added:
        ways = [list(self._way(each)) for each in node.sources[:2] if each]
        if any(way[-1].kind not in ENDS for way in ways):
            raise GivesUpError("a computed factor")
        loaded = [way for way in ways if way[-1].kind == LOAD]
        loaded.sort(key=lambda way: self._factor(way).matrix)
        factors = [self._factor(way) for way in loaded]
        term = Term(0, tuple(factors), self.line(node.number), None)
        passes = tuple(
            (each.id, read.id)
            for way in loaded
            for read, each in pairwise(way)
            if (read.kind, each.kind) in {(READ, STORE), (SHUFFLE, LOAD)}
        )
        reads = tuple(next((each.id for each in way if each.kind == READ), 0) for way in loaded)
        return Added(term, tuple(way[-1].id for way in loaded), passes=passes, reads=reads, product=node.id)

    def _joined(self, part: Addend, node: Node) -> Added:
        return replace(self._term(node), joined=part.joined, summed=self._summed(part, node))

    def _alone(self, node: Node, part: Addend) -> Added:
        """Return the term that an element is which is added without another factor, in the last line of an addition."""
        term = Term(0, (self._factor([node]),), (*part.way[-1:], part.line)[0], None, is_alone=True)
        return Added(term, (node.id,), joined=part.joined)

    def _way(self, start: int) -> Iterator[Node]:
        """Yield the nodes from a factor back to its load, or to where it is computed."""
        number = start
        while number:
            node = self._node(number)
            yield node
            known = [each for each in node.sources if each]
            is_scaled = node.kind == "mul" and len(known) == 1
            number = known[0] if is_scaled else node.sources[0] if node.kind in PASSES else 0

    def _factor(self, way: Sequence[Node]) -> Factor:
        region = self._machine.memory.region(way[-1].sources[0])
        name = region.name if region else ""
        row, column = self._elements[name].element(way[-1].sources[0] & ((1 << WINDOW_BITS) - 1))
        stored = next((self.line(each.number) for each in way if each.kind == STORE), 0)
        read = next((self.line(each.number) for each in way if each.kind in {READ, SHUFFLE}), 0)
        return Factor("A" if name == "A" else "B", row, column, self.line(way[-1].number), stored, read)
