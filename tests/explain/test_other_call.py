"""The call for which a kernel is correct, as a student reads it."""

from dataclasses import replace

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


def test_a_turned_grid_may_come_from_the_tile_or_from_its_axes():
    lab, other = (KernelCall(SQUARE, Launch((16, 16, 1), (64, 16), grid_x=axis)) for axis in ("columns", "rows"))
    assert with_call(WRONG, lab, other, 25).hint == (
        "It is correct if the numbers of blocks along x and y are exchanged. If a block computes 16 columns and 64 "
        "rows of C, write .tile = {16, 64} in line 25: the columns come first. If it takes its rows from "
        "blockIdx.x, write .grid_x = ROWS there instead."
    )


def test_no_launch_is_named_for_a_kernel_whose_threads_leave_an_array_of_their_own():
    left = replace(WRONG, diagnosis="outside-local")
    assert with_call(left, LAB, OTHER, 25) == left
