"""Warp operations of lanes that name different groups: numbers that are alike in parts of a warp are no vectors."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from grader.worker.simulator.generate.layout import FaultKind
from grader.worker.simulator.syntax.errors import UnsupportedError
from tests.worker.simulator.programs import run

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


BRANCHES = """
extern "C" __global__ void k(int *C) {
    __shared__ int s[32];
    int lane = threadIdx.x;
    if (lane < 8) { s[lane] = lane; __syncwarp(%s); } else { s[lane] = -lane; __syncwarp(); }
    C[lane] = s[31 - lane];
}
"""


def test_lanes_meet_at_barriers_of_their_warp_in_two_lines(tmp_path: Path) -> None:
    result = np.zeros(32, np.int32)
    assert run(BRANCHES.replace("%s", "0xffffffff"), tmp_path, {"C": result}, ["C"]).exact
    assert result.tolist() == [-31 + lane if lane < 24 else 31 - lane for lane in range(32)]


IN_TURN = """
extern "C" __global__ void k(int *C) {
    __shared__ int s[2][32];
    int lane = threadIdx.x, sum = 0;
    #pragma unroll 1
    for (int step = 0; step < 100; ++step) {
        if ((lane * 7 + step) % 3 == 0) { s[step % 2][lane] = step; __syncwarp(); sum += s[step % 2][31 - lane]; }
        else { s[step % 2][lane] = -step; __syncwarp(); sum -= 2 * s[step % 2][lane ^ 1]; }
    }
    C[lane] = sum;
}
"""


def test_lanes_change_between_the_barriers_of_two_branches(tmp_path: Path) -> None:
    result, want = np.zeros(32, np.int32), np.zeros(32, np.int32)
    for step in range(100):
        first = (LANE * 7 + step) % 3 == 0
        stored = np.where(first, step, -step)
        want += np.where(first, stored[31 - LANE], -2 * stored[LANE ^ 1])
    assert run(IN_TURN, tmp_path, {"C": result}, ["C"]).exact
    assert result.tolist() == want.tolist()


def test_lanes_that_wait_in_two_lines_with_other_masks_are_not_supported(tmp_path: Path) -> None:
    text = BRANCHES.replace("%s", "0x0000ffff")
    with pytest.raises(UnsupportedError, match="in several branches"):
        run(text, tmp_path, {"C": np.zeros(32, np.int32)}, ["C"])


@pytest.mark.parametrize("operation", ["__shfl_sync(~0u, lane, %s)", "__ballot_sync(~0u, lane > %s)"])
def test_values_exchanged_between_two_lines_are_not_supported(operation: str, tmp_path: Path) -> None:
    one, other = (operation.replace("%s", number) for number in ("3", "4"))
    text = KERNEL.replace("C[lane] = %s", f"if (lane < 8) C[lane] = {one}; else C[lane] = {other} + 1")
    with pytest.raises(UnsupportedError, match="in several branches"):
        run(text, tmp_path, {"C": np.zeros(32, np.int32)}, ["C"])


def test_lanes_that_wait_for_lanes_elsewhere_are_a_fault(tmp_path: Path) -> None:
    text = KERNEL.replace("C[lane] = %s", "if (lane < 8) C[lane] = __shfl_sync(~0u, lane, 3); else __syncthreads()")
    outcome = run(text, tmp_path, {"C": np.zeros(32, np.int32)}, ["C"])
    assert outcome.fault is not None
    assert outcome.fault.kind is FaultKind.BARRIER
