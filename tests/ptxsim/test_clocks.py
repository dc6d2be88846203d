"""The time limit of a launch counts CPU time."""

import ctypes
import time
from collections.abc import Callable

from grader.ptxsim.engine.simulate import Form
from grader.ptxsim.engine.time_limit import Clocks, limited
from tests.ptxsim.programs import ROOT, ready


def stopped_after(work: Callable[[], None]) -> bool:
    """Whether a launch with a tenth of a second is stopped after this work."""
    stop = ctypes.c_int32(0)
    code = ready(ROOT / "reference" / "naive.cu").session(Form.QUICK).code
    with limited(stop, 0.1, Clocks(code), lambda: None):
        work()
    return bool(stop.value)


def compute() -> None:
    until = time.thread_time() + 0.5
    while time.thread_time() < until:
        pass


def test_a_launch_that_computes_too_long_is_stopped() -> None:
    assert stopped_after(compute)


def test_a_launch_that_waits_for_a_busy_machine_is_not_stopped() -> None:
    assert not stopped_after(lambda: time.sleep(0.5))
