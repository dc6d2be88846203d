"""Every submission with a known verdict, through the whole grader. tests/submissions/README.md says how to add one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from grader import resources
from grader.model import Backend, Machine, Report, State, Verdict
from tests import lab

SUBMISSIONS = Path(__file__).parent / "submissions"
ALL = sorted(SUBMISSIONS.rglob("*.cu"))
OURS = sorted([*resources.folder("reference").glob("*.cu"), *resources.folder("student_template").glob("*.cu")])
FORM = "// expect: VERDICT [or VERDICT] or // expect: simulator VERDICT, cuda VERDICT; says: TEXT"
FIRST_LINE = re.compile(r"// expect: ([^;]+)(?:; says: (.+))?")
PART = re.compile(r"(?:(simulator|cuda) )?(.*)")
SIZES = (33, 64, 100, 129, 257)


@dataclass(frozen=True)
class Expected:
    """The verdicts that a file may get on a backend, and what its fault must say."""

    verdicts: frozenset[Verdict]
    says: str


def expected(path: Path, backend: Backend) -> Expected:
    line = first_line(path)
    read = FIRST_LINE.fullmatch(line)
    assert read, f"{path.name} must begin with {FORM}, and not with {line!r}"
    for part in read[1].split(", "):
        only, words = PART.fullmatch(part).groups()
        if only in (None, backend):
            return Expected(frozenset(known(word, path) for word in words.split(" or ")), read[2] or "")
    pytest.fail(f"{path.name} says nothing of {backend}: {line!r}")


def first_line(path: Path) -> str:
    beside = path.with_name(f"{path.name}.expect")
    with (beside if beside.exists() else path).open(encoding="utf-8", errors="replace") as file:
        return file.readline().strip()


def known(word: str, path: Path) -> Verdict:
    assert word in set(Verdict), f"{path.name} expects {word!r}, which is none of {', '.join(Verdict)}"
    return Verdict(word)


def check(report: Report, path: Path) -> None:
    want, fault = expected(path, report.machine.backend), lab.first_fault(report)
    assert report.state is State.FINISHED, report.infrastructure
    assert lab.verdict(report) in want.verdicts, fault
    if fault:
        assert want.says.lower() in f"{fault.sentence} {fault.hint}".lower()


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.fixture(scope="module")
def small_lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lab.write_rubric(tmp_path_factory.mktemp("lab"), SIZES, compile_seconds=6, case_seconds=5, memory_mib=1024)


@pytest.fixture(scope="module")
def timed_lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lab.write_rubric(tmp_path_factory.mktemp("lab"), (*SIZES, 512), timed=(257, 512))


@pytest.mark.parametrize("path", ALL, ids=name)
def test_the_first_line_says_what_to_expect_of_every_backend(path: Path):
    assert all(expected(path, backend).verdicts for backend in Backend)


@pytest.mark.parametrize("path", ALL, ids=name)
def test_a_submission_gets_its_verdict_on_the_simulator(path: Path, small_lab: Path, simulator: Machine):
    check(lab.grade(path, small_lab, simulator), path)


@pytest.mark.gpu
@pytest.mark.parametrize("path", ALL, ids=name)
def test_a_submission_gets_its_verdict_on_the_gpu(path: Path, timed_lab: Path, gpu: Machine):
    check(lab.grade(path, timed_lab, gpu), path)


@pytest.mark.parametrize("path", OURS, ids=name)
def test_our_own_kernels_are_right_on_the_simulator(path: Path, small_lab: Path, simulator: Machine):
    report = lab.grade(path, small_lab, simulator)
    assert lab.verdict(report) is Verdict.OK, lab.first_fault(report)


@pytest.mark.gpu
@pytest.mark.parametrize("path", OURS, ids=name)
def test_our_own_kernels_are_right_on_the_gpu(path: Path, timed_lab: Path, gpu: Machine):
    report = lab.grade(path, timed_lab, gpu)
    assert lab.verdict(report) is Verdict.OK, lab.first_fault(report)


@pytest.mark.parametrize(("folder", "least"), [("honest", 10), ("wrong", 15), ("hostile", 8)])
def test_there_are_enough_submissions_of_each_kind(folder: str, least: int):
    assert len(list((SUBMISSIONS / folder).glob("*.cu"))) >= least


@pytest.mark.parametrize("line", ["", "// a kernel", "// expect: nearly-ok", "// expect: cuda ok"])
def test_a_first_line_that_cannot_be_read_fails_with_the_name_of_the_file(line: str, tmp_path: Path):
    path = tmp_path / "odd.cu"
    path.write_text(f"{line}\n")
    with pytest.raises((AssertionError, pytest.fail.Exception), match=r"odd\.cu"):
        expected(path, Backend.SIMULATOR)
