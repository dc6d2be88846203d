"""Lanes of a warp that meet at operations in several branches: all that execute one operation with the same mask."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from grader.ptxsim.engine.launch import ORDERS
from grader.ptxsim.generate.layout import FaultKind
from tests.ptxsim.programs import Ran, run

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")

LANE = np.arange(32)
GROUPS = "#include <cooperative_groups.h>"  # takes the compiler longer than a kernel does
KERNEL = """
extern "C" __global__ void k(int *C) {
    __shared__ int s[2][32];
    int lane = threadIdx.x % 32, sum = 0;
    s[0][lane] = s[1][lane] = 0;
#line 1
%s
    C[threadIdx.x] = sum;
}
"""


def ran(text: str, box: Path, order: str = "forward", block: int = 32) -> tuple[Ran, list[int]]:
    result = np.zeros(block, np.int32)
    source = (GROUPS if "cooperative_groups" in text else "") + KERNEL.replace("%s", text)
    outcome = run(source, box, {"C": result}, ["C"], block=block, order=order)
    return outcome, result.tolist()


def sums(text: str, box: Path, order: str = "forward", block: int = 32) -> list[int]:
    """What `sum` is in each thread at the end."""
    outcome, result = ran(text, box, order, block)
    assert outcome.exact
    return result


def waiting(text: str, box: Path, block: int = 32) -> list[tuple[int, int]]:
    """The lines in which threads wait for each other forever, and how many do."""
    fault = ran(text, box, block=block)[0].fault
    assert fault.kind is FaultKind.BARRIER
    return [(site.line, site.threads) for site in fault.sites]


ELECTED = """({{ unsigned leader, elected = 0; asm volatile("{{ .reg .pred p; elect.sync %0|p, -1; @p mov.s32 %1, 1; }}"
 : "=r"(leader), "+r"(elected)); int(elected * 100 + leader + {0}); }})"""


@pytest.mark.parametrize(
    ("operation", "want"),
    [
        ("__shfl_sync(~0u, lane + {0}, (lane + 5) % 32)", (LANE + 5) % 32 + np.where((LANE + 5) % 32 < 8, 100, 200)),
        ("__shfl_up_sync(~0u, lane * {0}, 1, 16)", None),
        ("__shfl_down_sync(~0u, lane, {0} / 100)", np.where(LANE < 8, LANE + 1, np.where(LANE < 30, LANE + 2, LANE))),
        ("__shfl_xor_sync(~0u, lane + {0}, 9)", (LANE ^ 9) + np.where((LANE ^ 9) < 8, 100, 200)),
        ("(int)__ballot_sync(~0u, lane * 10 > {0})", np.full(32, np.int32(-(1 << 21)))),
        ("__any_sync(~0u, {0} == 100)", np.ones(32)),
        ("__all_sync(~0u, {0} == 100)", np.zeros(32)),
        ("(int)__match_any_sync(~0u, {0})", np.where(LANE < 8, 0xFF, ~0xFF)),
        ("(int)__match_any_sync(~0u, {0}LL << 40)", np.where(LANE < 8, 0xFF, ~0xFF)),
        ("__reduce_add_sync(~0u, {0})", np.full(32, 8 * 100 + 24 * 200)),
        ("__reduce_max_sync(~0u, {0} - lane)", np.full(32, 192)),
        (ELECTED, np.where(LANE == 0, 100, 0) + np.where(LANE < 8, 100, 200)),
    ],
)
def test_values_are_exchanged_between_two_lines(operation: str, want: np.ndarray | None, tmp_path: Path) -> None:
    one, other = operation.format(100), operation.format(200)
    if want is None:
        source = np.where(LANE % 16 == 0, LANE, LANE - 1)
        want = source * np.where(source < 8, 100, 200)
    got = sums(f"if (lane < 8)\n sum = {one};\nelse\n sum = {other} ;", tmp_path)
    assert got == want.tolist()


def test_lanes_meet_at_barriers_of_their_warp_in_two_lines(tmp_path: Path) -> None:
    text = "if (lane < 8) { s[0][lane] = lane; __syncwarp(); } else { s[0][lane] = -lane; __syncwarp(); }"
    got = sums(f"{text} sum = s[0][31 - lane];", tmp_path)
    assert got == [-31 + lane if lane < 24 else 31 - lane for lane in range(32)]


def test_lanes_change_between_the_barriers_of_two_branches(tmp_path: Path) -> None:
    want = np.zeros(32, np.int32)
    for step in range(100):
        first = (LANE * 7 + step) % 3 == 0
        stored = np.where(first, step, -step)
        want += np.where(first, stored[31 - LANE], -2 * stored[LANE ^ 1])
    text = """
    #pragma unroll 1
    for (int step = 0; step < 100; ++step) {
        if ((lane * 7 + step) % 3 == 0) { s[step % 2][lane] = step; __syncwarp(); sum += s[step % 2][31 - lane]; }
        else { s[step % 2][lane] = -step; __syncwarp(); sum -= 2 * s[step % 2][lane ^ 1]; }
    }"""
    assert sums(text, tmp_path) == want.tolist()


@pytest.mark.parametrize("order", ORDERS)
def test_lanes_change_between_the_shuffles_of_two_branches(order: str, tmp_path: Path) -> None:
    want = np.zeros(32, np.int32)
    for step in range(100):
        first = (LANE * 7 + step) % 3 == 0
        given = np.where(first, LANE + step, -LANE)
        want = np.where(first, want + given[31 - LANE], 3 * want - given[(LANE + step) % 32]) % 1009
    text = """
    #pragma unroll 1
    for (int step = 0; step < 100; ++step) {
        if ((lane * 7 + step) % 3 == 0) sum += __shfl_sync(~0u, lane + step, 31 - lane);
        else sum = 3 * sum - __shfl_sync(~0u, -lane, lane + step);
        sum = (sum % 1009 + 1009) % 1009;
    }"""
    assert sums(text, tmp_path, order, block=96) == 3 * want.tolist()


def test_lanes_meet_in_nested_branches(tmp_path: Path) -> None:
    text = """
    if (lane % 2) { if (lane % 3) { sum = __shfl_sync(~0u, lane, 0); sum += 100; }
                    else { sum = __shfl_sync(~0u, 2 * lane, 1); sum += 200; } }
    else if (lane > 20) { sum = __shfl_sync(~0u, 3 * lane, 31); sum += 300; }
    else { sum = __shfl_sync(~0u, 4 * lane, 22); sum += 400; }"""
    places = [(LANE % 2 == 1) & (LANE % 3 > 0), LANE % 2 == 1, LANE > 20]
    given = np.select(places, [LANE, 2 * LANE, 3 * LANE], 4 * LANE)
    first, second, third = given[0] + 100, given[1] + 200, given[31] + 300
    assert sums(text, tmp_path) == np.select(places, [first, second, third], given[22] + 400).tolist()


@pytest.mark.parametrize(
    ("operation", "want"), [("all", [0, 1]), ("any", [1, 1]), ("ballot", np.array([0xFF7F, -(1 << 16)]))]
)
def test_each_half_of_a_warp_votes_in_two_lines(operation: str, want: np.ndarray, tmp_path: Path) -> None:
    text = f"""unsigned half = 0xffffu << (lane & 16);
    if (lane % 16 < 5) sum = __{operation}_sync(half, 1);
    else sum = __{operation}_sync(half, lane != 7);"""
    assert sums(text, tmp_path) == np.repeat(want, 16).tolist()


@pytest.mark.parametrize("size", [16, 8, 4])
@pytest.mark.parametrize("order", ORDERS)
def test_groups_with_masks_of_their_own_wait_in_several_lines(size: int, order: str, tmp_path: Path) -> None:
    text = f"""
    unsigned mask = ((1u << {size}) - 1) << (lane / {size} * {size});
    #pragma unroll 1
    for (int step = 0; step < 5 + lane / {size}; ++step)
        if ((lane + step) % 3) {{ sum += __shfl_xor_sync(mask, lane + step, 1); sum += __any_sync(mask, 0); }}
        else {{ sum -= __shfl_xor_sync(mask, 7 * lane, 3); sum += 1000 * __any_sync(mask, step == 5); }}
    """
    want = np.zeros(32, np.int64)
    for step in range(5 + 32 // size):
        runs, first = step < 5 + LANE // size, (LANE + step) % 3 > 0
        given = np.where(first, LANE + step, 7 * LANE)
        change = np.where(first, given[LANE ^ 1], -given[LANE ^ 3])
        any_ = (step == 5) & (np.isin(LANE // size, (LANE // size)[~first]))
        want += np.where(runs, change + np.where(first, any_, 1000 * any_), 0)
    assert sums(text, tmp_path, order, block=64) == 2 * want.tolist()


def test_tiles_take_different_branches(tmp_path: Path) -> None:
    text = """
    auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
    if (tile.meta_group_rank() % 2) { sum = lane; for (int d = 4; d; d /= 2) sum += tile.shfl_xor(sum, d); }
    else { sum = tile.shfl(lane, 3); tile.sync(); sum = tile.any(sum == 3) ? -1 : sum; }"""
    want = np.select([LANE // 8 % 2 == 1, LANE < 8], [LANE // 8 * 64 + 28, -1], 19)
    assert sums(text, tmp_path) == want.tolist()


def test_a_group_goes_on_while_another_waits_in_the_same_line(tmp_path: Path) -> None:
    text = """
    volatile int *flag = &s[0][0];
    unsigned mask = lane < 16 ? 0xffffu : 0xffff0000u;
    if (lane < 8) while (!*flag) { }
    sum = __shfl_sync(mask, lane, 9 + (lane & 16));
    if (lane == 16) *flag = 1;"""
    assert sums(text, tmp_path) == (9 + (LANE & 16)).tolist()


def test_lanes_that_have_ended_are_not_waited_for(tmp_path: Path) -> None:
    text = """if (lane < 4) { C[lane] = 77; return; }
    if (lane < 8) sum = __shfl_sync(~0u, lane, 9); else sum = __shfl_sync(~0u, -lane, 5);"""
    assert sums(text, tmp_path) == np.select([LANE < 4, LANE < 8], [77, -9], 5).tolist()


def test_operations_one_after_the_other_meet_in_turn(tmp_path: Path) -> None:
    text = """if (lane < 16) sum = __shfl_sync(~0u, lane, 20);
    sum += __shfl_sync(~0u, 2 * lane, 3);
    if (lane >= 16) sum += 100 * __shfl_sync(~0u, 3 * lane, 5);"""
    assert sums(text, tmp_path) == np.where(LANE < 16, 40 + 6, 3 + 100 * 10).tolist()


DEADLOCKS = {
    "masks that differ": (
        "if (lane < 8)\n sum = __shfl_sync(0xffffu, lane, 3);\nelse\n sum = __shfl_sync(~0u, lane, 4) + 1;",
        [(2, 8), (4, 24)],
    ),
    "barriers with masks that differ": (
        "if (lane < 8)\n { s[0][lane] = 1; __syncwarp(0xffff); }\nelse\n { s[0][lane] = 2; __syncwarp(); }",
        [(2, 8), (4, 24)],
    ),
    "operations that differ": (
        "if (lane < 8)\n sum = __shfl_sync(~0u, lane, 3);\nelse\n sum = __ballot_sync(~0u, lane > 9);",
        [(2, 8), (4, 24)],
    ),
    "qualifiers that differ": (
        "if (lane < 8)\n sum = __shfl_up_sync(~0u, lane, 3);\nelse\n sum = __shfl_down_sync(~0u, lane, 3);",
        [(2, 8), (4, 24)],
    ),
    "a barrier of the block": (
        "if (lane < 8)\n sum = __shfl_sync(~0u, lane, 3);\nelse\n __syncthreads();",
        [(2, 8), (4, 24)],
    ),
    "one time more": (
        "for (int i = 0; i < 3 + (lane == 0); ++i)\n sum += __shfl_sync(~0u, lane, 3);\n__syncthreads();",
        [(2, 1), (3, 31)],
    ),
}


@pytest.mark.parametrize("case", DEADLOCKS)
def test_lanes_that_never_meet_are_a_fault(case: str, tmp_path: Path) -> None:
    text, want = DEADLOCKS[case]
    assert waiting(text, tmp_path) == want
