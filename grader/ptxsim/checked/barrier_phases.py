"""Arrivals at a barrier that may belong to the phase before: then it depends on chance for whom its threads wait.

A barrier opens when so many threads have arrived, no matter which (PTX ISA, "bar, barrier"). An arrival surely belongs
to a phase only if its warp knows that the phase before has ended: because it has waited there itself, or because
something else has told it. No fence is needed for that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grader.ptxsim.checked.accesses import Integers, Mask


@dataclass(frozen=True, slots=True)
class Arrival:
    """Some lanes of a warp of the launch arrive at a barrier in an event; `waits` says whether they wait there."""

    warp: int
    lanes: Mask
    event: int
    waits: bool


@dataclass(frozen=True, slots=True)
class Stray:
    """An arrival, and one of the phase before, which may come later; `expected` threads open the barrier.

    `again` says that a warp has arrived in the phase before, has not waited and has arrived once more.
    """

    number: int
    expected: int
    arrival: Arrival
    before: Arrival
    again: bool


def stray(number: int, expected: int, arrival: Arrival, known: Integers, ended: Sequence[Arrival]) -> Stray | None:
    """Return the fault of an arrival after a phase with the arrivals `ended`.

    `known` says of each warp of the launch up to which event the arriving one knows it.
    """
    others = [own for own in ended if own.warp != arrival.warp]
    again = len({(own.warp, own.lanes.tobytes()) for own in others}) < len(ended)
    for before in others:
        if known[before.warp] <= before.event:
            return Stray(number, expected, arrival, before, again)
    return None
