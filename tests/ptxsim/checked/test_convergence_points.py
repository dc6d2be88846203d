"""What a checked launch says of lanes that meet at warp operations in two branches."""

import shutil
from pathlib import Path

import pytest

from grader.model import Fault, Verdict
from tests.ptxsim.checked.test_run import checked

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")

KERNEL = """#include <lab.h>
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float s[32];
    int lane = threadIdx.x;
    float mine = A[lane], sum = 0;
    if (lane < 16) {
        FIRST
    } else {
        SECOND
    }
    if (blockIdx.x + blockIdx.y == 0) C[lane] = sum;
}
LAUNCH(.block = {32}, .tile = {32, 32});
"""
MEET = {"__syncwarp();": "__syncwarp();", "a shuffle": "sum += __shfl_sync(~0u, mine, 31 - lane);"}


def fault_of(first: str, second: str, box: Path) -> Fault | None:
    path = box / "two_branches.cu"
    path.write_text(KERNEL.replace("FIRST", first).replace("SECOND", second), encoding="utf-8")
    return checked(path)


@pytest.mark.parametrize("meet", MEET)
def test_lanes_that_meet_are_in_order(meet: str, tmp_path: Path):
    fault = fault_of(f"s[lane] = mine; {MEET[meet]}", f"{MEET[meet]} sum += s[lane - 16];", tmp_path)
    assert fault is None or fault.verdict is not Verdict.DATA_RACE


@pytest.mark.parametrize("meet", MEET)
def test_accesses_behind_a_convergence_point_race(meet: str, tmp_path: Path):
    fault = fault_of(f"{MEET[meet]} s[lane] = mine;", f"{MEET[meet]} sum += s[lane - 16];", tmp_path)
    assert fault.verdict is Verdict.DATA_RACE
    assert "line 8" in fault.sentence.lower()
    assert "line 10" in fault.sentence.lower()


@pytest.mark.parametrize(("mask", "source"), [("0xffffu", 20), ("0xff00u", 9)], ids=["missing source", "left out"])
def test_a_wrong_shuffle_is_in_its_own_line_where_lanes_meet_in_two(mask: str, source: int, tmp_path: Path):
    wrong, right = (f"sum += __shfl_sync({mask}, mine, {lane});" for lane in (source, 10))
    fault = fault_of(f"if (lane < 8) {wrong}\nelse {right}", "", tmp_path)
    assert fault.verdict is Verdict.WARP_MASK
    assert fault.line == 8
