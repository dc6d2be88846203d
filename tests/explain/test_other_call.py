"""The call for which a kernel is correct, as a student reads it."""

from __future__ import annotations

import pytest

from grader.explain.other_call import with_call
from grader.model import Fault, Interface, KernelCall, Launch, Verdict

SQUARE = Interface("matmul", ("A", "B", "C", "N"))
LAB = KernelCall(SQUARE, Launch((16, 16, 1), (16, 16)))
OTHER = KernelCall(SQUARE, Launch((32, 32, 1), (32, 32)))
WRONG = Fault(Verdict.WRONG_ANSWER, "Wrong.", line=3)


@pytest.mark.parametrize(("launch", "line", "where"), [(0, 3, "below the kernel."), (25, 25, "in line 25.")])
def test_another_launch_leads_to_the_line_of_launch_if_there_is_one(launch: int, line: int, where: str):
    fault = with_call(WRONG, LAB, OTHER, launch)
    assert fault.hint.endswith(where)
    assert fault.line == line
