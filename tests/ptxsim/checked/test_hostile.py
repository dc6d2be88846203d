"""Traced launches of programs that once broke the simulator: the trace stays bounded, and can be analysed."""

from contextlib import suppress

import numpy as np
import pytest

from grader.ptxsim.checked.findings import races_found
from grader.ptxsim.checked.traced_launch import last_launch
from grader.ptxsim.checked.undefined import unset_found
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.engine.trace import Trace
from grader.ptxsim.records.lacks import PtxError
from grader.ptxsim.syntax.parser import parse
from tests.ptxsim.hostile import HOLES

MOST_EVENTS, GRID = 50, (3, 1, 1)


@pytest.mark.parametrize("text", HOLES, ids=range(len(HOLES)))
def test_any_trace_can_be_analysed(text: str):
    trace = Trace(MOST_EVENTS)
    buffers = {name: np.ones(100, np.float32) for name in "ABC"}
    with suppress(PtxError):
        simulator = Simulator(parse(text, "submission.cu"), "fuzzed", (64, 1, 1), trace=trace)
        simulator.launch(GRID, buffers, [*"ABC", 10], seconds=0.3, processors=1)
        launch = last_launch(simulator)
        assert len(launch.events) <= MOST_EVENTS
        assert len(races_found(launch).races) <= 3
        unset_found(launch)


def test_a_trace_without_room_leaves_events_out_and_says_so():
    trace = Trace(4)
    store = "mov.u32 %r8, %tid.x; st.global.u32 [%d2], %r8;"
    text = next(iter(HOLES)).partition("mov.u64 %d9")[0] + store * 4 + "\nret;\n}\n"
    buffers = {name: np.ones(100, np.float32) for name in "ABC"}
    Simulator(parse(text, "submission.cu"), "fuzzed", (32, 1, 1), trace=trace).launch(
        (1, 1, 1), buffers, [*"ABC", 10], processors=1
    )
    assert len(trace.events()) == 4
    assert not trace.is_complete
