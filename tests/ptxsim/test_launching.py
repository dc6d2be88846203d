"""One launch of a kernel that has nothing to do with matrices."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from grader.ptxsim.generate.layout import FaultKind
from grader.ptxsim.launching import Launched, launch
from grader.ptxsim.records.traced import UnsetRead
from tests.ptxsim.programs import ptx_of

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")

KERNELS = """
extern "C" __global__ void shift(const int *given, int *moved, int by) {
    moved[threadIdx.x] = given[threadIdx.x + by];
}
extern "C" __global__ void last(int *moved) {
    __shared__ int words[64];
    if (threadIdx.x < 63)
        words[threadIdx.x] = 1;
    __syncthreads();
    moved[threadIdx.x] = words[threadIdx.x];
}
"""


def launched(kernel: str, arguments: list[str | int], box: Path) -> Launched:
    path = box / "kernels.cu"
    path.write_text(KERNELS)
    buffers = {"given": np.arange(64, dtype=np.int32), "moved": np.zeros(64, np.int32)}
    return launch(ptx_of(path), kernel, (1, 1, 1), (64, 1, 1), buffers, arguments)


def test_an_access_outside_of_a_buffer_stops_the_launch(tmp_path: Path):
    ended = launched("shift", ["given", "moved", 1], tmp_path)
    assert (ended.stopped.kind, ended.stopped.buffer, ended.stopped.line) == (FaultKind.MEMORY, "given", 3)
    assert (ended.stopped.offset, ended.stopped.extent, ended.stopped.thread) == (256, 256, (63, 0, 0))


def test_a_read_of_unset_shared_memory_is_found(tmp_path: Path):
    (found,) = launched("last", ["moved"], tmp_path).found
    assert isinstance(found, UnsetRead)
    assert (found.memory.name, found.memory.offset, found.read.line) == ("words", 252, 10)
