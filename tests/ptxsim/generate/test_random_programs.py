"""Random programs give on the simulator what numpy computes."""

import numpy as np
import pytest

from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.generate.layout import Status
from grader.ptxsim.syntax.parser import parse
from tests.ptxsim.generate.random_programs import THREADS, program


@pytest.mark.parametrize("seed", range(60))
def test_a_random_program_computes_what_numpy_does(seed: int) -> None:
    words = np.random.default_rng(seed).integers(0, 1 << 32, THREADS, np.uint32)
    text, wanted = program(seed, words)
    result = np.zeros(THREADS, np.uint32)
    simulator = Simulator(parse(text), "k", (16, 4, 1))
    ran = simulator.launch((1, 1, 1), {"A": words, "B": result}, ["A", "B"], processors=1)
    assert ran.status is Status.DONE, ran.fault
    assert np.array_equal(result, wanted), text
