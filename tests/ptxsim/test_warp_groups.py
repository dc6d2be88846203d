"""Warp operations of lanes that name different groups: numbers that are alike in parts of a warp are no vectors."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from grader.ptxsim.records.lacks import UnsupportedError
from tests.ptxsim.programs import run

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")

LANE = np.arange(32)
FIRST = LANE & 16  # the first lane of each half of the warp
KERNEL = """
#include <cooperative_groups.h>
extern "C" __global__ void k(int *C) {
    int lane = threadIdx.x;
    unsigned half = 0xffffu << (lane & 16);
    C[lane] = %s;
}
"""
ELECTED = """({
    unsigned leader, elected = 0;
    asm volatile("{ .reg .pred p; elect.sync %0|p, %2; @p mov.s32 %1, 1; }"
                 : "=r"(leader), "+r"(elected) : "r"(half));
    elected * 100 + leader;
})"""
INVOKED = """cooperative_groups::invoke_one_broadcast(
    cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block()), [=] { return lane + 5; })"""


@pytest.mark.parametrize(
    ("text", "want"),
    [
        (ELECTED, np.where(LANE == FIRST, 100, 0) + FIRST),
        (INVOKED, FIRST + 5),
        ("__reduce_add_sync(half, lane)", np.where(FIRST, 376, 120)),
        ("__reduce_max_sync(half, lane) > 20 ? 1 : 2", np.where(FIRST, 1, 2)),
        ("__match_any_sync(half, lane & 3) >> (lane & 16)", 0x1111 << (LANE & 3)),
        ("__any_sync(half, lane == 20)", FIRST // 16),
        ("__all_sync(half, lane < 16)", 1 - FIRST // 16),
        ("__popc(__ballot_sync(half, lane < 20))", np.where(FIRST, 4, 16)),
        ("__shfl_sync(half, lane, 0, 16)", FIRST),
    ],
)
def test_each_half_of_a_warp_has_results_of_its_own(text: str, want: np.ndarray, tmp_path: Path) -> None:
    result = np.zeros(32, np.int32)
    assert run(KERNEL.replace("%s", text), tmp_path, {"C": result}, ["C"]).exact
    assert result.tolist() == want.tolist()


def test_lanes_of_a_warp_at_different_barriers_are_not_supported(tmp_path: Path) -> None:
    barrier = 'asm volatile("bar.sync %0, 16;" ::"r"(1 + (lane >> 4)) : "memory")'
    text = KERNEL.replace("C[lane] = %s", barrier)
    with pytest.raises(UnsupportedError, match="barrier"):
        run(text, tmp_path, {"C": np.zeros(32, np.int32)}, ["C"])
