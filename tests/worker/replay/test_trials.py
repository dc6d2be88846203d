"""Changes of one line with which a launch that failed is right."""

from pathlib import Path

import pytest

from grader.model import Launch
from grader.model.findings import OutOfBounds, Room, Space, Thread
from grader.model.remedies import Remedy
from grader.worker.replay import trials
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


@pytest.fixture(autouse=True)
def time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a search end on a machine that does other work."""
    monkeypatch.setattr(trials, "SECONDS", 10.0)
    monkeypatch.setattr(trials, "SECONDS_OF_ALL", 15.0)


def tried(source: str, folder: Path, got: float = 0.0) -> tuple[Remedy, ...]:
    return told(source, folder, asked(element=(0, 1), got=got)).changes


@pytest.mark.parametrize(
    ("right", "wrong", "change"),
    [
        ("(N + 3) / 4", "N / 4", Remedy(7, "/", "up")),
        ("part < quarters", "part < quarters - 1", Remedy(8, "<", "<=")),
        ("sum += four", "sum -= four", Remedy(12, "-", "+")),
    ],
)
def test_a_change_that_makes_the_product_right_is_found(tmp_path: Path, right: str, wrong: str, change: Remedy) -> None:
    assert change in tried(RIGHT.replace(right, wrong), tmp_path)


@pytest.mark.parametrize(("threads", "changes"), [(16, (Remedy(4, "blockIdx.x", "blockIdx.y"),)), (256, ())])
def test_another_axis_of_blocks_is_proved_by_a_grid_with_several_along_both(
    tmp_path: Path, threads: int, changes: tuple[Remedy, ...]
) -> None:
    wrong = RIGHT.replace("blockIdx.y", "blockIdx.x", 1)
    launch = Launch((threads, 256 // threads, 1), (threads, 256 // threads))
    assert told(wrong, tmp_path, asked(element=(20, 1), launch=launch)).changes == changes


def test_a_launch_that_is_right_needs_no_change(tmp_path: Path) -> None:
    assert tried(RIGHT, tmp_path) == ()


def test_a_loop_that_does_not_end_with_a_change_does_not_keep_others_from_their_trial(tmp_path: Path) -> None:
    wrong = RIGHT.replace("++part)", "part += min(N, 1))").replace("part < quarters", "part < quarters - 1")

    assert Remedy(8, "<", "<=") in tried(wrong, tmp_path)


def test_copies_with_memory_of_the_device_are_not_tried(tmp_path: Path) -> None:
    wrong = "__device__ int launches;" + RIGHT.replace("(N + 3) / 4", "N / 4").replace("sum += four", STORING)

    assert tried(wrong, tmp_path) == ()


BY_FOUR = """
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
    if (i >= N || j >= N) return;
    int whole = N / 4 * 4;
    float sum = 0.0f;
    for (; k < whole; k += 4)
        sum += A[i * N + k] * B[k * N + j] + A[i * N + k + 1] * B[(k + 1) * N + j]
            + A[i * N + k + 2] * B[(k + 2) * N + j] + A[i * N + k + 3] * B[(k + 3) * N + j];
    for (; k < N; ++k)
        sum += A[i * N + k] * B[k * N + j];
    C[i * N + j] = sum;
}
"""


def test_a_loop_that_does_not_run_any_more_is_not_mended(tmp_path: Path) -> None:
    behind_b = OutOfBounds(Thread((0, 0, 0), (0, 0, 0), 9), False, Room(Space.MATRIX, "B", 4 * 33**2, 4 * 33**2), 0)
    assert told(BY_FOUR.replace("N / 4 * 4", "N & ~4"), tmp_path, asked(behind_b)).changes == ()


def test_a_change_that_is_right_at_some_sizes_by_chance_is_not_told(tmp_path: Path) -> None:
    """Here `k * N` instead of `k` would end the first loop after its second step."""
    wrong = BY_FOUR.replace("(; k < N; ++k)", "(k = N / 4; k < N; ++k)")
    assert tried(wrong, tmp_path, got=2 * product()[0, 1]) == ()
