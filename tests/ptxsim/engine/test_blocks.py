"""Launches of some blocks of a grid."""

import shutil
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.syntax.parser import parse
from tests.ptxsim.programs import ptx_of

pytestmark = pytest.mark.skipif(
    shutil.which("nvcc") is None or find_spec("llvmlite") is None, reason="needs nvcc and llvmlite"
)

MARKS = """
extern "C" __global__ void mark(int *ran)
{
    int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    if (threadIdx.x == 0)
        STATEMENT;
}
"""


def ran(folder: Path, statement: str, blocks: list[int]) -> list[int]:
    path = folder / "mark.cu"
    path.write_text(MARKS.replace("STATEMENT", statement))
    buffers = {"ran": np.zeros(3 * 4 * 5, np.int32)}
    simulator = Simulator(parse(ptx_of(path), path.name), "mark", (32, 1, 1))
    simulator.launch((3, 4, 5), buffers, ["ran"], blocks=np.array(blocks))
    return np.flatnonzero(buffers["ran"]).tolist()


def test_the_listed_blocks_run_with_their_own_numbers(tmp_path: Path):
    assert ran(tmp_path, "ran[block] = 1", [0, 7, 8, 31, 59]) == [0, 7, 8, 31, 59]


@pytest.mark.parametrize("statement", ["atomicAdd(ran + block, 1)", "ran[block] = 1; __threadfence()"])
def test_blocks_that_may_depend_on_each_other_all_run(tmp_path: Path, statement: str):
    assert ran(tmp_path, f"{{ {statement}; }}", [5]) == list(range(60))


def test_a_barrier_in_a_branch_does_not_make_other_blocks_run(tmp_path: Path):
    statement = "ran[block] = 1; if (threadIdx.x & 1) __syncthreads(); else __syncthreads()"
    assert ran(tmp_path, statement, [5]) == [5]


@pytest.mark.parametrize(
    "statement",
    [
        "__shared__ int own; own = 0; atomicAdd(&own, 1); ran[block] = own",
        "__shared__ int own; own = 7; atomicCAS(&own, 7, 1); ran[block] = own",
        "ran[block] = 1; __threadfence_block()",
    ],
)
def test_atomics_and_fences_within_a_block_do_not_make_other_blocks_run(tmp_path: Path, statement: str):
    assert ran(tmp_path, f"{{ {statement}; }}", [5]) == [5]
