import pytest

from grader.explain.answers import accesses
from grader.explain.finding import diagnosis
from grader.model import AccessKind, ThreadAccess
from grader.model.diagnostics import LaunchFlaw, LaunchMistake, NoKernel
from grader.model.findings import Crash, Crashed, Deadlock, OutOfBounds, Room, Space, Thread
from grader.model.watched import Watched, WatchedUnset
from grader.ptxsim.records.fields import Site
from grader.ptxsim.records.races import Memory, Race, Races, Scope, TracedAccess

THREAD = Thread((1, 2, 0), (3, 0, 0), 7)
READ = TracedAccess(7, True, False, False, (3, 0, 0), (1, 2, 0))


@pytest.mark.parametrize(
    ("finding", "word"),
    [
        (NoKernel("matmul"), "no-kernel"),
        (OutOfBounds(THREAD, True, Room(Space.SHARED, "As"), 0), "outside-shared"),
        (Crashed(THREAD, Crash.TILE_DIFFERS), "crashed-tile-differs"),
        (Races((Race(Memory("As", True, 0, 4), READ, READ, Scope.GRID),)), "race-grid"),
        (LaunchMistake(LaunchFlaw.TWICE, 3), "launch-mistake-LAUNCH-is-used-twice"),
        (Watched((WatchedUnset(THREAD, in_c=True),)), "watched-unset"),
    ],
)
def test_a_diagnosis_is_the_kind_of_the_finding(finding: object, word: str):
    assert diagnosis(finding) == word


def test_the_threads_of_a_finding_have_their_lines():
    outside = OutOfBounds(THREAD, True, Room(Space.SHARED, "As"), 0)
    assert accesses(outside) == (ThreadAccess(7, AccessKind.WRITES, (3, 0, 0), (1, 2, 0)),)
    stuck = Deadlock((0, 0, 0), (Site(4, 32, True), Site(9, 32, True)), 0, 64)
    assert [access.line for access in accesses(stuck)] == [4, 9]
