"""Two threads that are in one of several buffers at the same time."""

import pytest

from grader.explain.buffers import is_of_buffers, of_buffers
from grader.explain.source_text import SourceText
from grader.model.scenes import NamedValue, Scene
from grader.ptxsim.records.races import Memory, Race, Scope, TracedAccess

LINES = [
    "__shared__ float a[2][16];",
    "for (int t = 0; t < n; ++t) {",
    "    int set = t / 2 % 2;",
    "    a[set][x] = 1;",
]
READ, STORE = (TracedAccess(line, line == 6, False, False, (0, 0, 0), (0, 0, 0)) for line in (6, 4))
RACE = Race(Memory("a", is_shared=True, offset=0, element=4), READ, STORE, Scope.BLOCK, in_loop=True)


def at(line: int, index: str, step: str) -> Scene:
    return Scene((0, 0, 0), (0, 0, 0), line, (NamedValue("set", index, 3), NamedValue("t", step, 2)), ())


@pytest.mark.parametrize(("index", "barrier", "is_told"), [("0", "sync()", 1), ("1", "sync()", 0), ("0", "", 0)])
def test_a_buffer_is_told_with_its_index_if_that_stays_in_a_loop_with_a_barrier(index: str, barrier: str, is_told: int):
    source = SourceText((*LINES, f"    block.{barrier};", "    sum += a[set][k];", "}"))
    told = of_buffers(RACE, at(6, "0", "0"), at(4, index, "1"), source)
    assert (is_of_buffers(RACE, source), bool(told)) == (True, bool(is_told))
    said = "Both are in the same buffer of a: line 6 with set = 0 and t = 0, and line 4 with set = 0 and t = 1."
    assert not told or (told.sentence, told.line) == (said, 3)
