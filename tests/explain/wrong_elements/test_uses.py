import time

import pytest

from grader.explain.wrong_elements.uses import Uses, uses


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (b"__shared__ float tile[16][16];", "shared_memory"),
        (b"__syncthreads();", "barriers"),
        (b"cg::this_thread_block().sync();", "barriers"),
        (b"__half2 x;", "short_types"),
        (b"float *parts = new float[4];", "heap"),
        (b"delete [] parts;", "heap"),
        (b"free (parts);", "heap"),
        (b"__device__ __noinline__ const float *parts_of(int row)", "returned_pointers"),
        (b"sum = __fmaf_rz(a, b, sum);", "directed_rounding"),
        (b'asm("fma.rm.f32 %0, %1, %2, %0;" : "+f"(sum) : "f"(a), "f"(b));', "directed_rounding"),
    ],
)
def test_what_the_text_mentions_is_known(source: bytes, name: str):
    assert getattr(uses(source), name)


def test_a_deleted_function_frees_nothing():
    assert not uses(b"struct Tile { Tile(const Tile &) = delete; void operator=(const Tile &) = delete; };").heap


def test_a_pointer_as_a_parameter_is_not_returned():
    assert not uses(b"__device__ float sum(const float *A, int (*f)(int)) { return *A; }").returned_pointers


def test_a_file_without_a_launch_line_is_launched_as_the_rubric_says():
    assert uses(b"matmul<<<grid, block>>>(a, b, c, n); // LAUNCH(.block = {32, 32})").launch_of_lab
    assert not uses(b"LAUNCH (.block = {32, 32}, .tile = {32, 32});").launch_of_lab


def test_a_number_named_like_a_direction_is_no_rounding():
    assert not uses(b"int last_rz = __float2int_rn(x); __fmaf_rzd(a, b, c);").directed_rounding


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
    uses(b"delete" + b" " * 500_000 + b"[" + b" " * 500_000)
    assert time.process_time() - began < 1
