"""The names of CUDA's headers for halves, pairs of halves and bfloat16 numbers, on values that are exact."""

from pathlib import Path

import numpy as np
import pytest

from tests.ptxsim.on_simulator import run

UNUSED = np.zeros(1, np.float32)


@pytest.mark.parametrize("order", ["forward", "reverse"])
def test_the_names_mean_what_cuda_says(order: str, tmp_path: Path):
    outcome = run("half_names", tmp_path, np.zeros(32, np.float32), UNUSED, np.zeros(32, np.float32), order=order)
    assert outcome.fault is None
    assert outcome.C.all()
