"""A rubric is checked at sizes that show its mistakes."""

from pathlib import Path

import pytest

from grader.judge.rubric_kernel import checked_sizes, hides_order
from tests.judge.test_other_calls import OBLONG, mistakes, product, rubric_in

EXCHANGED = OBLONG.replace('"M", "N"', '"N", "M"')


@pytest.mark.parametrize("size", [[100, 50, 70], [64, 256, 128]])  # whole tiles, of which one side is long
def test_a_wrong_order_shows_at_a_size_that_is_not_square(size: list[int], tmp_path: Path) -> None:
    kernel = product("const float *A, const float *B, float *C, int h, int w, int d")
    rubric = rubric_in(tmp_path, EXCHANGED, [64], correctness=[700, 64, size])
    assert list(map(str, checked_sizes(rubric))) == ["N=64", "x".join(map(str, size))]
    assert not hides_order(rubric)
    assert mistakes(kernel, rubric)[1:] == ['kernel.parameters: it is correct with ["A", "B", "C", "M", "N", "K"]']


def test_a_size_of_parts_of_tiles_is_checked_where_every_size_is_square(tmp_path: Path) -> None:
    rubric = rubric_in(tmp_path, OBLONG, [64, 700], correctness=[64, 1, 33, 129, 700])
    assert list(map(str, checked_sizes(rubric))) == ["N=64", "N=33"]
    assert hides_order(rubric)
    rubric = rubric_in(tmp_path, OBLONG, [900, 800])
    assert list(map(str, checked_sizes(rubric))) == ["N=800"]


@pytest.mark.parametrize(
    ("needless", "says"),
    [
        ("transpose_b = true", "kernel.transpose_b: it is correct with false"),
        ('[launch]\nblock = [16, 16]\ngrid_x = "rows"', 'launch: it is correct without grid_x = "rows"'),
        ("[launch]\nblock = [16, 16]\ntile = [32, 32]", "launch: it is correct without tile = [32, 32]"),
    ],
)
def test_a_field_that_is_too_many_is_named(needless: str, says: str, tmp_path: Path) -> None:
    kernel = product("const float *A, const float *B, float *C, int h, int w, int d")
    assert mistakes(kernel, rubric_in(tmp_path, f"{OBLONG}\n{needless}", [[33, 17, 65]]))[1:] == [says]


COLUMNS = """
__global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[k * M + row] * B[col * K + k];
    C[col * M + row] = sum;
}
"""


@pytest.mark.parametrize(
    ("call", "place"),
    [(OBLONG, "launch"), (f'{EXCHANGED}\n[launch]\nblock = [16, 16]\ngrid_x = "rows"', "kernel.parameters")],
)
def test_the_other_layout_is_named_with_another_order_or_launch(call: str, place: str, tmp_path: Path) -> None:
    _, other, layout = mistakes(COLUMNS, rubric_in(tmp_path, call, [64, [100, 50, 70]]))
    assert other.startswith(f"{place}: it is correct with")
    assert layout == 'kernel.layout: it is correct with "column"'
