"""Checked launches under a compute-sanitizer that repeats what the real one has recorded."""

import json
from pathlib import Path
from typing import Any

import pytest

from grader.contract.messages import Check
from grader.errors import InfrastructureError
from grader.explain.answers import Explained, explained
from grader.explain.finding import Asked
from grader.host.process import Exit, run
from grader.model import Build, Case, Interface, Launch, Limits, Shape, Verdict
from grader.worker.cuda import sanitizer
from grader.worker.cuda.sanitizer import Sanitizer
from tests.desk import PATIENCE

PROGRAM = Path(__file__).parent / "compute-sanitizer"
SQUARE = Interface("matmul", ("A", "B", "C", "N"))
BUILD = Build("submission.cubin", "matmul", ("pointer", "pointer", "pointer", "integer"), None, "nvcc", ())
CHECK = Check(BUILD, Launch((16, 16, 1), (16, 16)), Case(Shape(33, 33, 33), "checked", 1), SQUARE, Limits())


@pytest.fixture
def checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def check(ptx: bytes = b"mbarrier.arrive.b64 %rd1; bar.sync 0;", **recorded: str) -> Explained:
        (tmp_path / BUILD.artifact).write_bytes(b"\x7fELF\0" + ptx)
        monkeypatch.setenv("RECORDED", json.dumps(recorded))
        answer = Sanitizer(PROGRAM).check(CHECK, tmp_path)
        assert answer.spent == (recorded.get("memcheck") is not None)
        return explained(answer, Asked(SQUARE, CHECK.case.shape, Limits()))

    return check


def stop_soon(tool: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this tool reach its limit at once, and the others never."""

    def run_for(command: list[str | Path], *, seconds: float, **words: Any) -> Exit:  # noqa: ARG001 - another is used
        return run(command, seconds=0.5 if f"--tool={tool}" in command else PATIENCE, **words)

    monkeypatch.setattr(sanitizer, "run", run_for)


def test_a_launch_without_records_is_correct_whatever_the_kernel_prints(checked):
    assert checked() == Explained(None, None, "", "")


@pytest.mark.parametrize(
    ("recorded", "verdict", "line", "words"),
    [
        ({"memcheck": "outside_a"}, Verdict.OUT_OF_BOUNDS, 5, "outside A in line 5: index 1089 of 1089 elements"),
        (
            {"memcheck": "outside_shared"},
            Verdict.OUT_OF_BOUNDS,
            2,
            "writes byte 1024 of shared memory in line 2, which is outside it",
        ),
        ({"racecheck": "race"}, Verdict.DATA_RACE, 7, "Line 9 reads byte 1024 of shared memory in thread (0, 7)"),
        ({"racecheck": "race_of_a_warp"}, Verdict.DATA_RACE, 6, "Line 6 writes byte 644 of shared memory"),
        ({"racecheck": "cluster"}, Verdict.DATA_RACE, 11, "a block that might not have entered yet"),
        ({"initcheck": "unset_heap"}, Verdict.UNSET_MEMORY, 6, "in line 6 before anything has been written there"),
        ({"synccheck": "mask"}, Verdict.WARP_MASK, 6, "Thread (0, 6) of block (2, 2) calls a warp operation"),
    ],
)
def test_a_record_is_a_fault_with_its_line(checked, recorded: dict[str, str], verdict: Verdict, line: int, words: str):
    fault = checked(**recorded).fault
    assert (fault.verdict, fault.line) == (verdict, line)
    assert words in fault.sentence


def test_a_race_names_both_accesses_for_the_page(checked):
    accesses = checked(racecheck="race").fault.accesses
    assert [(access.thread, access.line, access.does) for access in accesses] == [
        ((0, 7, 0), 9, "reads"),
        ((0, 0, 0), 7, "writes"),
    ]


def test_an_access_outside_comes_before_everything_else(checked):
    answer = checked(memcheck="outside_a", racecheck="race", initcheck="unset_heap", synccheck="barrier")
    assert answer.fault.verdict is Verdict.OUT_OF_BOUNDS


def test_a_barrier_that_stops_nothing_is_a_remark(checked):
    answer = checked(synccheck="barrier")
    assert answer.fault is None
    assert "line 8" in answer.remark
    assert "This GPU tolerates that" in answer.remark


def test_a_barrier_that_a_kernel_waits_at_is_a_fault(checked, monkeypatch: pytest.MonkeyPatch):
    stop_soon("memcheck", monkeypatch)
    assert checked(synccheck="barrier", memcheck="never").fault.verdict is Verdict.BARRIER


def test_a_read_of_c_is_the_reason_of_a_wrong_answer_only(checked):
    answer = checked(initcheck="unset_c")
    assert answer.fault is None
    assert "an element of C in line 5" in answer.reason.sentence


def test_a_tool_that_does_not_end_is_a_remark(checked, monkeypatch: pytest.MonkeyPatch):
    stop_soon("racecheck", monkeypatch)
    assert checked(racecheck="never").remark == "racecheck of compute-sanitizer did not finish within 10 s."


def test_a_tool_that_does_not_work_is_a_grader_error(checked):
    with pytest.raises(
        InfrastructureError, match=r"memcheck of compute-sanitizer .*: Unable to find injection library"
    ):
        checked(memcheck="failed")


def test_a_tool_that_stops_the_kernel_without_a_record_is_a_grader_error(checked):
    with pytest.raises(InfrastructureError, match="could not watch the launch"):
        checked(memcheck="illegal_instruction")


@pytest.mark.parametrize(
    "barrier", [b"bar.arrive 1, 64;", b"barrier.arrive 1, 64;", b"barrier.cta.arrive.aligned 1, 64;"]
)
def test_races_are_not_searched_for_where_threads_only_arrive_at_a_barrier(checked, barrier: bytes):
    answer = checked(barrier, racecheck="race")
    assert answer.fault is None
    assert answer.remark.startswith("Not searched for data races")
