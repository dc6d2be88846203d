"""Races in a second launch, in which variables have their values from the first one, such as a flag that is still set.

Threads that wait for such a flag continue immediately, so that nothing orders them. The result may nevertheless be
correct: if both launches have the same inputs, the other block's data of the first launch are correct in the second.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from grader.ptxsim.checked.run import search_for_races
from grader.ptxsim.engine.session import initial_values
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.generate.layout import GLOBALS
from grader.ptxsim.records.traced import SecondLaunch

ORDERS = "reverse", "forward"  # the waiting blocks may be the first or the last ones

Relaunch = Callable[[str], bytes | None]  # repeats the launch in an order; returns None if it fails


def race_of_second_launch(simulator: Simulator, launch: Relaunch) -> SecondLaunch | None:
    """Return a race in a second launch; None without one.

    A kernel whose trace is incomplete is not launched again, because races between blocks could not be found.
    """
    kernel, trace, memory = simulator.kernel, simulator.trace, simulator.variables[GLOBALS]
    if trace is None or kernel.search.order is None or not kernel.search.order.by_memory or not trace.is_complete:
        return None
    if np.array_equal(memory, initial_values(kernel)[GLOBALS]):
        return None
    for order in ORDERS:
        simulator.restart()
        launch(order)
        if launch(order) is not None and (race := search_for_races(simulator).race):
            return SecondLaunch(race)
    return None
