"""What is said of findings that leave more than one possibility."""

from __future__ import annotations

import pytest

from grader.worker.simulator.analysis.ordering import AccessOrder
from grader.worker.simulator.checked.wording import not_searched, unset_variable


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
    fault = unset_variable(lines, local=local, shared=shared)
    assert fault.line == line
    assert fault.sentence.startswith(said)


def test_a_complete_search_has_no_remark():
    assert not_searched(AccessOrder()) == ""


def test_what_hides_races_is_in_the_remark():
    said = not_searched(AccessOrder("mbarrier objects that count bytes"))
    assert said == "Not searched for data races, because the kernel has mbarrier objects that count bytes."
