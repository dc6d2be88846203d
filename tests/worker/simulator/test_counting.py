"""The counts of a launch, compared with figures that follow from the kernel's source."""

from pathlib import Path

import pytest

from grader.model import Counters
from tests.advice.counted import ROOT, counted, planted

SIZE = 1024
WARPS = SIZE**2 // 32
STEPS = WARPS * SIZE  # multiply-adds of all warps


def reference(name: str, size: int = SIZE) -> Counters:
    return counted(ROOT / "reference" / f"{name}.cu", size)[0]


def each(counters: Counters, space: str, kind: str, quantity: str) -> float:
    """A quantity for each request of a kind."""
    some = [access for access in counters.accesses if (access.space, access.kind) == (space, kind)]
    return sum(getattr(access, quantity) for access in some) / sum(access.requests for access in some)


@pytest.mark.parametrize(("name", "sectors"), [("naive", 2.5), ("naive_uncoalesced", 16.5)])
def test_sectors_of_a_load(name: str, sectors: float):
    """A broadcast is one sector, 32 neighbouring floats are 4, and 32 lines are 32."""
    counters = reference(name)
    assert each(counters, "global", "load", "sectors") == sectors
    assert sum(access.requests for access in counters.accesses if access.kind == "load") == 2 * STEPS


def test_loads_at_an_odd_size_touch_a_sector_more():
    """Of 32 neighbouring floats from any multiple of 4 bytes on: 5 sectors in 7 of 8 cases. Of each 33 warps in a row,
    the last has one thread inside C."""
    average = (32 * (1 + 4 + 7 / 8) / 2 + 1) / 33
    assert each(reference("naive", 1025), "global", "load", "sectors") == pytest.approx(average, abs=0.01)


def test_blocks_at_the_edges_of_c_count_with_what_is_inside():
    """At 1025, 33 x 1025 warps of naive.cu have a thread inside C, and 65 x 513 of tiled_16.cu."""
    for name, warps in (("naive", 33 * 1025), ("tiled_16", 65 * 513)):
        stores = [access for access in reference(name, 1025).accesses if access.kind == "store"]
        assert sum(access.requests for access in stores if access.space == "global") == warps


def test_steps_that_do_not_divide_the_size_are_counted_as_they_are():
    """With tiles of 12 x 12, 171 steps cover a sum of 2048 terms: two stores of each of the 5 warps of a block."""
    counters, launch = counted(planted("partial_warps_tile"), 2048)
    stores = [access for access in counters.accesses if (access.space, access.kind) == ("shared", "store")]
    assert launch.threads == 144
    assert sum(access.requests for access in stores) == 171**3 * 2 * 5


