"""What is said of findings that leave more than one possibility."""

import pytest

from grader.explain.answers import Asked, fault_of
from grader.model import Interface, Limits, Shape
from grader.ptxsim.records.traced import UnsetVariable

ASKED = Asked(Interface("matmul", ("A", "B", "C", "N")), Shape(4, 4, 4), Limits())


@pytest.mark.parametrize(
    ("lines", "local", "shared", "line", "said"),
    [
        ((14,), False, False, 14, "Line 14 uses a variable that was never set"),
        ((14, 20), False, False, None, "The kernel uses a variable that"),
        ((0,), False, False, None, "The kernel uses a variable that"),
        ((14,), True, False, None, "The kernel uses a variable or an element of a local array that"),
        ((14,), False, True, None, "The kernel uses a variable or an element of shared memory that"),
        ((), True, False, None, "The kernel uses an element of a local array that"),
    ],
)
def test_a_line_is_named_only_where_no_other_can_be_meant(
    lines: tuple[int, ...], local: bool, shared: bool, line: int | None, said: str
):
    fault = fault_of(UnsetVariable(lines, local, shared), ASKED)
    assert fault.line == line
    assert fault.sentence.startswith(said)
