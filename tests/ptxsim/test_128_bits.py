"""Values of 128 bits: atomics, which devices have from compute capability 9.0 on, and loads and stores."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from grader.ptxsim.generate.layout import FaultKind
from tests.ptxsim.programs import run

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")

CHAIN = """
extern "C" __global__ void k(ulonglong2 *A, ulonglong2 *C) {
    __shared__ ulonglong2 last;
    if (threadIdx.x == 0) last = A[0];
    __syncthreads();
    C[threadIdx.x] = atomicExch(&last, ulonglong2{threadIdx.x, ~0ull - threadIdx.x});
    __syncthreads();
    if (threadIdx.x == 0) A[0] = last;
}
"""
SUM = """
extern "C" __global__ void k(unsigned __int128 *A) {
    unsigned __int128 seen = *A, assumed;
    do {
        assumed = seen;
        seen = atomicCAS(A, assumed, assumed + ((unsigned __int128)threadIdx.x << 60) + 1);
    } while (seen != assumed);
}
"""
COPIES = """
extern "C" __global__ void k(ulonglong2 *A, ulonglong2 *C) {
    ulonglong2 own[3];
    for (int i = 0; i < 3; ++i) own[i] = A[threadIdx.x * (i + 1) % 32];
    asm volatile("{ .reg .b128 q; ld.b128 q, [%0]; st.global.b128 [%1], q; }"
        :: "l"(own + threadIdx.x % 3), "l"(C + 31 - threadIdx.x) : "memory");
}
"""
MISALIGNED = """
extern "C" __global__ void k(char *A) { atomicExch((ulonglong2 *)(A + 8), ulonglong2{1, 2}); }
"""
WORDS = np.arange(64, dtype=np.uint64) << np.uint64(50)


def test_an_exchange_returns_what_the_lane_before_has_stored(tmp_path: Path) -> None:
    first, olds = np.array([7, 9], np.uint64), np.zeros((32, 2), np.uint64)
    assert run(CHAIN, tmp_path, {"A": first, "C": olds}, ["A", "C"]).fault is None
    stored = [[lane, (1 << 64) - 1 - lane] for lane in range(32)]
    assert olds.tolist() == [[7, 9], *stored[:-1]]
    assert first.tolist() == stored[-1]


def test_sums_by_compare_and_swap_carry_into_the_upper_half(tmp_path: Path) -> None:
    total = np.array([(1 << 64) - 5, 3], np.uint64)
    assert run(SUM, tmp_path, {"A": total}, ["A"]).fault is None
    assert int(total[0]) + (int(total[1]) << 64) == (1 << 64) - 5 + (3 << 64) + 32 + (sum(range(32)) << 60)


def test_each_lane_loads_and_stores_at_an_address_of_its_own(tmp_path: Path) -> None:
    given, result = WORDS.reshape(32, 2).copy(), np.zeros((32, 2), np.uint64)
    assert run(COPIES, tmp_path, {"A": given, "C": result}, ["A", "C"]).fault is None
    lane = np.arange(32)
    assert np.array_equal(result[::-1], given[lane * (lane % 3 + 1) % 32])


def test_a_value_of_128_bits_must_be_aligned_as_a_whole(tmp_path: Path) -> None:
    fault = run(MISALIGNED, tmp_path, {"A": np.zeros(32, np.uint8)}, ["A"]).fault
    assert fault.kind is FaultKind.MISALIGNED