def test_loads_around_a_conditional_load_are_merged():
    """Between its reads of four neighbouring words of A, spills_column.cu loads an element of B if there is one."""
    counters, _ = counted(planted("spills_column"), 2048)
    reads = [access for access in counters.accesses if (access.space, access.kind) == ("shared", "load")]
    assert {access.width: access.requests for access in reads} == {16: counters.multiply_adds // 4}


def test_three_of_four_words_are_one_wide_load():
    """In few_blocks.cu, rows of 129 words begin at each multiple of 4 bytes in turn. Of four rows with 8 words that a
    thread reads, the machine code has 7 LDS.128, 2 LDS.64 and 2 LDS, and 8 LDS for each of four rows of B."""
    counters, _ = counted(planted("few_blocks"), SIZE)
    reads = [access for access in counters.accesses if (access.space, access.kind) == ("shared", "load")]
    rows = counters.multiply_adds // 64 // 4
    widths = {width: sum(access.requests for access in reads if access.width == width) // rows for width in (4, 8, 16)}
    assert widths == {4: 2 + 4 * 8, 8: 2, 16: 7}


@pytest.mark.parametrize(("flags", "store", "load"), [((), 32.0, 16.5), (("-DFIXED",), 1.0, 1.0)])
def test_wavefronts_of_a_transposed_tile(flags: tuple[str, ...], store: float, load: float):
    counters, _ = counted(planted("bank_conflicts"), SIZE, flags)
    assert each(counters, "shared", "load", "wavefronts") == load
    stores = [access for access in counters.accesses if (access.space, access.kind) == ("shared", "store")]
    assert sorted({access.wavefronts / access.requests for access in stores}) == sorted({1.0, store})


def test_neighbouring_loads_of_a_tile_are_merged_as_the_assembler_does():
    """tiled_16.cu has 16 LDS and 4 LDS.128 in its machine code, for 16 multiply-adds."""
    loads = {
        access.width: access.requests
        for access in reference("tiled_16").accesses
        if (access.space, access.kind) == ("shared", "load")
    }
    assert loads == {4: STEPS, 16: STEPS // 4}


def test_wavefronts_are_those_of_loads_that_only_the_machine_code_merges():
    """register_blocked.cu has two steps of k in its loop in PTX, and eight in its machine code: 32 LDS and 8 LDS.128
    for 128 multiply-adds, which take 48 wavefronts."""
    counters = reference("register_blocked")
    reads = [access for access in counters.accesses if (access.space, access.kind) == ("shared", "load")]
    assert sum(access.wavefronts for access in reads) == counters.multiply_adds * 48 // 128


def test_volatile_loads_are_not_merged(tmp_path: Path):
    source = tmp_path / "volatile_tile.cu"
    source.write_text(
        (ROOT / "reference" / "tiled_16.cu").read_text().replace("__shared__ ELEMENT", "volatile __shared__ ELEMENT")
    )
    counters, _ = counted(source, SIZE)
    reads = [access for access in counters.accesses if (access.space, access.kind) == ("shared", "load")]
    assert {access.width for access in reads} == {4}
    assert sum(access.requests for access in reads) == 2 * STEPS


def test_accesses_to_arrays_in_local_memory_are_counted():
    """Each multiply-add of local_array.cu loads a sum and stores it; that of the fixed kernel is in a register."""
    for flags, each_kind in (((), STEPS), (("-DFIXED",), 0)):
        counters, _ = counted(planted("local_array"), SIZE, flags)
        for kind in ("load", "store"):
            every = [access for access in counters.accesses if (access.space, access.kind) == ("local", kind)]
            assert sum(access.requests for access in every) == pytest.approx(each_kind, rel=0.01)


@pytest.mark.parametrize(("flags", "share"), [((), 0.0), (("-DFIXED",), 0.9)])
def test_loads_of_the_next_tile_are_told_from_those_of_this_one(flags: tuple[str, ...], share: float):
    counters, _ = counted(planted("overlap_registers"), SIZE, flags)
    assert share <= counters.prefetched <= (1.0 if share else 0.0)


def test_multiply_adds_barriers_and_waits_are_extrapolated():
    counters = reference("tiled_32")
    assert counters.multiply_adds == STEPS
    assert (counters.barriers, counters.global_waits) == (2 * SIZE // 32, SIZE // 32)
    assert counters.footprint == (SIZE // 32) ** 2 * 2 * 32 * SIZE * 4 // 32
    assert (counters.loop.multiply_adds, counters.loop.barriers) == (32, 2)


def test_code_outside_the_innermost_loop_runs_as_often_as_its_own_loop():
    """The loop has 7 instructions and a jump for each multiply-add; what loads a tile runs once for 32 of them."""
    counters, _ = counted(planted("not_unrolled"), SIZE)
    assert STEPS <= counters.branches < 1.2 * STEPS
    assert 7 * STEPS < counters.instructions < 8 * STEPS


def test_conversions_are_counted_apart_from_double_precision():
    """Each step converts A, B, the sum, and the result, and has one fused multiply-add."""
    counters, _ = counted(planted("double_constant"), SIZE)
    assert counters.conversions / counters.double == pytest.approx(4 / 5, abs=0.01)


BY_SIZE = """
#include <lab.h>
__device__ float dot(const float *A, const float *B, int N, int row, int column)
{
    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + column];
    return sum;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (N < 600) {
        if (y < N && x < N)
            C[y * N + x] = dot(A, B, N, y, x);
    } else if (blockIdx.x % 2 == 0) {  // every second block computes twice the columns
        const int right = blockIdx.x * 16 + threadIdx.x;
        for (int i = 0; i < 2; ++i)
            if (y < N && right + 16 * i < N)
                C[y * N + right + 16 * i] = dot(A, B, N, y, right + 16 * i);
    }
}
"""


def test_a_kernel_that_chooses_its_algorithm_by_the_size_is_counted_at_the_size(tmp_path: Path):
    """From 600 on, only every second block computes, two elements per thread."""
    source = tmp_path / "by_size.cu"
    source.write_text(BY_SIZE)
    large, small = counted(source, SIZE)[0], counted(source, 512)[0]
    assert (large.blocks, large.working, large.multiply_adds) == (64 * 64, 64 * 64 // 2, STEPS)
    assert (small.blocks, small.working, small.multiply_adds) == (32 * 32, 0, 512**3 // 32)


def test_the_tile_that_a_kernel_chooses_by_the_size_is_the_one_that_is_counted():
    """At 2048, pipelined.cu has 256 tiles of 128 x 128, in a grid for tiles of 16 x 32."""
    counters = reference("pipelined", 2048)
    assert (counters.blocks, counters.working) == (128 * 64, 256)
    assert counters.multiply_adds == 2048**3 // 32
    assert counters.footprint == 256 * 2 * 128 * 2048 * 4 // 32


def test_terms_that_a_kernel_leaves_out_where_a_factor_is_zero_are_counted():
    counters, _ = counted(ROOT / "tests" / "submissions" / "honest" / "leaves_out_zeros.cu", SIZE)
    assert counters.multiply_adds == STEPS
    assert sum(access.requests for access in counters.accesses if access.kind == "load") == 2 * STEPS
