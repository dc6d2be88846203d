"""Predefined registers beyond the numbers of threads and blocks."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.ptxsim.programs import run

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")


def test_groups_of_several_warps_wait_in_memory_of_their_own_that_is_zero_at_first(tmp_path: Path) -> None:
    source = """extern "C" __global__ void k(int *C) {
        __shared__ volatile int own;
        own = 7;
        asm volatile("{ .reg .b32 at, old; mov.u32 at, %%reserved_smem_offset_1; atom.shared.or.b32 old, [at], 5;"
                     " st.global.b32 [%0], old; }" :: "l"(C + blockIdx.x) : "memory");
        C[2] = own; }"""
    result = np.full(3, -1, np.int32)
    assert run(source, tmp_path, {"C": result}, ["C"], block=1, blocks=2).fault is None
    assert result.tolist() == [0, 0, 7]


def test_a_launch_belongs_to_no_graph(tmp_path: Path) -> None:
    result = np.full(1, -1, np.int64)
    read = 'asm volatile("mov.u64 %0, %%current_graph_exec;" : "=l"(*C));'
    assert run(f'extern "C" __global__ void k(long *C) {{ {read} }}', tmp_path, {"C": result}, ["C"]).fault is None
    assert result.tolist() == [0]
