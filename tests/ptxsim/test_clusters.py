"""Thread block clusters, which the simulator executes if each has one block."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from grader.ptxsim.records.lacks import UnsupportedError
from tests.ptxsim.programs import run

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")

REVERSES = """
#include <cooperative_groups.h>
extern "C" __global__ void __cluster_dims__(SIZE, 1, 1) k(int *C) {
    __shared__ int words[256];
    auto cluster = cooperative_groups::this_cluster();
    words[threadIdx.x] = C[threadIdx.x];
    cluster.sync();
    int *own = cluster.map_shared_rank(words, cluster.block_rank());
    C[threadIdx.x] = own[255 - threadIdx.x] + cluster.query_shared_rank(words);
}
"""


def test_a_barrier_of_a_cluster_of_one_block_waits_for_all_its_threads(tmp_path: Path) -> None:
    result = np.arange(256, dtype=np.int32)
    assert run(REVERSES.replace("SIZE", "1"), tmp_path, {"C": result}, ["C"], block=256).fault is None
    assert np.array_equal(result, np.arange(256)[::-1])


def test_clusters_of_one_block_are_counted_as_blocks_are(tmp_path: Path) -> None:
    registers = ["clusterid.x", "nclusterid.x", "clusterid.y", "cluster_ctaid.x", "cluster_nctaid.x"]
    reads = "".join(
        f'asm("mov.u32 %0, %%{name};" : "=r"(C[5 * blockIdx.x + {n}]));' for n, name in enumerate(registers)
    )
    result = np.full(15, -1, np.int32)
    text = 'extern "C" __global__ void k(int *C) { ' + reads + " }"
    assert run(text, tmp_path, {"C": result}, ["C"], blocks=3).fault is None
    assert result.reshape(3, 5).tolist() == [[block, 3, 0, 0, 1] for block in range(3)]


@pytest.mark.parametrize("attribute", ["", "__cluster_dims__(1, 1, 1)", "__block_size__((32, 1, 1), (1, 1, 1))"])
def test_a_kernel_asks_whether_it_has_clusters(attribute: str, tmp_path: Path) -> None:
    result = np.full(1, -1, np.int32)
    text = f'extern "C" __global__ void {attribute} k(int *C) {{ *C = __clusterDimIsSpecified(); }}'
    assert run(text, tmp_path, {"C": result}, ["C"]).fault is None
    assert result[0] == bool(attribute)


def test_an_index_far_outside_shared_memory_is_not_taken_for_another_block_of_a_cluster(tmp_path: Path) -> None:
    text = """
    extern "C" __global__ void k(int *C) {
        __shared__ int words[32];
        words[threadIdx.x] = 1;
        __syncthreads();
        C[threadIdx.x] = words[C[0]];
    }"""
    fault = run(text, tmp_path, {"C": np.full(32, -(10**8), np.int32)}, ["C"]).fault
    assert (fault.space, fault.offset) == ("shared", -4 * 10**8)


def test_a_cluster_of_several_blocks_is_not_supported(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="clusters 4"):
        run(REVERSES.replace("SIZE", "4"), tmp_path, {"C": np.zeros(256, np.int32)}, ["C"], block=256)
