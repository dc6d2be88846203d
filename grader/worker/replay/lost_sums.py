"""Sums that are no list of terms: changed on their way, counted by factors, or left in another thread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from grader.model.scenes import Narrowing, Story
from grader.worker.replay.origins import CONSTANT, CONVERTED, LOAD, PRODUCTS, Node
from grader.worker.replay.program import GivesUpError
from grader.worker.replay.sums import PASSES, Sums, is_same

MOST_VALUES = 1 << 12
MORE_THAN_ONCE = 1.5
ROUNDING = 1e-4  # of one step
Weights = Mapping[int, float]  # how often a sum has each product


def narrowed(sums: Sums, begun: Story, store: int, own_types: frozenset[str]) -> Story | None:
    """Return the story of a sum on whose way a value was converted to a type that cannot hold it."""
    for each in sums.way(store, MOST_VALUES):
        kind = sums.shorter_type(each)
        if each.kind == CONVERTED and kind not in own_types:
            return replace(begun, narrowing=_change(sums, each, sums.value_of(each.sources[0]), each.value, kind))
    return None


def changed(sums: Sums, begun: Story, store: int) -> Story | None:
    """Return the story of a sum on whose way a value was changed by anything but additions and products of elements."""
    for each in sums.way(store, MOST_VALUES):
        before, after = sums.change(each)
        if not is_same(before, after, ROUNDING):
            return replace(begun, narrowing=_change(sums, each, before, after))
    return None


def _change(sums: Sums, node: Node, before: float, after: float, kind: str = "") -> Narrowing:
    return Narrowing(sums.line(node.number), kind, f"{before:.7g}", f"{after:.7g}")


def counted(sums: Sums, begun: Story, store: int) -> Story | None:
    """Return the story of a sum that contains a product more than once, with the first line that made it so."""
    weights: dict[int, Weights] = {0: {}}
    line, product = 0, 0
    for each in sums.way(store, MOST_VALUES):
        weights[each.id] = _weights(each, weights, sums)
        more = next((key for key, weight in weights[each.id].items() if abs(weight) > MORE_THAN_ONCE), 0)
        if more and not line:
            line, product = sums.line(each.number), more
    if not line or abs(weights[store].get(product, 0.0) - 1) < MORE_THAN_ONCE - 1:
        return None
    term = sums.term_of(product)
    at = replace(term, line=line)
    return (
        replace(begun, twice=(term.k, term.k, 1), terms=(term, at), count=begun.total) if term.k is not None else None
    )


def _weights(node: Node, known: Mapping[int, Weights], sums: Sums) -> Weights:
    """Return how often a value has each product. Raises GivesUpError for what is no sum of products."""
    if sums.has_elements(node):
        return _added(known.get(node.sources[2], {}) if len(node.sources) > 2 else {}, {node.id: 1.0}, 1.0)  # noqa: PLR2004
    if node.kind in {LOAD, CONSTANT}:
        return {}
    first, *rest = (known.get(each, {}) for each in node.sources[:2])
    if node.kind in {*PASSES, "add"}:
        return _added(first, rest[0], 1.0) if rest and node.kind == "add" else first
    if node.kind == "sub":
        return _added(first, rest[0], -1.0)
    if node.kind == "neg":
        return _added({}, first, -1.0)
    if not any((first, *rest)) and (node.kind not in PRODUCTS or len(node.sources) == 2):  # noqa: PLR2004
        return {}
    raise GivesUpError(f"a sum with {node.kind}")


def _added(one: Weights, other: Weights, factor: float) -> Weights:
    return {each: one.get(each, 0.0) + factor * other.get(each, 0.0) for each in {*one, *other}}


def in_other_thread(sums: Sums, begun: Story, store: int) -> Story | None:
    """Return the story of an element for which another thread of the warp had the right sum at the same time."""
    right = sums.right_in_warp(store, sums.expected(begun.row, begun.column, begun.total))
    return replace(begun, right_in=right) if right else None
