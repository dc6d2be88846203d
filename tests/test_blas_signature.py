"""Kernels with the signature of BLAS, of which beta is zero."""

from pathlib import Path

import pytest

from grader.model import Verdict
from grader.rubric import load
from tests import lab

pytestmark = pytest.mark.usefixtures("simulator")

GEMM = ('parameters = ["M", "N", "K", "alpha", "A", "B", "beta", "C"]', "naive.cu")
KERNEL = """
#include <lab.h>
extern "C" __global__ void matmul(
    int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N)
        return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
        sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = alpha * sum + STORED;
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});
"""
C = "C[row * N + col]"


def hint_at(stored: str, folder: Path) -> str | None:
    """The hint that a kernel gets which adds this to the product; None if it is correct."""
    rubric = load.load(lab.write_rubric(folder, (33, 100), kernel=GEMM))
    fault = lab.fault_here(KERNEL.replace("STORED", stored).encode(), rubric)
    return fault.hint if fault else None


@pytest.mark.parametrize("stored", [f"beta * {C}", f"(beta == 0 ? 0 : beta * {C})", "0"])
def test_a_kernel_may_multiply_c_by_a_beta_of_zero(stored: str, tmp_path: Path) -> None:
    assert hint_at(stored, tmp_path) is None


def test_a_kernel_that_adds_c_without_beta_reads_so(tmp_path: Path) -> None:
    assert "adds to what C holds before the launch" in (hint_at(C, tmp_path) or "")


def test_elements_that_are_never_written_are_found(tmp_path: Path) -> None:
    rubric = load.load(lab.write_rubric(tmp_path, (33,), kernel=GEMM))
    text = KERNEL.replace("STORED", "0").replace("row >= M", "row >= M || col == 5")
    fault = lab.fault_here(text.encode(), rubric)
    assert "33 of 1089 elements of C are never written" in fault.sentence


@pytest.mark.parametrize(
    ("type_", "factor", "verdict"),
    [
        ("__half", 0.375, None),
        ("double", 0.1, None),
        ("long double", 0.1, None),
        ("__half", 0.1, Verdict.WRONG_SIGNATURE),
        ("__nv_bfloat16", 0.375, Verdict.WRONG_SIGNATURE),
        ("int", 3.0, Verdict.WRONG_SIGNATURE),
    ],
)
def test_a_factor_of_another_type_is_right_or_a_wrong_signature(type_, factor, verdict, tmp_path: Path):
    """And it is never read as zero."""
    parameters, naive = GEMM
    rubric = load.load(lab.write_rubric(tmp_path, (33,), kernel=(f"{parameters}\nalpha = {factor}", naive)))
    text = f"#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n{KERNEL}".replace("float alpha", f"{type_} alpha")
    fault = lab.fault_here(text.replace("alpha * sum + STORED", "float(alpha) * sum").encode(), rubric)
    assert (fault.verdict if fault else None) is verdict
