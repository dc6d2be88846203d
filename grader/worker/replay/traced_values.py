"""A launch that has been replayed: where the values of its threads come from, down to elements of A and B."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from grader.model import Interface, Shape
from grader.model.matrices import MATRICES
from grader.model.scenes import Factor, Term
from grader.worker.replay.machine import LockstepMachine
from grader.worker.replay.memory import WINDOW_BITS
from grader.worker.replay.origins import CONSTANT, CONVERTED, LOAD, PRODUCTS, READ, SHUFFLE, SOURCES, STORE, Node
from grader.worker.replay.program import GivesUpError
from grader.worker.replay.spots import Axes, axes_of
from grader.worker.replay.stores import ElementPlaces, StoredElements
from grader.worker.replay.threads import SoughtAccess

MOST_PRODUCTS = 1 << 12
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


class TracedValues:
    """The values of a launch, by the numbers of their nodes."""

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

    def block_of(self, thread: int) -> tuple[int, int]:
        """Return the first and the last thread of the block of a thread."""
        first = thread - thread % self.stores.per_block
        return first, first + self.stores.per_block - 1

    def thread_of(self, thread: int) -> Axes:
        """Return the number of a thread in its block."""
        return axes_of(self._machine, thread)

    def line_of(self, node: int) -> int:
        """Return the line of the instruction that made a node; 0 for none."""
        return self._machine.code.instructions[self.origins.node(node).number].line if node else 0

    def line_of_start(self, constant: int, store: int) -> int:
        """Return the line of a constant, or of the call in which it was set from the function of a store."""
        node, code = self.origins.node(constant), self._machine.code
        function = code.owners[self.origins.node(store).number]
        frames = (node.number, *node.sources)
        return code.instructions[next((each for each in frames if code.owners[each] is function), node.number)].line

    def value_of(self, number: int) -> float:
        """Return the value of a node."""
        return self.origins.node(number).value

    def way(self, store: int, most: int) -> list[Node]:
        """Return what led to a store, the earliest first. Raises GivesUpError for too many values."""
        found = self.origins.way(store, most)
        if len(found) > most:
            raise GivesUpError("many values")
        return found

    def node(self, number: int) -> Node:
        """Return a node as if constants came from nowhere; addresses in `sources` are not looked at."""
        node = self.origins.node(number)
        values = node.sources[: SOURCES.get(node.kind)]
        constant = {each for each in values if each and self.origins.node(each).kind == CONSTANT}
        if not constant:
            return node
        return replace(node, sources=tuple(0 if each in constant else each for each in node.sources))

    def is_loaded(self, term: Term, row: int, column: int, thread: int) -> bool:
        """Return whether the elements that belong in a term are loaded: by its block, if it reads what others load."""
        is_read = any(each.read for each in term.factors)
        loaded = self.origins.loaded(*(self.block_of(thread) if is_read else (thread, thread)))
        return {self._address(*place) for place in belonging(row, term.k, column)} <= loaded

    def product(self, row: int, k: int, column: int, threads: tuple[int, int]) -> Node | None:
        """Return the first product of these elements by one of these threads; None if there is none."""
        wanted = belonging(row, k, column)
        for each in islice(self.origins.of_kinds(PRODUCTS, *threads), MOST_PRODUCTS):
            node = self.node(each.id)
            if self.has_elements(node) and places_of(self.term(node).term.factors) == wanted:
                return node
        return None

    def line_of_taken(self, matrix: str, row: int, column: int, product: int) -> int:
        """Return the line in which the thread of a product has last read an element before; 0 where it has not."""
        address, thread, line = self._address(matrix, row, column), self.origins.node(product).thread, 0
        for node in self.origins.of_kinds({READ, LOAD}, thread, thread):
            if node.id >= product:
                break
            end = self.end(node.id)
            if end.kind == LOAD and end.sources[0] == address:
                line = self.line_of(node.id)
        return line

    def others_go_on(self, source: int, first: int, last: int) -> bool:
        """Return whether its block has stored to shared memory between two reads of a node, or run its load again."""
        own, origins = self.block_of(self.origins.node(first).thread), self.origins
        if self.origins.node(source).kind == LOAD:
            return any(first < each.id < last and each.number == self.origins.node(source).number
                       for each in origins.of_kinds({LOAD}, *own))  # fmt: skip
        region = self._machine.memory.region(self._machine.memory.bases["shared"])
        every = origins.stores(region.base, region.size) if region else ()
        return any(first < node < last and own[0] <= thread <= own[1] for node, thread, _ in every)

    def store_of_zero(self, product: int) -> int:
        """Return the node of the store from which a product has a zero; 0 without one."""
        zeros = [each for each in self.origins.node(product).sources[:2] if each and self.value_of(each) == 0]
        return next((end.id for end in map(self.end, zeros) if end.kind == STORE), 0)

    def store_beside(self, number: int) -> Node | None:
        """Return a store by another instruction to the same shared array, by a thread of the same block."""
        own, memory = self.origins.node(number), self._machine.memory
        base, last = memory.bases["shared"], own.sources[1]
        start = base + memory.symbol_at("shared", last - base)[1]
        first, behind = self.block_of(own.thread)
        every = (self.origins.node(each) for each, thread, _ in self.origins.stores(start, memory.size_of(start))
                 if first <= thread <= behind)  # fmt: skip
        return next((each for each in every if each.number != own.number), None)

    def value_of_product(self, node: Node) -> float:
        """Return the value of a product; that of one with an unknown factor follows from the sum."""
        one, other, *rest = node.sources
        if one and other:
            return self.value_of(one) * self.value_of(other)
        return node.value - (self.value_of(rest[0]) if rest and rest[0] else 0.0)

    def has_elements(self, node: Node) -> bool:
        """Return whether a node is a product of two elements, which may be zero themselves."""
        return node.kind in PRODUCTS and all(each and self.end(each).kind == LOAD for each in node.sources[:2])

    def has_element(self, node: Node) -> bool:
        """Return whether a factor of a product is an element."""
        return any(each and self.end(each).kind == LOAD for each in node.sources[:2])

    def term(self, node: Node) -> Added:
        """Return a product as a term, whose place in a sum is not known. Raises GivesUpError for a computed factor."""
        ways = [list(self._way(each)) for each in node.sources[:2] if each]
        if any(way[-1].kind not in ENDS for way in ways):
            raise GivesUpError("a computed factor")
        loaded = [way for way in ways if way[-1].kind == LOAD]
        loaded.sort(key=lambda way: self.factor(way).matrix)
        factors = [self.factor(way) for way in loaded]
        term = Term(0, tuple(factors), self.line_of(node.id), None)
        passes = tuple(
            (each.id, read.id)
            for way in loaded
            for read, each in pairwise(way)
            if (read.kind, each.kind) in {(READ, STORE), (SHUFFLE, LOAD)}
        )
        reads = tuple(next((each.id for each in way if each.kind == READ), 0) for way in loaded)
        return Added(term, tuple(way[-1].id for way in loaded), passes=passes, reads=reads, product=node.id)

    def factor(self, way: Sequence[Node]) -> Factor:
        """Return the element at the end of the way back from a factor."""
        region = self._machine.memory.region(way[-1].sources[0])
        name = region.name if region else ""
        row, column = self._elements[name].element(way[-1].sources[0] & ((1 << WINDOW_BITS) - 1))
        stored = next((self.line_of(each.id) for each in way if each.kind == STORE), 0)
        read = next((self.line_of(each.id) for each in way if each.kind in {READ, SHUFFLE}), 0)
        return Factor("A" if name == "A" else "B", row, column, self.line_of(way[-1].id), stored, read)

    def end(self, number: int) -> Node:
        """Return the load of a factor, or where it is computed."""
        *_, last = self._way(number)
        return last

    def _way(self, start: int) -> Iterator[Node]:
        """Yield the nodes from a factor back to its load, or to where it is computed."""
        number = start
        while number:
            node = self.node(number)
            yield node
            known = [each for each in node.sources if each]
            is_scaled = node.kind == "mul" and len(known) == 1
            number = known[0] if is_scaled else node.sources[0] if node.kind in PASSES else 0
