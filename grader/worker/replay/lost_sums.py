"""Sums that are no list of terms: changed on their way, or left in another thread."""

from __future__ import annotations

from dataclasses import replace

from grader.model.scenes import Narrowing, Story
from grader.worker.replay.origins import CONVERTED, Node
from grader.worker.replay.sums import Sums, is_same

MOST_VALUES = 1 << 12
DIGITS = 7, 12, 17  # the first that show a change
ROUNDING = 1e-4  # of one step


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
    pairs = [(f"{before:.{digits}g}", f"{after:.{digits}g}") for digits in DIGITS]
    return Narrowing(sums.line(node.number), kind, *next((pair for pair in pairs if pair[0] != pair[1]), pairs[-1]))


def in_other_thread(sums: Sums, begun: Story, store: int) -> Story | None:
    """Return the story of an element for which another thread of the warp had the right sum at the same time."""
    right = sums.right_in_warp(store, sums.expected(begun.row, begun.column, begun.total))
    return replace(begun, right_in=right) if right else None
