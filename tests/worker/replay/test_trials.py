"""Changes of one line with which a launch that failed is right."""

from pathlib import Path

import pytest

from grader.model.remedies import Remedy
from tests.worker.replay.replayed import asked, product, told

TILED = """
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    int quarters = (N + 3) / 4;
    for (int part = 0; part < quarters; ++part) {
        float four = 0.0f;
        for (int k = 4 * part; k < min(N, 4 * part + 4); ++k)
            four = fmaf(A[row * N + k], B[k * N + col], four);
        sum += four;
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}
"""
KEEPING_INSIDE = ("    float sum = 0.0f;", "    if (row >= N || col >= N) return;\n    float sum = 0.0f;")
RIGHT = TILED.replace(*KEEPING_INSIDE)
STORING = "{ sum += four; launches = N; }"


def tried(source: str, folder: Path, got: float = 0.0) -> tuple[Remedy, ...]:
    return told(source, folder, asked(element=(0, 1), got=got)).changes


@pytest.mark.parametrize(
    ("right", "wrong", "change"),
    [
        ("(N + 3) / 4", "N / 4", Remedy(7, "/", "up")),
        ("part < quarters", "part < quarters - 1", Remedy(8, "<", "<=")),
        ("A[row * N + k], B[k * N + col], four", "four, A[row * N + k], B[k * N + col]", Remedy(11, "", "fma")),
        ("sum += four", "sum = four", Remedy(12, "=", "+=")),
    ],
)
def test_a_change_that_makes_the_product_right_is_found(tmp_path: Path, right: str, wrong: str, change: Remedy) -> None:
    assert change in tried(RIGHT.replace(right, wrong), tmp_path)


def test_another_variable_is_tried_in_the_line_of_the_first_wrong_term(tmp_path: Path) -> None:
    wrong = RIGHT.replace("A[row * N + k]", "A[col * N + k]")

    assert Remedy(11, "col", "row") in tried(wrong, tmp_path, got=product()[1, 1])


def test_a_launch_that_is_right_needs_no_change(tmp_path: Path) -> None:
    assert tried(RIGHT, tmp_path) == ()


def test_a_loop_that_does_not_end_with_a_change_does_not_keep_others_from_their_trial(tmp_path: Path) -> None:
    wrong = RIGHT.replace("++part)", "part += min(N, 1))").replace("part < quarters", "part < quarters - 1")

    assert Remedy(8, "<", "<=") in tried(wrong, tmp_path)


def test_copies_with_memory_of_the_device_are_not_tried(tmp_path: Path) -> None:
    wrong = "__device__ int launches;" + RIGHT.replace("(N + 3) / 4", "N / 4").replace("sum += four", STORING)

    assert tried(wrong, tmp_path) == ()
