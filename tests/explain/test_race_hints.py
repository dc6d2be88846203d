"""What to try against a race, by what is known of the barriers around it."""

from dataclasses import replace

import pytest

from grader.explain.race_hints import hint
from grader.ptxsim.records.races import Memory, Race, Scope, TracedAccess

WRITE = TracedAccess(5, reads=False, atomic=False, copies=False, thread=(0, 0, 0), block=(0, 0, 0))
READ = replace(WRITE, line=7, reads=True, thread=(0, 2, 0))
RACE = Race(Memory("a", True, 0, 4), WRITE, READ, Scope.BLOCK)


def test_two_writes_at_barriers_of_which_some_threads_skip_one_lead_to_these():
    other = replace(WRITE, line=9, thread=(0, 0, 1))
    assert "meet here at two barriers" in hint(replace(RACE, second=other, met=(6, 8)))
    assert "meet here at two barriers" in hint(replace(RACE, scope=Scope.WARP, met=(6, 8)))


@pytest.mark.parametrize(("both", "atomic"), [(True, False), (False, False), (True, True)])
def test_elements_of_its_own_are_asked_for_where_both_threads_write(*, both: bool, atomic: bool):
    race = replace(RACE, both_write=both, first=replace(WRITE, atomic=atomic))
    assert ("elements of its own?" in hint(race)) == (both and not atomic)
