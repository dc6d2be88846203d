"""What to try against a race, by what is known of the barriers around it."""

from dataclasses import replace

import pytest

from grader.explain.race_hints import hint
from grader.ptxsim.records.races import BetweenBarriers, Memory, Race, Scope, TracedAccess

WRITE = TracedAccess(5, reads=False, atomic=False, copies=False, thread=(0, 0, 0), block=(0, 0, 0))
READ = replace(WRITE, line=7, reads=True, thread=(0, 2, 0))
FILLED = Race(Memory("a", True, 0, 4), WRITE, READ, Scope.BLOCK, barriers=BetweenBarriers(reads_filled=True))


@pytest.mark.parametrize(("read", "is_said"), [(7, True), (3, False), (5, False)])
def test_another_buffer_is_offered_for_a_read_in_the_round_that_fills_it(read: int, is_said: bool):
    race = replace(FILLED, second=replace(READ, line=read), in_loop=True)
    assert ("let it read the other buffer" in hint(race)) == is_said


def test_two_writes_at_barriers_of_which_some_threads_skip_one_lead_to_these():
    other = replace(WRITE, line=9, thread=(0, 0, 1))
    assert "meet here at two barriers" in hint(replace(FILLED, second=other, barriers=BetweenBarriers((6, 8))))
