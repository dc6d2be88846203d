"""Two arrays of shared memory that overlap."""

from pathlib import Path

import pytest

from grader.explain.dynamic_arrays import with_one_memory
from grader.explain.source_text import code_lines
from grader.model import AccessKind, Fault, Machine, ThreadAccess, Verdict
from tests import corpus, lab


def hint(*lines: str) -> str:
    """Return what is said of a race between writes in the last two lines."""
    accesses = tuple(ThreadAccess(len(lines) + past, AccessKind.WRITES) for past in (-1, 0))
    race = Fault(Verdict.DATA_RACE, "A race.", "Put a barrier there.", accesses=accesses)
    return with_one_memory(race, code_lines("\n".join(lines).encode())).hint


@pytest.mark.parametrize(
    "declared",
    [
        ["extern __shared__ float p[], q[];"],
        ["extern volatile __shared__ float p[];", "__shared__ extern __align__(16) char q[];"],
    ],
)
def test_a_race_in_two_dynamic_arrays_is_explained_by_their_address(declared: list[str]):
    said = hint(*declared, "p[0] = 1;", "q[0] = 1;")
    assert "p and q, declared in line 1" in said
    assert "begin at the same address" in said


@pytest.mark.parametrize(
    "declared",
    [
        "float *p = pool, *q = pool + 16;",
        "float (*p)[17] = (float (*)[17])pool; float *q = pool + 256;",
        "auto p = pool; auto q = p + 16;",
        "float (&p)[16] = *(float (*)[16])pool; const float *q = &pool[8];",
    ],
)
@pytest.mark.parametrize("memory", ["extern __shared__ char pool[];", "__shared__ float pool[512];"])
def test_a_race_in_two_parts_of_one_array_is_explained_by_where_they_begin(memory: str, declared: str):
    assert hint(memory, declared, "p[0] = 1;", "q[0] = 1;").startswith("p and q, declared in line 2, overlap:")


@pytest.mark.parametrize(
    "lines",
    [
        ["extern __shared__ float p[], q[];", "p[0] = 1;", "p[1] = 1;"],
        ["__shared__ float p[16], q[16];", "p[0] = 1;", "q[0] = 1;"],
        ["__shared__ float r[16], s[16];", "float *p = r, *q = s;", "p[0] = 1;", "q[0] = 1;"],
        ["float *p = A;", "p[0] = 1;", "q[0] = 1;"],
    ],
)
def test_arrays_with_memory_of_their_own_are_no_mistake(lines: list[str]):
    assert hint(*lines) == "Put a barrier there."


def test_a_student_who_declares_one_for_each_operand_reads_what_to_write_instead(simulator: Machine, tmp_path: Path):
    report = lab.grade(corpus.named("wrong/two_dynamic_arrays"), lab.write_rubric(tmp_path, (33,)), simulator)
    fault = lab.first_fault(report)
    assert fault is not None
    assert fault.line == 10
    assert "(float *columns = rows + ELEMENTS)" in fault.hint
