"""Atomics on float2 and float4, which devices have from compute capability 9.0 on, and atomics with a cache policy."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from grader.ptxsim.generate.layout import Status
from tests.ptxsim.programs import run

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")

SUM = """
extern "C" __global__ void sum(float *A, float *C) {
    int i = threadIdx.x;
    atomicAdd((float4 *)A, make_float4(1, i, 2, -i));
    float2 old = atomicAdd((float2 *)(A + 4), make_float2(1, 3));
    C[i] = old.y - 3 * old.x;
}
"""
MISALIGNED = """
extern "C" __global__ void sum(float *A, float *C) { atomicAdd((float4 *)(A + 1), make_float4(1, 1, 1, 1)); }
"""

WITH_POLICY = """
extern "C" __global__ void sum(float *A, float *C) {
    unsigned long long policy;
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    asm volatile("red.global.add.L2::cache_hint.f32 [%0], %1, %2;" ::"l"(A), "f"(1.0f), "l"(policy) : "memory");
    unsigned old;
    asm volatile("atom.global.cas.L2::cache_hint.b32 %0, [%1], %2, %3, %4;"
                 : "=r"(old) : "l"(A + 1), "r"(0), "r"(threadIdx.x + 1), "l"(policy) : "memory");
    C[threadIdx.x] = __uint_as_float(old);
}
"""


def test_a_cache_policy_is_no_value(tmp_path: Path) -> None:
    sums, olds = np.zeros(2, np.float32), np.zeros(32, np.float32)
    assert run(WITH_POLICY, tmp_path, {"A": sums, "C": olds}, ["A", "C"]).status is Status.DONE
    assert (sums[0], sums.view(np.uint32)[1]) == (32, 1)
    assert olds.view(np.uint32).tolist() == [0, *[1] * 31]


def test_each_part_of_a_vector_is_added(tmp_path: Path) -> None:
    sums, olds = np.zeros(6, np.float32), np.ones(32, np.float32)
    assert run(SUM, tmp_path, {"A": sums, "C": olds}, ["A", "C"]).status is Status.DONE
    assert sums.tolist() == [32, 496, 64, -496, 32, 96]
    assert not olds.any()


def test_a_vector_must_be_aligned_as_a_whole(tmp_path: Path) -> None:
    ran = run(MISALIGNED, tmp_path, {"A": np.zeros(8, np.float32), "C": np.zeros(1, np.float32)}, ["A", "C"])
    assert ran.fault is not None
    assert ran.status is Status.FAULT
