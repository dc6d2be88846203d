"""Barriers that a GPU tolerates are remarks."""

from pathlib import Path

import pytest

from tests.ptxsim.checked.test_run import launched

TILED = """
#include <lab.h>
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float row[64];
    int i = blockIdx.y, j = blockIdx.x * 64 + threadIdx.x;
    float sum = 0.0f;
    BEFORE
    for (int k = 0; k < N; ++k) {
        row[threadIdx.x] = A[i * N + k];
        BARRIER
        sum += j < N ? row[threadIdx.x] * B[k * N + j] : 0.0f;
    }
    if (j < N) C[i * N + j] = sum;
}
LAUNCH(.block = {64}, .tile = {64, 1});
"""
TWO_LINES = "if (threadIdx.x < 32)\n__syncthreads();\nelse\n__syncthreads();"


@pytest.mark.parametrize(
    ("before", "barrier", "said"),
    [
        ("", "__syncthreads();", ""),
        ("", TWO_LINES, "of block (0, 0) wait for each other at the barriers in line 12 and line 14."),
        (
            "if (j >= N) return;",
            "__syncthreads();",
            "31 of 64 threads of block (0, 0) have returned before the barrier",
        ),
    ],
)
def test_equal_arrivals_in_two_lines_and_threads_that_have_returned_are_remarks(before, barrier, said, tmp_path: Path):
    source = tmp_path / "source.cu"
    source.write_text(TILED.replace("BEFORE", before).replace("BARRIER", barrier))
    answer = launched(source)
    assert answer.fault is None
    assert said in answer.remark
    assert bool(said) == bool(answer.remark)
