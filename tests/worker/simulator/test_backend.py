"""Submissions through the whole grader on the backend that executes PTX."""

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from grader.errors import InfrastructureError
from grader.host import installation, machine, toolkit
from grader.model import Backend, Machine, Report, State, Verdict
from tests import corpus, lab

pytestmark = pytest.mark.skipif(
    shutil.which("nvcc") is None or find_spec("llvmlite") is None, reason="needs nvcc and llvmlite"
)


@pytest.fixture(scope="module")
def ptx() -> Machine:
    return machine.choose(Backend.SIMULATOR)


def graded(path: Path, folder: Path, ptx: Machine, sizes: tuple[int, ...] = (33,), seconds: float = 20) -> Report:
    report = lab.grade(path, lab.write_rubric(folder, sizes, case_seconds=seconds), ptx)
    assert report.state is State.FINISHED, report.infrastructure
    return report


def test_a_missing_barrier_is_a_race_and_gives_wrong_results(tmp_path: Path, ptx: Machine):
    path = corpus.handed_in(corpus.named("wrong/missing_second_barrier"), tmp_path)
    report = graded(path, tmp_path, ptx, (64,))
    assert lab.verdict(report) is Verdict.DATA_RACE, lab.first_fault(report)
    assert Verdict.WRONG_ANSWER in {result.verdict for result in report.results}


def test_a_rubric_makes_races_remarks_that_cost_nothing(tmp_path: Path, ptx: Machine):
    race = corpus.named("wrong/parts_of_another_warp")
    fails = graded(race, tmp_path, ptx)
    rubric = tmp_path / "small.toml"
    rubric.write_text(f'{rubric.read_text()}\n[checks]\nundefined = "remark"\n')
    remarks = lab.grade(race, rubric, ptx)
    assert [result.verdict for result in fails.results if result.remark or result.fault] == [Verdict.DATA_RACE]
    assert {result.verdict for result in remarks.results} == {Verdict.OK}
    assert ["line 23" in result.tolerated.sentence for result in remarks.results if result.tolerated] == [True]
    assert fails.score
    assert (fails.score.earned, remarks.score.earned) == (20, 100)


def test_the_machine_names_the_compiler(ptx: Machine):
    assert ptx.versions["compiler"].startswith(("nvcc", "NVRTC"))
    assert {"llvmlite", "numpy"} <= ptx.versions.keys()


def test_what_is_missing_comes_with_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(machine, "_installed", lambda _: False)
    with pytest.raises(InfrastructureError) as caught:
        machine.choose(Backend.SIMULATOR)
    assert "llvmlite is not installed" in caught.value.sentence
    assert "pip install llvmlite" in caught.value.hint


def test_without_a_compiler_the_message_names_the_packages(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(toolkit, "find", lambda: None)
    monkeypatch.setattr(toolkit, "find_nvrtc", lambda: None)
    with pytest.raises(InfrastructureError) as caught:
        machine.choose(Backend.SIMULATOR)
    assert "there is no CUDA compiler" in caught.value.sentence
    assert installation.install("compiler") in caught.value.hint


ONE_WRONG_BLOCK = lab.naive_with("if (N > 1025 && blockIdx.x == 37 && blockIdx.y == 11) return;")


def test_one_wrong_block_is_detected_at_a_size_where_families_share_the_blocks(tmp_path: Path, ptx: Machine):
    path = tmp_path / "matmul.cu"
    path.write_text(ONE_WRONG_BLOCK)
    results = [result for result in graded(path, tmp_path, ptx, (33, 1026)).results if result.case.shape.N == 1026]
    assert [result.verdict for result in results if result.verdict is not Verdict.OK] == [Verdict.WRONG_ANSWER]
