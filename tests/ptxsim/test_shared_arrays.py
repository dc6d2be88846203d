"""Bounds of each array of shared memory by itself."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from grader.ptxsim.generate.layout import ARRAYS, FaultKind
from grader.ptxsim.syntax.declarations import source_name
from tests.ptxsim.programs import run

needs_nvcc = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")

THREE = """
extern "C" __global__ void k(const int *A, int *C) {
    __shared__ int small[33]; __shared__ int large[64]; __shared__ double wide[20];
    int t = threadIdx.x;
    if (t < 33) small[t] = t;
    large[t] = 2 * t;
    if (t < 20) wide[t] = 3 * t;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < A[0]; ++i) sum += large[i] + (int)wide[i % 20];
    C[t] = sum + small[A[1]];
}
"""


@needs_nvcc
def test_arrays_beside_each_other_keep_their_values(tmp_path: Path) -> None:
    result = np.zeros(64, np.int32)
    ran = run(THREE, tmp_path, {"A": np.array([40, 32], np.int32), "C": result}, ["A", "C"], block=64)
    assert ran.exact, ran
    assert (result == sum(2 * i + 3 * (i % 20) for i in range(40)) + 32).all()


@needs_nvcc
@pytest.mark.parametrize(
    ("count", "index", "line", "buffer", "offset", "extent"),
    [
        (4, 33, 11, "small", 132, 132),
        (4, -1, 11, "small", -4, 132),
        (65, 0, 10, "large", 256, 256),
    ],
)
def test_an_index_beyond_an_array_never_reaches_the_next(count, index, line, buffer, offset, extent, tmp_path: Path):
    given = np.array([count, index], np.int32)
    fault = run(THREE, tmp_path, {"A": given, "C": np.zeros(64, np.int32)}, ["A", "C"], block=64).fault
    assert (fault.kind, fault.line, fault.space, fault.buffer, fault.offset, fault.extent) == (
        (FaultKind.MEMORY, line, "shared", buffer, offset, extent)
    )


@needs_nvcc
def test_more_arrays_than_have_bounds_of_their_own_work(tmp_path: Path) -> None:
    count = ARRAYS + 8
    arrays = "".join(f"__shared__ int s{n}[32]; s{n}[t] = t * {n + 1};\n" for n in range(count))
    total = " + ".join(f"s{n}[31 - t]" for n in range(count))
    source = (
        f'extern "C" __global__ void k(int *C) {{ int t = threadIdx.x;\n{arrays} __syncthreads(); C[t] = {total}; }}'
    )
    result = np.zeros(32, np.int32)
    assert run(source, tmp_path, {"C": result}, ["C"]).exact
    assert (result == (31 - np.arange(32)) * count * (count + 1) // 2).all()


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("_ZZ6matmulE2As", "As"),
        ("_ZZN3lab6matmulIfEEvPKT_E4tile", "tile"),
        ("tile", "tile"),
        ("_ZZ4gemmILi16ELb1EEvPKfS1_PfiE2Bs", "Bs"),
        ("_ZZ6matmulE9999999999x", "x"),
        ("_ZN3abc2x13fooE", "foo"),
        ("_Z" + "5" * 1_000_000, ""),
        ("_Z" + "1_" * 500_000, "_"),
        ("$odd name", ""),
    ],
    ids=lambda text: text[:30],
)
def test_a_symbol_has_the_name_of_the_source(symbol: str, name: str) -> None:
    assert source_name(symbol) == name
