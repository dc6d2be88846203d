"""Whether a worker may have found what it names."""

import pytest

from grader.contract.messages import Checked
from grader.judge.named_arrays import names_others
from grader.model import PtxFacts
from grader.model.findings import OutOfBounds, Room, Space, Thread
from grader.ptxsim.records.local_array import LocalArray
from grader.ptxsim.records.races import Memory, Race, Races, Scope, TracedAccess
from grader.ptxsim.records.traced import ZeroVariable

PROGRAM = b".shared .b8 _ZZ6matmulE4tile[64];\n"
BY = Thread((0, 0, 0), (0, 0, 0), 7)
ACCESS = TracedAccess(7, False, False, False, (0, 0, 0), (0, 0, 0))


@pytest.mark.parametrize(("name", "is_other"), [("tile", False), ("", False), ("your_grade_is_100", True)])
def test_a_shared_array_is_one_of_the_program(name: str, is_other: bool):
    outside = OutOfBounds(BY, True, Room(Space.SHARED, name, 64, 64), 0)
    race = Races((Race(Memory(name, True, 0, 4), ACCESS, ACCESS, Scope.BLOCK),))
    assert [names_others(Checked(found), PROGRAM) for found in (outside, race)] == [is_other, is_other]


def test_a_matrix_needs_no_name_in_the_program():
    assert not names_others(Checked(OutOfBounds(BY, True, Room(Space.MATRIX, "C", 64, 64), 0)), b"")


def test_the_reason_of_a_wrong_answer_is_checked_too():
    assert names_others(Checked(if_wrong=ZeroVariable("scale", False, 7)), PROGRAM)


def test_a_local_array_has_its_name_from_the_compiler():
    facts = PtxFacts(local_arrays=(LocalArray("__local_depot0", 0, 24, "sums"),))
    found = Checked(OutOfBounds(BY, False, Room(Space.LOCAL, "sums", 24, 24), 0))
    assert not names_others(found, PROGRAM, facts)
    assert names_others(found, PROGRAM, PtxFacts())
