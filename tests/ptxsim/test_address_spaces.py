"""Which memory a generic pointer leads to."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.ptxsim.programs import run

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")

QUESTIONS = """
__device__ int variable;
__constant__ int constant = 3;
extern "C" __global__ void k(int *A, int *C) {
    __shared__ int tile[32];
    int own[2] = {C[0], C[1]};
    const void *pointers[6] = {A, tile, own, &variable, &constant, own + 1};
    const void *p = pointers[(WHICH) % 6];
    C[threadIdx.x] = !!__isGlobal(p) | !!__isShared(p) << 1 | !!__isLocal(p) << 2 | !!__isConstant(p) << 3;
}
"""
GLOBAL, SHARED, LOCAL, CONSTANT = 1, 2, 4, 8
ANSWERS = [GLOBAL, SHARED, LOCAL, GLOBAL, CONSTANT, LOCAL]


def answers(which: str, folder: Path, number: int = 0) -> list[int]:
    result = np.zeros(32, np.int32)
    given: dict[str, NDArray[np.generic]] = {"A": np.full(1, number, np.int32), "C": result}
    assert run(QUESTIONS.replace("WHICH", which), folder, given, ["A", "C"]).fault is None
    return [int(answer) for answer in result]


def test_each_lane_learns_the_space_of_its_own_pointer(tmp_path: Path) -> None:
    assert answers("threadIdx.x", tmp_path) == [ANSWERS[lane % 6] for lane in range(32)]


@pytest.mark.parametrize("number", range(6))
def test_all_lanes_learn_the_space_of_their_common_pointer(number: int, tmp_path: Path) -> None:
    assert answers("A[0]", tmp_path, number) == [ANSWERS[number]] * 32
