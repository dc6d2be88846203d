"""Flags that stay up for the next launch."""

from grader.model import Verdict
from tests.corpus import named
from tests.ptxsim.checked.test_run import checked


def test_a_flag_that_stays_up_for_the_next_launch_is_a_race():
    fault = checked(named("wrong/flag_not_lowered"))
    assert fault.verdict is Verdict.DATA_RACE
    assert fault.sentence.startswith("In a second launch, __device__ variables still have the values of the first.")
    assert "its first value again before the kernel ends" in fault.hint
    assert len(fault.accesses) == 2
