"""Lanes of a warp that wait for others in several branches: all that execute one operation with the same mask.

`generate/test_random_branches.py` has the values that they exchange.
"""

import shutil
from pathlib import Path

import numpy as np
import pytest

from grader.ptxsim.generate.layout import FaultKind
from grader.ptxsim.records.lacks import UnsupportedError
from tests.ptxsim.programs import Ran, run

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")

LANE = np.arange(32)
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
    outcome = run(KERNEL.replace("%s", text), box, {"C": result}, ["C"], block=block, order=order)
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


def test_lanes_of_a_warp_at_different_barriers_are_not_supported(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="barrier"):
        ran('asm volatile("bar.sync %0, 16;" ::"r"(1 + (lane >> 4)) : "memory");', tmp_path)
