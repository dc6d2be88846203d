"""The identities that the sources of a class give a student, over several runs."""

from pathlib import Path

from grader.batch.results import names
from grader.batch.results.names import Identity


def test_a_resubmission_from_a_folder_keeps_the_number_of_the_platform(tmp_path: Path) -> None:
    jane = Identity("doejane-77", "canvas", "77")
    names.record({"doejane-77": jane}, tmp_path)
    names.record({"doejane-77": Identity("doejane-77"), "bob": Identity("bob")}, tmp_path)
    assert names.read(tmp_path) == {"doejane-77": jane, "bob": Identity("bob")}


def test_a_folder_that_another_student_has_now_loses_the_number(tmp_path: Path) -> None:
    names.record({"x": Identity("Jane Doe", "canvas", "77")}, tmp_path)
    names.record({"x": Identity("Bob")}, tmp_path)
    assert names.read(tmp_path) == {"x": Identity("Bob")}
