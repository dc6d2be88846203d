"""Arrivals at a barrier that may belong to the previous phase: then chance decides which threads wait for which.

A barrier opens when the expected number of threads has arrived, no matter which (PTX ISA, "bar, barrier"). An arrival
certainly belongs to a phase only if the end of the previous phase happens before it: its warp has waited there, or has
synchronised with a thread that knows of the end. That needs no fence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grader.ptxsim.checked.accesses import Integers, Mask


@dataclass(frozen=True, slots=True)
class Arrival:
    """The arrival of lanes of a warp at a barrier in an event; `waits` is false for bar.arrive."""

    warp: int
    lanes: Mask
    event: int
    waits: bool


@dataclass(frozen=True, slots=True)
class EarlyArrival:
    """An arrival, and one of the previous phase that may come after it; `expected` threads open the barrier.

    `again`: in the previous phase, a warp arrived without waiting, and arrived once more.
    """

    number: int
    expected: int
    arrival: Arrival
    before: Arrival
    again: bool


def early_arrival(
    number: int, expected: int, arrival: Arrival, known: Integers, ended: Sequence[Arrival]
) -> EarlyArrival | None:
    """Return the fault of an arrival; None without one. `ended` are the arrivals of the previous phase.

    `known` has, for each warp of the launch, the event up to which it happens before the arrival.
    """
    others = [own for own in ended if own.warp != arrival.warp]
    again = len({(own.warp, own.lanes.tobytes()) for own in others}) < len(ended)
    for before in others:
        if known[before.warp] <= before.event:
            return EarlyArrival(number, expected, arrival, before, again)
    return None
