"""Races in a second launch, in which variables have their values from the first one, such as a flag that is still set.

Threads that wait for such a flag continue immediately, so that nothing orders them. The result may nevertheless be
correct: if both launches have the same inputs, the other block's data of the first launch are correct in the second.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

import numpy as np

from grader.ptxsim.checked.accesses import Mask
from grader.ptxsim.checked.findings import left_over_found
from grader.ptxsim.checked.repeated import MOST, Contents, kept_launch
from grader.ptxsim.checked.run import search_for_races
from grader.ptxsim.checked.traced_launch import TracedLaunch
from grader.ptxsim.checked.unset import left_over
from grader.ptxsim.engine.session import initial_values
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.engine.trace import Events
from grader.ptxsim.generate.layout import GLOBALS
from grader.ptxsim.generate.traces import Event, How
from grader.ptxsim.records.races import AnyRace
from grader.ptxsim.records.traced import LeftOver, SecondLaunch

ORDERS = "reverse", "forward"  # the waiting blocks may be the first or the last ones

Relaunch = Callable[[str], bytes | None]  # repeats the launch in an order; returns None if it fails


@dataclass(frozen=True, slots=True)
class _Launches:
    """Repeats a launch in one order, and searches each for races."""

    simulator: Simulator
    order: str
    launch: Relaunch

    def race(self) -> AnyRace | None:
        """Launch with the current values of variables. Return the race; None without one or if the launch fails."""
        return search_for_races(self.simulator).race if self.launch(self.order) is not None else None

    def has_no_race(self) -> bool:
        """Launch with the current values of variables. Return whether the launch ends without a race."""
        return self.launch(self.order) is not None and not search_for_races(self.simulator).race


def race_of_second_launch(simulator: Simulator, launch: Relaunch) -> SecondLaunch | AnyRace | None:
    """Return a race in a second launch; None without one.

    If one variable causes the race, the record names it: with its initial value, there is no race. A kernel whose trace
    is incomplete is not launched again, because races between blocks could not be found.
    """
    kernel, trace, memory = simulator.kernel, simulator.trace, simulator.variables[GLOBALS]
    if trace is None or kernel.search.order is None or not kernel.search.order.by_memory or not trace.is_complete:
        return None
    first = initial_values(kernel)[GLOBALS]
    if np.array_equal(memory, first):
        return None
    for order in ORDERS:
        simulator.restart()
        launch(order)
        contents, launches = Contents(kernel, memory, first, memory.copy()), _Launches(simulator, order, launch)
        earlier = kept_launch(simulator)
        if race := launches.race():
            return _with_cause(race, launches, contents, earlier)
    return None


def _with_cause(
    race: AnyRace, launches: _Launches, contents: Contents, earlier: TracedLaunch
) -> SecondLaunch | AnyRace:
    """Add the cause to a race. A race that also occurs with the initial values of variables is returned unchanged."""
    if cause := _cause(launches, contents, earlier):
        return SecondLaunch(race, cause)
    contents.memory[:] = contents.first
    return SecondLaunch(race, None) if launches.has_no_race() else race


def _cause(launches: _Launches, contents: Contents, earlier: TracedLaunch) -> LeftOver | None:
    """Return the use of a variable whose old value causes the race: with its initial value, there is none.

    Writes that set a flag or a counter are preferred to atomics that wait for it and add nothing.
    """
    last = kept_launch(launches.simulator)
    variables = np.array(sorted(address for _, address in contents.kernel.variables), np.int64)
    raising = earlier.with_events(earlier.events[_raises(earlier.events)])
    waiting = last.with_events(last.events[_may_wait(last.events)])
    for before, after in ((raising, waiting), (earlier, last)):
        for use in islice(left_over(before.events, after.events, variables), MOST):
            contents.reset(use)
            if launches.has_no_race():
                return left_over_found(before, after, use)
    return None


def _raises(events: Events) -> Mask:
    return np.asarray(events["how"] & (How.PUBLISHES | How.ACQUIRES) == How.PUBLISHES)


def _may_wait(events: Events) -> Mask:
    return np.asarray((events["how"] & How.ACQUIRES != 0) | (events["kind"] == Event.WRITE))
