"""The sums in C of a launch that has been replayed: their terms, and where each factor came from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isclose, isnan

from grader.model import Interface, Shape
from grader.model.matrices import MATRICES
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
from grader.worker.replay.spots import Axes, axes_of
from grader.worker.replay.stores import ElementPlaces, StoredElements
from grader.worker.replay.threads import SoughtAccess

MOST_ADDED, MOST_PRODUCTS = 1 << 14, 1 << 12
PASSES = frozenset({STORE, READ, SHUFFLE, CONVERTED})  # a value on its way
ENDS = frozenset({LOAD, *PASSES})  # where the way back from a factor ends: at an element, or at what was stored


Place = tuple[str, int, int]
"""A matrix, and row and column of an element."""


def belonging(row: int, k: int | None, column: int) -> set[Place]:
    """Return the elements whose product belongs in the sum of an element for a k, which is known by then."""
    return {("A", row, k or 0), ("B", k or 0, column)}


def places_of(factors: Iterable[Factor]) -> set[Place]:
    """Return the elements that are factors."""
    return {(each.matrix, each.row, each.column) for each in factors}


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

    def misplaced(self, row: int, column: int) -> tuple[int, int]:
        """Return the nodes of the load and the read of the first factor that does not belong there; zeros for none."""
        right, reads = belonging(row, self.term.k, column), self.reads or (0,) * len(self.loads)
        ways = zip(self.term.factors, self.loads, reads, strict=True)
        return next(((load, read) for each, load, read in ways if not places_of([each]) <= right), (0, 0))


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
    """The terms of a sum, what is added besides, and for each product with a zero its node and how many come before.

    `start` is the node of the constant that the sum began with; 0 if it began with none.
    """

    terms: list[Added]
    besides: float
    zeros: list[tuple[int, int]]
    start: int = 0


def is_same(one: float, other: float, rounding: float) -> bool:
    """Return whether two sums are the same but for rounding."""
    return (isnan(one) and isnan(other)) or isclose(one, other, rel_tol=rounding, abs_tol=1e-3)


class Sums:
    """The sums in C of a launch that has been replayed."""

    def __init__(self, machine: LockstepMachine, interface: Interface, shape: Shape) -> None:
        self._machine, self.origins = machine, machine.origins
        self._elements = {name: ElementPlaces(name, interface, shape) for name in MATRICES}
        self.stores = StoredElements(machine, self._elements["C"])

    def access(self, number: int) -> SoughtAccess:
        """Return the access that made a node."""
        node = self.origins.node(number)
        address = node.sources[0 if node.kind == LOAD else 1]
        return SoughtAccess(node.thread, self.line_of(number), address, self.origins.earlier(node))

    def _address(self, matrix: str, row: int, column: int) -> int:
        return self._machine.memory.named(matrix).base + self._elements[matrix].offset(row, column)

    def is_loaded(self, term: Term, row: int, column: int, thread: int) -> bool:
        """Return whether the elements that belong in a term are loaded: by its block, if it reads what others load."""
        is_read = any(each.read for each in term.factors)
        loaded = self.origins.loaded(*(self.block_of(thread) if is_read else (thread, thread)))
        return {self._address(*place) for place in belonging(row, term.k, column)} <= loaded

    def block_of(self, thread: int) -> tuple[int, int]:
        """Return the first and the last thread of the block of a thread."""
        first = thread - thread % self.stores.per_block
        return first, first + self.stores.per_block - 1

    def product(self, row: int, k: int, column: int, threads: tuple[int, int]) -> Node | None:
        """Return the first product of these elements by one of these threads; None if there is none."""
        wanted = belonging(row, k, column)
        for number, node in enumerate(map(self._without_constants, self.origins.of_kinds(PRODUCTS, *threads))):
            if number >= MOST_PRODUCTS:
                break
            if self.has_elements(node) and places_of(self._term(node).term.factors) == wanted:
                return node
        return None

    def line_of_taken(self, matrix: str, row: int, column: int, product: int) -> int:
        """Return the line in which the thread of a product has last read an element before; 0 where it has not."""
        address, thread, line = self._address(matrix, row, column), self.origins.node(product).thread, 0
        for node in self.origins.of_kinds({READ, LOAD}, thread, thread):
            if node.id >= product:
                break
            end = self._end(node.id)
            if end.kind == LOAD and end.sources[0] == address:
                line = self.line_of(node.id)
        return line

    def thread_of(self, thread: int) -> Axes:
        """Return the number of a thread in its block."""
        return axes_of(self._machine, thread)

    def _line(self, number: int) -> int:
        return self._machine.code.instructions[number].line

    def line_of(self, node: int) -> int:
        """Return the line of the instruction that made a node; 0 for none."""
        return self._line(self.origins.node(node).number) if node else 0

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
        return self._line(next((each for each in frames if owners[each] is function), node.number))

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
        waiting, zeros, start = [Addend(store, 1.0, 0, -1, 0)], list[tuple[int, int]](), 0
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
                    zeros += [(node.id, len(found))] if product == 0 else []
            elif node.kind == LOAD and part.line:
                found.append(self._alone(node, part))
                total += part.scale * node.value
            else:
                raise GivesUpError(f"a sum with {node.kind}")
        if waiting or not is_same(total + besides, value, 1e-3):
            raise GivesUpError("other terms")
        in_order = [replace(each, term=replace(each.term, number=at)) for at, each in enumerate(found[::-1])]
        return Sum(in_order, besides, [(zero, len(found) - behind) for zero, behind in zeros[::-1]], start)

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
        line = self._line(node.number)
        way = part.way if node.kind != "add" or line in part.way[-1:] else (*part.way, line)
        return Addend(source, part.scale, part.joined, node.thread, line, way)

    def _summed(self, part: Addend, product: Node) -> int:
        """Return the last line on the way to a product that adds two sums; 0 where none does."""
        return next((line for line in reversed(part.way) if line != self._line(product.number)), 0)

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

    def store_of_zero(self, product: int) -> int:
        """Return the node of the store from which a product has a zero; 0 without one."""
        zeros = [each for each in self.origins.node(product).sources[:2] if each and self.value_of(each) == 0]
        return next((end.id for end in map(self._end, zeros) if end.kind == STORE), 0)

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
        term = Term(0, tuple(factors), self._line(node.number), None)
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
        stored = next((self._line(each.number) for each in way if each.kind == STORE), 0)
        read = next((self._line(each.number) for each in way if each.kind in {READ, SHUFFLE}), 0)
        return Factor("A" if name == "A" else "B", row, column, self._line(way[-1].number), stored, read)
