"""The terms of a sum in C, found on the way back from its store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import isclose, isnan

from grader.model.scenes import Term
from grader.worker.replay.origins import CONSTANT, LOAD, PRODUCTS, Node
from grader.worker.replay.program import GivesUpError
from grader.worker.replay.traced_values import ENDS, PASSES, Added, TracedValues

MOST_ADDED = 1 << 14
# Those sources of a node that are parts of a sum.
SUMMED = {**dict.fromkeys(PASSES, slice(0, 1)), "add": slice(0, 2), "fma": slice(2, 3), "mad": slice(2, 3)}
NONE = slice(0, 0)


@dataclass(frozen=True, slots=True)
class Addend:
    """A part of a sum, its factor there, the thread and the line that add it, and all lines on the way to it.

    `joined` is the line at which it came from another thread; 0 if it did not.
    """

    node: int
    scale: float = 1.0
    joined: int = 0
    thread: int = -1
    line: int = 0
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


def sum_at(store: int, traced: TracedValues) -> Sum:
    """Return the terms of a sum in their order, and what was added besides. Raises GivesUpError for another sum."""
    walk = _Walk(traced, [Addend(store)])
    for _ in range(MOST_ADDED):
        if walk.waiting:
            walk.step()
    if walk.waiting or not is_same(walk.total + walk.besides, traced.value_of(store), 1e-3):
        raise GivesUpError("other terms")
    in_order = [replace(each, term=replace(each.term, number=at)) for at, each in enumerate(walk.found[::-1])]
    zeros = [(zero, len(walk.found) - behind) for zero, behind in walk.zeros[::-1]]
    return Sum(in_order, walk.besides, zeros, walk.start)


@dataclass(slots=True)
class _Walk:
    """What is known of a sum, the last term first, and the parts of it that are not looked at yet."""

    traced: TracedValues
    waiting: list[Addend]
    found: list[Added] = field(default_factory=list)
    zeros: list[tuple[int, int]] = field(default_factory=list)
    total: float = 0.0
    besides: float = 0.0
    start: int = 0

    def step(self) -> None:
        """Look at the part of the sum that was added last."""
        part = self._located(self.waiting.pop())
        node = self.traced.node(part.node)
        self._begin(part)
        if node.kind in {*PASSES, "add"}:
            self._add(part, node)
        elif node.kind in PRODUCTS:
            self._multiply(part, node)
        elif node.kind == LOAD and part.line:
            self.found.append(self._alone(node, part))
            self.total += part.scale * node.value
        else:
            raise GivesUpError(f"a sum with {node.kind}")

    def _located(self, part: Addend) -> Addend:
        """Return the part of a sum with the line at which it came from another thread, if it did."""
        came = part.thread not in {-1, self.traced.origins.node(part.node).thread}
        return replace(part, joined=part.line) if came else part

    def _begin(self, part: Addend) -> None:
        """Take note of the constant that a sum begins with at a node, if it begins there."""
        node = self.traced.origins.node(part.node)
        sources = [each for each in node.sources[SUMMED.get(node.kind, NONE)] if each]
        constant = next((each for each in sources if self.traced.origins.node(each).kind == CONSTANT), 0)
        self.start = self.start or constant
        if constant and node.kind in PRODUCTS:
            self.besides += part.scale * self.traced.value_of(constant)

    def _add(self, part: Addend, node: Node) -> None:
        known = [each for each in node.sources[SUMMED[node.kind]] if each]
        self.waiting += [self._below(part, node, each) for each in known]  # the last is looked at first
        self.besides += part.scale * self._beside(node, known)

    def _beside(self, node: Node, known: Sequence[int]) -> float:
        """Return what a node adds to the sources that are known."""
        if node.kind != "add":
            return 0.0 if known else node.value
        return node.value - self.traced.value_of(known[0]) if len(known) == 1 else 0.0

    def _multiply(self, part: Addend, node: Node) -> None:
        traced, product = self.traced, self.traced.value_of_product(node)
        self.waiting += [self._below(part, node, each) for each in node.sources[2:] if each]
        if scaled := self._scaled(node):
            scale = product / traced.value_of(scaled) if traced.value_of(scaled) else 0.0
            self.waiting.append(replace(self._below(part, node, scaled), scale=part.scale * scale))
        elif traced.has_elements(node) or (product != 0 and traced.has_element(node)):
            self.found.append(replace(traced.term(node), joined=part.joined, summed=self._summed(part, node)))
            self.total += part.scale * product
        else:  # beyond the edges of the matrices, tiles hold zeros
            self.besides += part.scale * product
            self.zeros += [(node.id, len(self.found))] if product == 0 else []

    def _scaled(self, node: Node) -> int:
        """Return the sum that a product multiplies by a number; 0 for one of elements. Raises GivesUpError for sums."""
        ends = [self.traced.end(each) for each in node.sources[:2] if each]
        if all(each.kind in {"add", "sub"} for each in ends) and len(ends) > 1:
            raise GivesUpError("a product of sums")
        return node.sources[0] or node.sources[1] if len(ends) == 1 and ends[0].kind not in ENDS else 0

    def _below(self, part: Addend, node: Node, source: int) -> Addend:
        line = self.traced.line_of(node.id)
        way = part.way if node.kind != "add" or line in part.way[-1:] else (*part.way, line)
        return Addend(source, part.scale, part.joined, node.thread, line, way)

    def _summed(self, part: Addend, product: Node) -> int:
        """Return the last line on the way to a product that adds two sums; 0 where none does."""
        return next((line for line in reversed(part.way) if line != self.traced.line_of(product.id)), 0)

    def _alone(self, node: Node, part: Addend) -> Added:
        """Return the term that an element is which is added without another factor, in the last line of an addition."""
        term = Term(0, (self.traced.factor([node]),), (*part.way[-1:], part.line)[0], None, is_alone=True)
        return Added(term, (node.id,), joined=part.joined)
