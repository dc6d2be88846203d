"""Which programs of a build are executed."""

from __future__ import annotations

from pathlib import Path

from grader.contract.messages import Compile
from grader.model import Interface, Launch, Limits
from grader.worker.frontend.ptx_file import bounded
from grader.worker.simulator.backend import SimulatorBackend
from grader.worker.simulator.loading import Simulators
from tests.worker.frontend.desk import needs_nvcc

SQUARE = Interface("matmul", ("A", "B", "C", "N"))
MEMBER = b"""struct Tiles { float a[16], b[16]; };
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Tiles tiles;
    tiles.a[threadIdx.x] = A[0];
    C[threadIdx.x] = tiles.a[threadIdx.x ^ 1];
}
"""


@needs_nvcc
def test_a_copy_whose_kernel_has_other_parameters_is_not_executed(tmp_path: Path) -> None:
    (tmp_path / "kernel.cu").write_bytes(MEMBER)
    build = SimulatorBackend().compile(Compile("kernel.cu", "", SQUARE, (), Limits()), tmp_path).build
    assert build
    launch, path = Launch((16, 1, 1), (16, 1)), tmp_path / build.artifact
    assert Simulators().bounded(build, launch, tmp_path)
    text = path.read_text(encoding="utf-8")
    copy = bounded(text)
    path.write_text(text.removesuffix(copy) + copy.replace(".param .u32", ".param .u64"), encoding="utf-8")
    assert Simulators().bounded(build, launch, tmp_path) is None
