"""ldmatrix and stmatrix: 8 rows of 8 numbers of 16 bits between shared memory and the lanes of a warp."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.ptxsim.checked.accesses import writes
from grader.ptxsim.engine.trace import Trace
from grader.ptxsim.generate.layout import FaultKind
from tests.ptxsim.programs import run

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")

# The rows lie in reverse order, so that no lane can do without its address.
LOADS = """
extern "C" __global__ void k(const unsigned short *A, unsigned *C) {
    __shared__ __align__(16) unsigned short rows[32][8];
    for (int i = 0; i < 8; ++i) rows[31 - threadIdx.x][i] = A[threadIdx.x * 8 + i];
    __syncwarp();
    unsigned from = __cvta_generic_to_shared(rows[31 - threadIdx.x]), r[4] = {};
    asm volatile("ldmatrix.sync.aligned.m8n8.xCOUNTTRANS.shared.b16 {NAMES}, [%COUNT];" : RESULTS : "r"(from));
    for (int i = 0; i < 4; ++i) C[i * 32 + threadIdx.x] = r[i];
}
"""
STORES = """
extern "C" __global__ void k(const unsigned *A, unsigned short *C) {
    __shared__ __align__(16) unsigned short rows[32][8];
    for (int i = 0; i < 8; ++i) rows[threadIdx.x][i] = 0;
    __syncwarp();
    unsigned to = __cvta_generic_to_shared(rows[31 - threadIdx.x]), r[4];
    for (int i = 0; i < 4; ++i) r[i] = A[i * 32 + threadIdx.x];
    asm volatile("stmatrix.sync.aligned.m8n8.xCOUNTTRANS.shared.b16 [%COUNT], {NAMES};" :: SOURCES, "r"(to) : "memory");
    __syncwarp();
    for (int i = 0; i < 8; ++i) C[threadIdx.x * 8 + i] = rows[31 - threadIdx.x][i];
}
"""
OUTSIDE = LOADS.replace("rows[31 - threadIdx.x])", "rows[31 - threadIdx.x] + (threadIdx.x == 3 ? 8 * 32 : 0))")
MATRICES = np.random.default_rng(4).integers(0, 1 << 16, (4, 8, 8)).astype(np.uint16)


def filled(text: str, count: int, trans: bool) -> str:
    names = ", ".join(f"%{number}" for number in range(count))
    results = ", ".join(f'"=r"(r[{number}])' for number in range(count))
    words = {"COUNT": str(count), "TRANS": ".trans" * trans, "NAMES": names, "RESULTS": results}
    for word, value in {**words, "SOURCES": results.replace("=", "")}.items():
        text = text.replace(word, value)
    return text


def registers(matrices: NDArray[np.uint16]) -> NDArray[np.uint32]:
    """Return what each lane holds of each matrix: the two neighbours of a row that its number names."""
    return np.ascontiguousarray(matrices).reshape(-1).view(np.uint32)


def turned(matrices: NDArray[np.uint16], trans: bool) -> NDArray[np.uint16]:
    return matrices.transpose(0, 2, 1) if trans else matrices


@pytest.mark.parametrize("trans", [False, True])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_each_lane_gets_two_neighbours_of_a_row(count: int, trans: bool, tmp_path: Path) -> None:
    result = np.zeros(128, np.uint32)
    given: dict[str, NDArray[np.generic]] = {"A": MATRICES.reshape(-1).copy(), "C": result}
    assert run(filled(LOADS, count, trans), tmp_path, given, ["A", "C"]).fault is None
    assert np.array_equal(result[: 32 * count], registers(turned(MATRICES[:count], trans)))
    assert not result[32 * count :].any()


@pytest.mark.parametrize("trans", [False, True])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_rows_are_stored_at_the_addresses_of_the_first_lanes(count: int, trans: bool, tmp_path: Path) -> None:
    result = np.zeros((4, 8, 8), np.uint16)
    given: dict[str, NDArray[np.generic]] = {"A": registers(MATRICES).copy(), "C": result.reshape(-1)}
    trace = Trace(300)
    assert run(filled(STORES, count, trans), tmp_path, given, ["A", "C"], trace=trace).fault is None
    assert np.array_equal(result[:count], turned(MATRICES[:count], trans))
    assert not result[count:].any()
    table = writes(trace.events())
    in_order = table.rows(np.lexsort((table.event, table.place)))
    last = in_order.rows(np.append(np.diff(in_order.place) > 0, [True]))
    assert np.array_equal(last.value[last.is_shared].reshape(32, 8)[::-1], result.reshape(32, 8))


def test_a_row_outside_shared_memory_names_its_lane(tmp_path: Path) -> None:
    given: dict[str, NDArray[np.generic]] = {"A": MATRICES.reshape(-1).copy(), "C": np.zeros(128, np.uint32)}
    fault = run(filled(OUTSIDE, 4, False), tmp_path, given, ["A", "C"]).fault
    assert (fault.kind, fault.thread[0], fault.line) == (FaultKind.MEMORY, 3, 7)
