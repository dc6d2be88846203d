"""Predefined registers beyond the numbers of threads and blocks."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.ptxsim.programs import run

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")


def values(names: Sequence[str], folder: Path, before: str = "") -> list[int]:
    """Return the values of registers of 32 bits in the first thread."""
    reads = "".join(f'asm volatile("mov.u32 %0, %%{name};" : "=r"(C[{n}]));' for n, name in enumerate(names))
    result = np.full(len(names), -1, np.int32)
    source = f'extern "C" __global__ void k(int *C) {{ {before} if (threadIdx.x == 0) {{ {reads} }} }}'
    assert run(source, folder, {"C": result}, ["C"]).fault is None
    return [int(value) for value in result]


def test_the_shared_memory_of_a_block_is_counted_as_a_device_allocates_it(tmp_path: Path) -> None:
    uses = "__shared__ volatile int words[33]; words[threadIdx.x] = 1;"
    names = ["total_smem_size", "aggr_smem_size", "dynamic_smem_size"]
    assert values(names, tmp_path, uses) == [256, 256 + 1024, 0]


def test_the_reserved_shared_memory_is_the_first_kibibyte(tmp_path: Path) -> None:
    names = [f"reserved_smem_offset_{end}" for end in ("begin", "end", "cap")]
    assert values(names, tmp_path) == [0, 1024, 1024]


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


def test_counters_of_events_and_registers_of_the_driver_are_zero(tmp_path: Path) -> None:
    assert values(["pm0", "pm7", "envreg0", "envreg31"], tmp_path) == [0, 0, 0, 0]
    result = np.full(2, -1, np.int64)
    names = enumerate(("pm3_64", "current_graph_exec"))
    reads = "".join(f'asm volatile("mov.u64 %0, %%{name};" : "=l"(C[{n}]));' for n, name in names)
    assert run(f'extern "C" __global__ void k(long *C) {{ {reads} }}', tmp_path, {"C": result}, ["C"]).fault is None
    assert result.tolist() == [0, 0]
