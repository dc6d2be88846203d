"""malloc and free in a kernel."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from grader.ptxsim.checked.run import first_outside
from grader.ptxsim.engine.session import BYTES, GAP, Heap
from grader.ptxsim.generate.layout import FaultKind
from tests.ptxsim.checked.traces import reads, writes
from tests.ptxsim.programs import run

needs_nvcc = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")

ARRAYS = """
extern "C" __global__ void k(int *C) {
    int *p = (int *)malloc(sizeof(int) * (threadIdx.x + 1));
    for (int i = 0; i <= threadIdx.x; ++i) p[i] = i;
    int sum = 0;
    for (int i = 0; i <= threadIdx.x; ++i) sum += p[i];
    free(p);
    int *q = new int[2];
    q[1] = sum;
    C[threadIdx.x] = q[1];
    delete[] q;
}
"""


@needs_nvcc
def test_each_thread_has_memory_of_its_own(tmp_path: Path) -> None:
    result = np.zeros(96, np.int32)
    assert run(ARRAYS, tmp_path, {"C": result}, ["C"], block=96).exact
    assert np.array_equal(result, np.arange(96) * (np.arange(96) + 1) // 2)


@needs_nvcc
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("int *p = (int *)malloc(1 << 24); *p = 1;", FaultKind.MEMORY),
        ("for (;;) { int *p = (int *)malloc(1 << 16); *p = 1; }", FaultKind.MEMORY),
        ("int *p = (int *)malloc(8); free(p); free(p);", FaultKind.FREE),
        ("free(C);", FaultKind.FREE),
    ],
)
def test_a_misuse_of_the_heap_is_a_fault(body: str, kind: FaultKind, tmp_path: Path) -> None:
    source = f'extern "C" __global__ void k(int *C) {{ {body} }}'
    fault = run(source, tmp_path, {"C": np.zeros(1, np.int32)}, ["C"]).fault
    assert (fault.kind, fault.line) == (kind, 1)


def test_memory_is_handed_out_once_and_again_when_it_is_free() -> None:
    heap = Heap()
    first, second = heap.allocate(100), heap.allocate(100)
    assert abs(first - second) >= 100
    assert heap.release(first)
    assert not heap.release(first)
    assert heap.allocate(97) not in {first, second}
    heap.begin()
    assert heap.allocate(97) == first
    assert heap.allocate(BYTES) == 0
    assert heap.release(0)


def test_memory_that_a_launch_has_freed_is_handed_out_last() -> None:
    heap = Heap()
    half = BYTES // 2 - 64
    first = heap.allocate(half)
    heap.release(first)
    assert heap.allocate(half) != first
    assert not heap.is_reused
    assert heap.allocate(half) == first
    assert heap.is_reused


def test_an_index_past_the_end_is_in_no_block() -> None:
    heap = Heap()
    first, second = heap.allocate(20), heap.allocate(8)
    assert heap.sizes == {first: 20, second: 8}
    assert second - first >= 20 + GAP
    events = writes({0: (4, 1), 1: (5, 1)}, start=first)
    assert first_outside(events, heap.sizes) == (0, 1, first + 20, first)
    assert first_outside(reads({0: 0, 3: 1}, start=second), heap.sizes) is None
    assert first_outside(reads({0: -1}, start=first), heap.sizes) == (0, 0, first - 4, 0)
