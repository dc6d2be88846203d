"""Blocks and warps that wait for each other through memory."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from grader.explain.answers import Asked, fault_of
from grader.model import Interface, Limits, Shape, Verdict
from grader.ptxsim.generate.layout import FaultKind, Status
from grader.worker.simulator.stopped import stop_of
from tests.ptxsim.programs import run

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")

SQUARE = Interface("matmul", ("A", "B", "C", "N"))
ORDERS = ["forward", "reverse"]
GRID = """
#include <cooperative_groups.h>
extern "C" __global__ void k(int *C) {
    auto grid = cooperative_groups::this_grid();
    int own = grid.thread_rank(), count = grid.size();
    C[own] = own;
    for (int i = 0; i < 5; ++i) {
        grid.sync();
        int value = C[(own + 1) % count];
        grid.sync();
        C[own] = value + 1;
    }
}
"""
FLAG = """
extern "C" __global__ void k(volatile int *C) {  // each block waits for the one behind it
    if (threadIdx.x == 0) {
        if (blockIdx.x + 1 < gridDim.x) while (C[blockIdx.x + 1] == 0) ;
        C[blockIdx.x] = blockIdx.x + 100;
    }
}
"""
NEIGHBOURS = """
extern "C" __global__ void k(volatile int *C) {  // each block waits until the ninth behind it has started
    if (threadIdx.x == 0) {
        C[blockIdx.x] = 1;
        if (blockIdx.x + 9 < gridDim.x) while (C[blockIdx.x + 9] == 0) ;
    }
}
"""
UNIFORM_FLAG = """
extern "C" __global__ void k(volatile int *C) {  // all threads of a warp wait for another warp
    if (threadIdx.x < 32) while (C[0] == 0) ;
    if (threadIdx.x == 255) C[0] = 1;
    C[threadIdx.x + 1] = 7;
}
"""
NEVER = 'extern "C" __global__ void k(volatile int *C) { while (C[0] == 0) ; C[1] = 1; }'


@pytest.mark.parametrize("order", ORDERS)
def test_the_blocks_of_a_grid_wait_for_each_other(order: str, tmp_path: Path) -> None:
    result = np.zeros(256 * 7, np.int32)
    assert run(GRID, tmp_path, {"C": result}, ["C"], block=256, blocks=7, order=order).exact
    assert np.array_equal(result, (np.arange(result.size) + 5) % result.size + 5)


def test_a_grid_that_does_not_fit_on_a_gpu_cannot_wait(tmp_path: Path) -> None:
    fault = run(GRID, tmp_path, {"C": np.zeros(1, np.int32)}, ["C"], block=1024, blocks=300).fault
    assert (fault.kind, fault.line, fault.size, fault.extent) == (FaultKind.NOT_RESIDENT, 4, 300, 264)


AWAITED = {
    "a flag of a later block": (FLAG, 64, 9, np.arange(9) + 100),
    "a block that starts when another has ended": (NEIGHBOURS, 1024, 300, np.ones(300)),  # a GPU holds 264
    "a flag of another warp": (UNIFORM_FLAG, 256, 1, np.r_[1, np.full(256, 7)]),
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("what", AWAITED)
def test_threads_wait_for(what: str, order: str, tmp_path: Path) -> None:
    source, block, blocks, wanted = AWAITED[what]
    result = np.zeros(wanted.size, np.int32)
    assert run(source, tmp_path, {"C": result}, ["C"], block=block, blocks=blocks, order=order).exact
    assert np.array_equal(result, wanted)


def test_a_flag_that_nobody_sets_ends_at_the_time_limit_with_its_line(tmp_path: Path) -> None:
    ran = run(NEVER, tmp_path, {"C": np.zeros(2, np.int32)}, ["C"], blocks=3, seconds=0.3)
    assert ran.status is Status.STOPPED
    assert (ran.fault.kind, ran.fault.line) == (FaultKind.TIME, 1)


WAITS_WITHOUT_END = """
DECLARED
extern "C" __global__ void k(int *C) {
    __shared__ volatile int s[8];
    s[threadIdx.x % 8] = 0;
    __syncthreads();
    while (MASK && (WAITS)) ;
    C[threadIdx.x] = 1;
}
"""


@pytest.mark.parametrize(
    ("declared", "waits", "space", "buffer", "offset"),
    [
        ("__device__ volatile int flag;", "flag == 0", "variable", "flag", 0),
        ("__device__ volatile int flags[64];", "flags[blockIdx.x + 3] == 0", "variable", "flags", 12),
        ("", "s[blockIdx.x + 2] == 0", "shared", "s", 8),
        ("__device__ int locks[2] = {1, 1};", "atomicCAS(&locks[1], 0, 1) != 0", "variable", "locks", 4),
        ("", "((volatile int *)C)[blockIdx.x + 40] != 1", "buffer", "C", 160),
        ("__device__ volatile int a, b;", "a == 0 || b == 0", "none", "", 0),
    ],
    ids=["variable", "array", "shared", "lock", "matrix", "two"],
)
@pytest.mark.parametrize("mask", ["true", "threadIdx.x == 3"], ids=["all", "one"])
def test_a_loop_without_an_end_has_the_place_of_the_value_that_it_waits_for(
    declared: str, waits: str, space: str, buffer: str, offset: int, mask: str, tmp_path: Path
):
    source = WAITS_WITHOUT_END.replace("DECLARED", declared).replace("MASK", mask).replace("WAITS", waits)
    fault = run(source, tmp_path, {"C": np.zeros(64, np.int32)}, ["C"], block=32, seconds=0.2).fault
    assert (fault.kind, fault.awaits_value) == (FaultKind.TIME, True)
    assert (fault.space, fault.buffer, fault.offset) == (space, buffer, offset)


SKIPS_THE_GRID = """
#include <cooperative_groups.h>
extern "C" __global__ void k(int *C) {
    auto grid = cooperative_groups::this_grid();
    if (blockIdx.x == 1) return;
    grid.sync();
    C[blockIdx.x] = 1;
}
"""


def test_blocks_that_wait_for_one_that_returned_wait_at_the_barrier_of_the_grid(tmp_path: Path) -> None:
    fault = run(SKIPS_THE_GRID, tmp_path, {"C": np.zeros(3, np.int32)}, ["C"], block=64, blocks=3, seconds=0.2).fault
    assert fault
    explained = fault_of(stop_of(fault), Asked(SQUARE, Shape(3, 3, 3), Limits()))
    assert (fault.awaits_grid, explained.verdict, explained.line) == (True, Verdict.BARRIER, 6)
    assert "grid.sync() in line 6" in explained.sentence
