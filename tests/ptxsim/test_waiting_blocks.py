"""Blocks and warps that wait for each other through memory. Submissions have grids that wait."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from grader.ptxsim.generate.layout import FaultKind
from tests.ptxsim.programs import run

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")

ORDERS = ["forward", "reverse"]
FLAG = """
extern "C" __global__ void k(volatile int *C) {  // each block waits for the one behind it
    if (threadIdx.x == 0) {
        if (blockIdx.x + 1 < gridDim.x) while (C[blockIdx.x + 1] == 0) ;
        C[blockIdx.x] = blockIdx.x + 100;
    }
}
"""
NEIGHBOURS = """
extern "C" __global__ void k(volatile int *C) {  // each block waits until the ninth behind it has started
    if (threadIdx.x == 0) {
        C[blockIdx.x] = 1;
        if (blockIdx.x + 9 < gridDim.x) while (C[blockIdx.x + 9] == 0) ;
    }
}
"""
UNIFORM_FLAG = """
extern "C" __global__ void k(volatile int *C) {  // all threads of a warp wait for another warp
    if (threadIdx.x < 32) while (C[0] == 0) ;
    if (threadIdx.x == 255) C[0] = 1;
    C[threadIdx.x + 1] = 7;
}
"""

AWAITED = {
    "a flag of a later block": (FLAG, 64, 9, np.arange(9) + 100),
    "a block that starts when another has ended": (NEIGHBOURS, 1024, 300, np.ones(300)),  # a GPU holds 264
    "a flag of another warp": (UNIFORM_FLAG, 256, 1, np.r_[1, np.full(256, 7)]),
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("what", AWAITED)
def test_threads_wait_for(what: str, order: str, tmp_path: Path) -> None:
    source, block, blocks, wanted = AWAITED[what]
    result = np.zeros(wanted.size, np.int32)
    assert run(source, tmp_path, {"C": result}, ["C"], block=block, blocks=blocks, order=order).exact
    assert np.array_equal(result, wanted)


ALL, ONE = "true", "threadIdx.x == 3"  # lanes of a warp that wait
WAITS_WITHOUT_END = """
DECLARED
extern "C" __global__ void k(int *C) {
    __shared__ volatile int s[8];
    s[threadIdx.x % 8] = 0;
    __syncthreads();
    while (MASK && (WAITS)) ;
    C[threadIdx.x] = 1;
}
"""


@pytest.mark.parametrize(
    ("mask", "declared", "waits", "space", "buffer", "offset"),
    [
        (ALL, "__device__ volatile int flag;", "flag == 0", "variable", "flag", 0),
        (ONE, "__device__ volatile int flags[64];", "flags[blockIdx.x + 3] == 0", "variable", "flags", 12),
        (ALL, "", "s[blockIdx.x + 2] == 0", "shared", "s", 8),
        (ONE, "", "s[blockIdx.x + 2] == 0", "shared", "s", 8),
        (ONE, "__device__ int locks[2] = {1, 1};", "atomicCAS(&locks[1], 0, 1) != 0", "variable", "locks", 4),
        (ALL, "", "((volatile int *)C)[blockIdx.x + 40] != 1", "buffer", "C", 160),
        (ALL, "__device__ volatile int a, b;", "a == 0 || b == 0", "none", "", 0),
    ],
    ids=["variable", "array", "shared", "shared, one lane", "lock", "matrix", "two"],
)
def test_a_loop_without_an_end_has_the_place_of_the_value_that_it_waits_for(
    mask: str, declared: str, waits: str, space: str, buffer: str, offset: int, tmp_path: Path
):
    source = WAITS_WITHOUT_END.replace("DECLARED", declared).replace("MASK", mask).replace("WAITS", waits)
    fault = run(source, tmp_path, {"C": np.zeros(64, np.int32)}, ["C"], block=32, seconds=0.2).fault
    assert fault.kind is FaultKind.TIME
    assert (fault.space, fault.buffer, fault.offset) == (space, buffer, offset)
