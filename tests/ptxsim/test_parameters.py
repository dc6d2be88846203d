"""Kernel parameters whose address the kernel takes."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from grader.ptxsim.generate.layout import FaultKind
from tests.ptxsim.programs import run

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")

READS = """
extern "C" __global__ void k(
        int *const __grid_constant__ C, const __grid_constant__ int N, const __grid_constant__ int M) {
    const int *p = threadIdx.x & 1 ? &M : &N;
    C[threadIdx.x] = *p * 100 + N;
}
"""
PASSES_ON = """
__device__ __noinline__ int third(const int *p) { return p[0] / 3; }
extern "C" __global__ void k(int *C, const __grid_constant__ int N) {
    __shared__ const int *common;
    if (threadIdx.x == 0) common = &N;
    __syncthreads();
    C[threadIdx.x] = third(common);
}
"""
WRITES = """
extern "C" __global__ void k(int *C, const __grid_constant__ int N) {
    int *p = const_cast<int *>(&N);
    asm volatile("" : "+l"(p));
    *p = 1;
    C[0] = N;
}
"""


def test_each_lane_reads_the_parameter_that_it_points_to(tmp_path: Path) -> None:
    result = np.zeros(32, np.int32)
    assert run(READS, tmp_path, {"C": result}, ["C", 7, 9]).fault is None
    assert result.tolist() == [707, 907] * 16


def test_a_pointer_to_a_parameter_holds_in_every_thread_and_every_launch(tmp_path: Path) -> None:
    for number in (30, 33):
        result = np.zeros(64, np.int32)
        assert run(PASSES_ON, tmp_path, {"C": result}, ["C", number], block=64).fault is None
        assert result.tolist() == [number // 3] * 64


def test_a_parameter_cannot_be_written(tmp_path: Path) -> None:
    fault = run(WRITES, tmp_path, {"C": np.zeros(1, np.int32)}, ["C", 7]).fault
    assert (fault.kind, fault.line) == (FaultKind.MEMORY, 5)
