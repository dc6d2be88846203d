"""Functions that are called through pointers and virtual tables."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.ptxsim.engine.program import analysed
from grader.ptxsim.generate.layout import FaultKind
from grader.ptxsim.syntax.parser import parse
from tests.ptxsim.programs import ptx_of, run

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

FIBONACCI = """
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
extern "C" __global__ void k(int *C) { C[threadIdx.x] = fibonacci(C[threadIdx.x]); }
"""
HALVES = """
__device__ __noinline__ int halves(int x, int depth) {
    return depth == 0 ? x : halves(x, depth - 1) + halves(x + 1, depth - 1);
}
extern "C" __global__ void k(int *C) {
    int x = threadIdx.x;
    FIRST
    C[x] = halves(x, DEPTH);
}
"""
ARRAYS_OF_CALLS = """
__device__ int total(const int *values, int count) {
    return count < 2 ? values[0] : total(values, count / 2) + total(values + count / 2, count - count / 2);
}
__device__ int sum(int first, int count) {
    int part[300];
    for (int i = 0; i < 3; ++i)
        part[i] = count < 3 ? (i < count ? first + i : 0) : sum(first + i * (count / 3), count / 3);
    return total(part, 3) + (count < 3 ? 0 : count % 3 * (first + count));
}
extern "C" __global__ void k(int *C) { C[threadIdx.x] = sum(threadIdx.x, C[threadIdx.x]); }
"""
MUTUAL = """
__device__ bool odd(int n);
__device__ __noinline__ bool even(int n) { return n == 0 || odd(n - 1); }
__device__ __noinline__ bool odd(int n) { return n != 0 && even(n - 1); }
extern "C" __global__ void k(int *C) { C[threadIdx.x] = even(C[threadIdx.x]); }
"""
LIST = """
struct Node { __device__ virtual int sum(int n) const { return 0; } };
struct Link : Node {
    const Node *next;
    __device__ Link(const Node *next) : next(next) {}
    __device__ int sum(int n) const override { return n == 0 ? 0 : n - 1 + next->sum(n - 1); }
};
extern "C" __global__ void k(int *C) {
    Link loop(nullptr);
    loop.next = C[threadIdx.x] < 0 ? new Node : &loop;
    C[threadIdx.x] = loop.next->sum(C[threadIdx.x]);
}
"""
NARROW = """
struct Small { signed char low; bool odd; short high; };
__device__ __noinline__ Small cut(signed char low, unsigned short n, bool odd) { return {low, !odd, (short)(n * 3)}; }
__device__ __noinline__ int join(Small s, unsigned char n) { return s.low + s.high * 7 + s.odd * 1000 + n; }
extern "C" __global__ void k(int *C) {
    int n = C[threadIdx.x];
    C[threadIdx.x] = join(cut(n, n, n & 1), n);
}
"""


@pytest.mark.parametrize("source", [POINTERS, VIRTUAL], ids=["pointers", "virtual"])
def test_each_lane_calls_its_own_function(source: str, tmp_path: Path) -> None:
    number = np.arange(64, dtype=np.int32)
    result = number % 2
    assert run(source, tmp_path, {"C": result}, ["C"], block=64).exact
    assert np.array_equal(result, np.where(number % 2, number + 100, number * 2))


def test_a_call_of_no_function_is_a_fault(tmp_path: Path) -> None:
    fault = run(NOWHERE, tmp_path, {"C": np.zeros(1, np.int32)}, ["C"]).fault
    assert (fault.kind, fault.line) == (FaultKind.TRAP, 5)


def called(source: str, folder: Path, arguments: NDArray[np.int32]) -> list[int]:
    """Return what the function gives for each argument."""
    result = arguments.copy()
    assert run(source, folder, {"C": result}, ["C"], block=len(arguments)).fault is None
    return [int(value) for value in result]


def fibonacci(n: int) -> int:
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def halves(x: int, depth: int) -> int:
    return x if depth == 0 else halves(x, depth - 1) + halves(x + 1, depth - 1)


def total(first: int, count: int) -> int:
    if count < 3:
        return sum(range(first, first + count))
    return sum(total(first + i * (count // 3), count // 3) for i in range(3)) + count % 3 * (first + count)


def narrow(n: int) -> int:
    def signed(value: int, bits: int) -> int:
        return (value + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)

    return signed(n, 8) + signed(n % 65536 * 3, 16) * 7 + (n % 2 == 0) * 1000 + n % 256


def test_lanes_that_recur_to_different_depths_return_to_their_own_callers(tmp_path: Path) -> None:
    arguments = np.arange(64, dtype=np.int32) * 7 % 13
    assert called(FIBONACCI, tmp_path, arguments) == [fibonacci(int(n)) for n in arguments]


@pytest.mark.parametrize(
    ("first", "depth", "stays"),
    [("", "C[32]", True), ("if (x % 3 == 0) return;", "C[32]", True), ("", "x / 8", False)],
    ids=["all lanes", "lanes that are left", "own depths"],
)
def test_lanes_that_recur_to_one_depth_stay_together(first: str, depth: str, stays: bool, tmp_path: Path) -> None:
    source = HALVES.replace("FIRST", first).replace("DEPTH", depth)
    result = np.append(np.zeros(32, np.int32), np.int32(4))
    assert run(source, tmp_path, {"C": result}, ["C"]).exact
    wanted = [0 if first and x % 3 == 0 else halves(x, 4 if depth == "C[32]" else x // 8) for x in range(32)]
    assert result[:32].tolist() == wanted
    made = parse(ptx_of(tmp_path / "kernel.cu"))
    assert stays == (not analysed(made, "k", (32, 1, 1), general=False).facts.divergent)


def test_every_call_of_a_recursive_function_has_its_own_local_array(tmp_path: Path) -> None:
    arguments = np.arange(32, dtype=np.int32) * 5
    assert called(ARRAYS_OF_CALLS, tmp_path, arguments) == [total(lane, int(n)) for lane, n in enumerate(arguments)]


def test_two_functions_that_call_each_other_return_as_well(tmp_path: Path) -> None:
    arguments = np.arange(60, dtype=np.int32)
    assert called(MUTUAL, tmp_path, arguments) == [n % 2 == 0 for n in range(60)]


def test_a_virtual_function_calls_itself_through_other_objects(tmp_path: Path) -> None:
    arguments = np.arange(40, dtype=np.int32)
    assert called(LIST, tmp_path, arguments) == [n * (n - 1) // 2 for n in range(40)]


def test_parameters_and_results_narrower_than_a_word_keep_their_values(tmp_path: Path) -> None:
    arguments = np.arange(64, dtype=np.int32) * 9 - 200
    assert called(NARROW, tmp_path, arguments) == [narrow(int(n)) for n in arguments]
