"""Atomics on float2 and float4, which devices have from compute capability 9.0 on."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from grader.worker.simulator.generate.layout import Status
from tests.worker.simulator.programs import run

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


def test_each_part_of_a_vector_is_added(tmp_path: Path) -> None:
    sums, olds = np.zeros(6, np.float32), np.ones(32, np.float32)
    assert run(SUM, tmp_path, {"A": sums, "C": olds}, ["A", "C"]).status is Status.DONE
    assert sums.tolist() == [32, 496, 64, -496, 32, 96]
    assert not olds.any()


def test_a_vector_must_be_aligned_as_a_whole(tmp_path: Path) -> None:
    ran = run(MISALIGNED, tmp_path, {"A": np.zeros(8, np.float32), "C": np.zeros(1, np.float32)}, ["A", "C"])
    assert ran.fault is not None
    assert ran.status is Status.FAULT
