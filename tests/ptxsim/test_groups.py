"""Cooperative groups on the simulator, up to a block."""

from pathlib import Path

import numpy as np
import pytest

from tests.ptxsim.on_simulator import run

UNUSED = np.zeros(1, np.float32)


@pytest.mark.parametrize("order", ["forward", "reverse"])
def test_groups_of_a_block_and_of_a_warp_answer_as_on_a_gpu(order: str, tmp_path: Path) -> None:
    outcome = run("groups", tmp_path, UNUSED, UNUSED, np.zeros(64, np.float32), block=64, order=order)
    assert outcome.fault is None
    assert outcome.C.all()
