"""Functions that are called through pointers and virtual tables."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from grader.worker.simulator.generate.layout import FaultKind
from tests.worker.simulator.programs import run

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")

POINTERS = """
typedef int (*Function)(int);
__device__ int twice(int x) { return x * 2; }
__device__ int more(int x) { return x + 100; }
__device__ Function table[2] = {twice, more};
extern "C" __global__ void k(int *C) { C[threadIdx.x] = table[threadIdx.x & 1](threadIdx.x); }
"""
VIRTUAL = """
struct Base { __device__ virtual int f(int x) { return x; } };
struct Twice : Base { __device__ int f(int x) override { return 2 * x; } };
struct More : Base { __device__ int f(int x) override { return x + 100; } };
extern "C" __global__ void k(int *C) {
    Twice twice; More more;
    Base *object = C[threadIdx.x] ? (Base *)&more : (Base *)&twice;
    C[threadIdx.x] = object->f(threadIdx.x);
}
"""
NOWHERE = """
typedef void (*Function)(int *);
__device__ Function none;
__device__ void f(int *p) { *p = 1; }
extern "C" __global__ void k(int *C) { if (C[0]) none = f; none(C); }
"""


@pytest.mark.parametrize("source", [POINTERS, VIRTUAL], ids=["pointers", "virtual"])
def test_each_lane_calls_its_own_function(source: str, tmp_path: Path) -> None:
    number = np.arange(64, dtype=np.int32)
    result = number % 2
    assert run(source, tmp_path, {"C": result}, ["C"], block=64).exact
    assert np.array_equal(result, np.where(number % 2, number + 100, number * 2))


def test_a_call_of_no_function_is_a_fault(tmp_path: Path) -> None:
    fault = run(NOWHERE, tmp_path, {"C": np.zeros(1, np.int32)}, ["C"]).fault
    assert fault is not None
    assert (fault.kind, fault.line) == (FaultKind.TRAP, 5)
