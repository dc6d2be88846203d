"""Two arrays of dynamic shared memory, which are one."""

from pathlib import Path

import pytest

from grader.explain.dynamic_arrays import with_one_memory
from grader.explain.source_text import code_lines
from grader.model import Fault, Machine, Verdict
from tests import corpus, lab

RACE = Fault(Verdict.DATA_RACE, "A race.", "Put a barrier there.", 9)


def hint(*lines: str) -> str:
    return with_one_memory(RACE, code_lines("\n".join(lines).encode())).hint


@pytest.mark.parametrize(
    "declared",
    [
        ["extern __shared__ float p[], q[];"],
        ["extern volatile __shared__ float p[];", "__shared__ extern __align__(16) char q[];"],
    ],
)
def test_a_race_in_two_dynamic_arrays_is_explained_by_their_address(declared: list[str]):
    said = hint(*declared, "__global__ void matmul(float *C) { p[0] = 1; C[0] = q[0]; }")
    assert "p and q, declared in line 1" in said
    assert "begin at the same address" in said


@pytest.mark.parametrize(
    "functions",
    [
        ["__global__ void one() { p[0] = 1; }", "__global__ void other() { q[0] = 1; }"],
        ["__global__ void matmul() { float *second = q + 256; p[0] = second[0]; }"],
        ["__global__ void matmul() { float *second = &q[256]; p[0] = second[0]; }"],
        ["__device__ void none() {}  // p and q"],
    ],
)
def test_arrays_of_two_kernels_and_those_with_an_offset_are_no_mistake(functions: list[str]):
    assert hint("extern __shared__ float p[];", "extern __shared__ float q[];", *functions) == RACE.hint


def test_a_student_who_declares_one_for_each_operand_reads_what_to_write_instead(simulator: Machine, tmp_path: Path):
    report = lab.grade(corpus.named("wrong/two_dynamic_arrays"), lab.write_rubric(tmp_path, (33,)), simulator)
    fault = lab.first_fault(report)
    assert fault is not None
    assert fault.line == 10
    assert "(float *columns = rows + ELEMENTS)" in fault.hint
