"""Lanes that meet in different branches of random programs get what the PTX ISA says."""

import numpy as np
import pytest

from grader.ptxsim.engine.launch import ORDERS
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.generate.layout import Status
from grader.ptxsim.syntax.parser import parse
from tests.ptxsim.generate.random_branches import LANES, program

WARPS = 2


@pytest.mark.parametrize("seed", range(20))
def test_lanes_meet_wherever_they_execute_the_same_operation(seed: int) -> None:
    text, wanted = program(seed)
    result = np.zeros(WARPS * LANES, np.uint32)
    simulator = Simulator(parse(text), "k", (WARPS * LANES, 1, 1))
    order = list(ORDERS)[seed % len(ORDERS)]
    ran = simulator.launch((1, 1, 1), {"A": result}, ["A"], order=order, processors=1)
    assert ran.status is Status.DONE, ran.fault
    assert result.tolist() == WARPS * wanted, text
