"""A LAUNCH line with its fields in any order, and without lab.h above it."""

import pytest

from grader.model import Launch
from grader.worker.frontend import launch_line
from tests.worker.frontend.desk import compiled, needs_nvcc

KERNEL = """__global__ void matmul(const float *A, const float *B, float *C, int N)
{
    C[threadIdx.x] = A[0] * B[0] * N;
}
"""
BACKWARDS = """LAUNCH(.grid_x = ROWS, // blockIdx.x
       .shared = sizeof(float[8][2]),
       .tile = {32, 8}, .block = {16, 4});
"""


@pytest.mark.parametrize(
    ("text", "sorted_text"),
    [
        (b"LAUNCH(.tile = {1, 2}, .block = {3});", b"LAUNCH( .block = {3},.tile = {1, 2});"),
        (b"LAUNCH(\n.shared = f(1, 2), // f\n.block = {3}\n);", b"LAUNCH(\n // f\n.block = {3},.shared = f(1, 2)\n);"),
        (b"LAUNCH(.tile={1}, .blok={2}, .block={3},);", b"LAUNCH( .block={3},.tile={1}, .blok={2},);"),
        (b"LAUNCH(tile, block);", b"LAUNCH(tile, block);"),
        (b"LAUNCH(.tile = 1, .block", b"LAUNCH(.tile = 1, .block"),
        (
            b"LAUNCH(.block = {3}); LAUNCH(.tile = 1, .block = 2);",
            b"LAUNCH(.block = {3}); LAUNCH( .block = 2,.tile = 1);",
        ),
    ],
)
def test_the_fields_are_put_in_order(text: bytes, sorted_text: bytes) -> None:
    assert launch_line.in_order(text) == sorted_text


@pytest.mark.parametrize("piece", [b"/*", b",", b" ", b"((", b")", b"(.a = 1,", b"(LAUNCH(.a)"])
@pytest.mark.timeout(60)  # a quadratic search takes hours
def test_any_text_is_read_in_linear_time(piece: bytes) -> None:
    assert launch_line.header(b"LAUNCH" + piece * (200_000 // len(piece))) in ((), launch_line.HEADER)


@needs_nvcc
@pytest.mark.parametrize("above", ["", "#include <lab.h>\n", "#include <stdio.h>\n#define LAUNCHES 2\n"])
@pytest.mark.parametrize("below", ["", "#include <lab.h>\n"])
def test_no_header_is_needed(above: str, below: str) -> None:
    assert compiled(above + KERNEL + BACKWARDS + below).build.launch == Launch((16, 4, 1), (32, 8), 64, "rows")


@needs_nvcc
def test_a_function_of_that_name_is_left_alone() -> None:
    assert compiled(KERNEL + "void LAUNCH(int, int) {}\nvoid run() { LAUNCH(1, 2); }\n").build.launch is None
