"""Which buffer the two accesses of a race are to."""

from dataclasses import replace

import pytest

from grader.contract.messages import Replayed
from grader.explain.reruns import Rerun
from grader.explain.scenes import detailed
from grader.model import Fault, Shape, Verdict
from grader.model.scenes import NamedValue, Scene
from grader.ptxsim.records.races import Memory, Race, Races, Scope, TracedAccess

READ = TracedAccess(2, reads=True, atomic=False, copies=False, thread=(0, 2, 0), block=(0, 0, 0))
RACE = Race(Memory("a", True, 0, 4), READ, replace(READ, line=3, reads=False), Scope.BLOCK)
FAULT = Fault(Verdict.DATA_RACE, "Line 2 reads, and line 3 writes.", "Put a barrier between.", 3)


@pytest.mark.parametrize(
    ("declaration", "next_", "line"),
    [("a[2][16]", "0", 7), ("a[2][16]", "1", 3), ("a[STAGES][16]", "0", 7), ("a[16][16]", "0", 3)],
)
def test_a_write_to_the_buffer_that_is_read_leads_to_what_chooses_it(declaration: str, next_: str, line: int):
    source = [f"__shared__ float {declaration};", "sum += a[cur][k];", "a[next][k] = 0;", "#define STAGES 3"]
    named = NamedValue("next", next_, 7), NamedValue("cur", "0", 6)
    scene = Scene((0, 0, 0), (0, 0, 0), 3, named, ())
    again = Rerun(source, Shape(33, 33, 33), Races((RACE,)))
    fault = detailed(FAULT, Replayed(scene=scene), again)
    said = "With next = 0 (line 7) and cur = 0 (line 6), line 3 writes to the buffer that line 2 reads: a[next] and"
    assert (fault.line, said in fault.sentence) == (line, line == 7)


@pytest.mark.parametrize("reads", [True, False])
def test_a_write_before_another_access_is_not_told_as_one_after_a_read(reads: bool):
    source = ["__shared__ float a[2][16];", "a[cur][k] = 0;", "sum += a[cur][k];"]
    scene = Scene((0, 0, 0), (0, 0, 0), 3, (NamedValue("cur", "0", 6),), ())
    race = replace(RACE, first=replace(READ, reads=False), second=replace(READ, line=3, reads=reads))
    assert detailed(FAULT, Replayed(scene=scene), Rerun(source, Shape(33, 33, 33), Races((race,)))) == FAULT


@pytest.mark.parametrize("line", [2, 3])
def test_one_variable_for_both_accesses_chooses_no_other_buffer(line: int):
    source = ["__shared__ float a[2][16];", "a[half][k] += a[half][k + s];", "a[half][k + 1] = sum;"]
    scene = Scene((0, 0, 0), (0, 0, 0), line, (NamedValue("half", "0", 6),), ())
    race = replace(RACE, second=replace(READ, line=line, reads=False))
    assert detailed(FAULT, Replayed(scene=scene), Rerun(source, Shape(33, 33, 33), Races((race,)))) == FAULT
