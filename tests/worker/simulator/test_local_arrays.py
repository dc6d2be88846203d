"""Local arrays whose index is known only when the kernel runs: the same element in all lanes, or one for each."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.worker.simulator.programs import run

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")

LANES = np.arange(32)
INDEXED = """
extern "C" __global__ void k(double *C, const int *at) {
    TYPE words[8];
    for (int i = 0; i < 8; ++i)
        words[i] = 100 * i + threadIdx.x;
    int place = at[threadIdx.x];
    if (threadIdx.x % 3)
        words[place] += 7;
    C[threadIdx.x] = words[place] + words[7 - place];
}
"""


@pytest.mark.parametrize("places", [np.full(32, 5), LANES % 8, np.where(LANES % 3, 2, 6)], ids=["one", "own", "two"])
@pytest.mark.parametrize("type_", ["double", "float", "long long", "short"])
def test_each_lane_has_its_own_elements(type_: str, places: np.ndarray, tmp_path: Path) -> None:
    result, at = np.zeros(32), places.astype(np.int32)
    ran = run(INDEXED.replace("TYPE", type_), tmp_path, {"C": result, "at": at}, ["C", "at"], block=32)
    assert ran.fault is None
    assert np.array_equal(result, 700 + 2 * LANES + np.where(LANES % 3, 7, 0))
