import time

import pytest

from grader.explain.wrong_elements.trial import Uses, uses


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (b"__shared__ float tile[16][16];", "shared_memory"),
        (b"__syncthreads();", "barriers"),
        (b"cg::this_thread_block().sync();", "barriers"),
        (b"__half2 x;", "short_types"),
    ],
)
def test_what_the_text_mentions_is_known(source: bytes, name: str):
    assert getattr(uses(source), name)


def test_a_file_without_a_launch_line_is_launched_as_the_rubric_says():
    assert uses(b"matmul<<<grid, block>>>(a, b, c, n); // LAUNCH(.block = {32, 32})").launch_of_lab
    assert not uses(b"LAUNCH (.block = {32, 32}, .tile = {32, 32});").launch_of_lab


def test_a_comment_mentions_nothing():
    assert uses(b"// __shared__ tiles, then __syncthreads()\n/* half * of it, atomicAdd */ int i;") == Uses(
        launch_of_lab=True
    )
    assert uses(b"/**/ __shared__ float x; /* never closed: __syncthreads()").shared_memory
    assert not uses(b"/* never closed: __syncthreads()").barriers


def test_many_open_comments_and_long_gaps_take_no_time():
    began = time.process_time()
    uses(b"/* " * 300_000)
    uses(b"__" + b"_" * 500_000)
    assert time.process_time() - began < 1
