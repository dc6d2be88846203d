"""The arrays that PTX merges into one, as nvcc's code generator prints them."""

from pathlib import Path

import pytest

from grader.contract.messages import Compile
from grader.ptxsim.records.fields import LocalArray
from grader.worker.frontend.compiling import compile_ptx
from grader.worker.frontend.local_arrays import local_arrays
from tests.worker.frontend.desk import LIMITS, SQUARE, needs_nvcc

PTX = """
.visible .entry matmul(
	.param .u64 matmul_param_0
)
{
	.local .align 16 .b8 	__local_depot0[48];
	add.u64 	%rd1, %SPL, 0;
	add.u64 	%rd2, %SP, 16;
}
"""
PRINTED = """
# Machine code for function matmul: NoPHIs
Frame Objects:
  fi#0: size=12, align=4, at location [SP]
  fi#1: size=32, align=16, at location [SP]

  %9:int64regs =  %stack.0.sums.i, 0
  %15:int64regs =  %stack.1.__made, 0

# End machine code for function matmul.
"""
ARRAYS = (LocalArray("__local_depot0", 0, 12, "sums"), LocalArray("__local_depot0", 16, 32, ""))
KERNEL = b"""
extern "C" __global__ void matmul(const float* A, const float* B, float* C, int n) {
    float sums[3] = {}; double products[4] = {};
    for (int i = 0; i < n; i++) { sums[i % 3] += A[i]; products[i % 4] += B[i]; }
    C[0] = sums[n % 3] + products[n % 4];
}
"""


def test_sizes_and_names_are_those_of_the_code_generator() -> None:
    assert local_arrays(PTX, PRINTED) == ARRAYS


@pytest.mark.parametrize(("old", "new"), [
    ("size=12", "size=20"),
    ("align=4, at location [SP]", "align=4, fixed, at location [SP+8]"),
    ("%stack.1.__made, 0", "%stack.1.__made, 4"),
    ("%stack.0.sums.i, 0", "%stack.0.sums.i, 16"),
    ("%stack.0.sums.i, 0", ""),
    ("# End machine code for function matmul.", ""),
    ("# Machine code for function matmul", "# Machine code for function other"),
])  # fmt: skip
def test_arrays_are_unknown_where_the_ptx_does_not_agree(old: str, new: str) -> None:
    assert local_arrays(PTX, PRINTED.replace(old, new)) == ()


@needs_nvcc
@pytest.mark.parametrize("architecture", ["sm_80", "sm_90", "sm_100"])
def test_nvcc_names_the_arrays_of_a_kernel(architecture: str, tmp_path: Path) -> None:
    program = compile_ptx(KERNEL, Compile("kernel.cu", "", SQUARE, ("-O3",), LIMITS), tmp_path, architecture)
    facts = program.build.ptx_facts
    assert facts is not None
    assert {array.name: array.size for array in facts.local_arrays} == {"sums": 12, "products": 32}
