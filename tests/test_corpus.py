"""Every submission with a known verdict, through the whole grader. tests/submissions/README.md says how to add one."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from grader.host import installation
from grader.model import Backend, Fault, Machine, Report, State, Verdict
from grader.rubric import load
from grader.sandbox.processes import start_process
from tests import corpus, lab
from tests.kept_answers import start_kept

ALL = corpus.submissions()
STARTERS = sorted(installation.folder("student_template").glob("*.cu"))
OURS = sorted([*installation.folder("reference").glob("*.cu"), *STARTERS])
# Only hostile and broken files need confined workers, which take longer than a kernel; ten of the others have them too.
KERNELS = [path for path in ALL if path.parent.name in {"honest", "wrong"}]
CONFINED = sorted({*ALL} - {*KERNELS} | {*KERNELS[:: len(KERNELS) // 10]})
# A fault is explained by running the kernel again, which takes longer than all before it.
EXPLAINED = CONFINED[::10]
SETTLED = [path for path in ALL if path not in EXPLAINED]  # which are graded to the end instead
FORM = (
    "// expect: VERDICT [or VERDICT] or // expect: BACKEND VERDICT, BACKEND VERDICT; "
    "lab: NAME; sizes: N, N; lines: N, N; says: TEXT"
)
NUMBERS = r"(\d+(?:, \d+)*)"
FIRST_LINE = re.compile(
    rf"// expect: ([^;]+)(?:; lab: ([^;]+))?(?:; sizes: {NUMBERS})?(?:; lines: {NUMBERS})?(?:; says: (.+))?"
)
PART = re.compile(r"(?:(simulator|cuda) )?(.*)")
REACHES_LIMIT = re.compile(r"timeout|says: time")  # on one backend or the other
SIZES = (33, 64, 100, 129, 257)
# A wrong kernel runs the sizes up to the first that shows it, and others run all. At 68 there are whole tiles, edges,
# and vectors of four beside an edge.
SIZES_OF = {"honest": (68,), "wrong": SIZES, "hostile": (33, 100), "broken": (33, 100)}
LabOf: TypeAlias = Callable[[Path], Path]
LABS = {"square": lab.SQUARE, "tensor-cores": lab.TENSOR_CORES}
SENTENCE = re.compile(r"^\W*(?://|/\*) (?!expect:).{20,}", re.MULTILINE)


@dataclass(frozen=True)
class Expected:
    """The verdicts that a file may get on a backend, the lab and the sizes that it is for, and what its fault must say.

    The simulator's fault must name all of the lines. The sizes are those of the simulator.
    """

    verdicts: frozenset[Verdict]
    lab: str
    says: str
    lines: frozenset[str] = frozenset()
    sizes: tuple[int, ...] = SIZES

    def check(self, fault: Fault | None, backend: Backend) -> None:
        assert (fault.verdict if fault else Verdict.OK) in self.verdicts, fault
        if fault:
            text = f"{fault.sentence} {fault.hint}".lower()
            assert any(each.lower() in text for each in self.says.split(" / ")), text
            named = set(re.findall(r"line (\d+)", fault.sentence.lower()))
            assert backend is Backend.CUDA or self.lines <= named, fault.sentence


def expected(path: Path, backend: Backend) -> Expected:
    line = first_line(path)
    read = FIRST_LINE.fullmatch(line)
    assert read, f"{path.name} must begin with {FORM}, and not with {line!r}"
    assert read[2] in (None, *LABS), f"{path.name} is for the lab {read[2]!r}, which is none of {', '.join(LABS)}"
    parts = {match[1]: match[2] for part in read[1].split(", ") if (match := PART.fullmatch(part))}
    for named in (backend, None):
        if named in parts:
            verdicts = frozenset(known(word, path) for word in parts[named].split(" or "))
            sizes = tuple(map(int, read[3].split(", "))) if read[3] else SIZES_OF.get(path.parent.name, SIZES)
            lines = frozenset(read[4].split(", ")) if read[4] else frozenset[str]()
            return Expected(verdicts, read[2] or "square", read[5] or "", lines, sizes)
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
    want.check(fault, report.machine.backend)


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.fixture(scope="module")
def lab_of(tmp_path_factory: pytest.TempPathFactory) -> LabOf:
    """The lab of a submission; what reaches a limit of time is stopped sooner in it."""

    @cache
    def written(name: str, sizes: tuple[int, ...], reaches_limit: bool) -> Path:
        compiling, case = (3, 1) if reaches_limit else (6, 5)
        limits: dict[str, Any] = {"compile_seconds": compiling, "case_seconds": case, "memory_mib": 1024}
        return lab.write_rubric(tmp_path_factory.mktemp(name), sizes, kernel=LABS[name], **limits)

    def choose(submission: Path) -> Path:
        want = expected(submission, Backend.SIMULATOR)
        is_endless = submission.parent.name != "honest" and REACHES_LIMIT.search(first_line(submission))
        return written(want.lab, want.sizes, bool(is_endless))

    return choose


@pytest.fixture(scope="module")
def timed_labs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {
        name: lab.write_rubric(tmp_path_factory.mktemp(name), (*SIZES, 512), timed=(257, 512), kernel=kernel)
        for name, kernel in LABS.items()
    }


@pytest.mark.parametrize("path", ALL, ids=name)
def test_the_first_line_says_what_to_expect_of_every_backend(path: Path):
    assert all(expected(path, backend).verdicts for backend in Backend)


def test_a_comment_at_the_top_says_what_a_submission_adds():
    tops = {path: path.read_text(encoding="utf-8", errors="replace").split("\n")[:3] for path in ALL}
    unreadable = {"binary", "empty", "utf16"}
    silent = [name(path) for path, lines in tops.items() if not SENTENCE.search("\n".join(lines))]
    assert {Path(each).name for each in silent} <= unreadable


@pytest.mark.usefixtures("simulator")
@pytest.mark.parametrize("path", SETTLED, ids=name)
def test_a_submission_gets_its_verdict_on_the_simulator(path: Path, lab_of: LabOf):
    start = start_process if path in CONFINED else start_kept
    fault = lab.fault_here(corpus.content(path), load.load(lab_of(path)), f"{path.stem}.cu", start)
    expected(path, Backend.SIMULATOR).check(fault, Backend.SIMULATOR)


@pytest.mark.parametrize("path", EXPLAINED, ids=name)
def test_a_submission_keeps_its_verdict_to_the_end_of_its_grade(
    path: Path, lab_of: LabOf, simulator: Machine, tmp_path: Path
):
    check(lab.grade(corpus.handed_in(path, tmp_path), lab_of(path), simulator), path)


@pytest.mark.gpu
@pytest.mark.parametrize("path", ALL, ids=name)
def test_a_submission_gets_its_verdict_on_the_gpu(path, timed_labs: dict[str, Path], gpu: Machine, tmp_path: Path):
    check(lab.grade(corpus.handed_in(path, tmp_path), timed_labs[expected(path, Backend.CUDA).lab], gpu), path)


@pytest.mark.parametrize("path", STARTERS, ids=name)
def test_a_starter_is_correct_on_the_simulator(path: Path, tmp_path: Path, simulator: Machine):
    report = lab.grade(path, lab.write_rubric(tmp_path), simulator)
    assert lab.verdict(report) is Verdict.OK, lab.first_fault(report)


@pytest.mark.gpu
@pytest.mark.parametrize("path", OURS, ids=name)
def test_reference_kernels_and_starters_are_correct_on_the_gpu(path: Path, timed_labs: dict[str, Path], gpu: Machine):
    report = lab.grade(path, timed_labs["square"], gpu)
    assert lab.verdict(report) is Verdict.OK, lab.first_fault(report)


@pytest.mark.parametrize(("folder", "least"), [("honest", 60), ("wrong", 90), ("hostile", 50)])
def test_there_are_enough_submissions_of_each_kind(folder: str, least: int):
    assert len([path for path in ALL if path.parent.name == folder]) >= least


@pytest.mark.parametrize(
    "line", ["", "// a kernel", "// expect: nearly-ok", "// expect: cuda ok", "// expect: ok; lab: poetry"]
)
def test_a_first_line_that_cannot_be_read_fails_with_the_name_of_the_file(line: str, tmp_path: Path):
    path = tmp_path / "odd.cu"
    path.write_text(f"{line}\n")
    with pytest.raises((AssertionError, pytest.fail.Exception), match=r"odd\.cu"):
        expected(path, Backend.SIMULATOR)


CHANGES = """// expect: wrong-answer
// Adds to C.
--- honest/naive.cu
-    float sum = 0.0f;
+    float sum = C[row * N + col];
@@
         sum += A[row * N + k] * B[k * N + col];
+        sum += 0.0f;
"""


def test_a_submission_may_hold_the_changes_of_another(tmp_path: Path):
    path = tmp_path / "adds.diff"
    path.write_text(CHANGES)
    _, include, code = corpus.origins(path)[-1].read_text().partition("#include")
    other = code.replace("sum = 0.0f", "sum = C[row * N + col]").replace("    C[row", "        sum += 0.0f;\n    C[row")
    assert corpus.handed_in(path, tmp_path).read_text() == "".join([*CHANGES.splitlines(True)[:2], include, other])


@pytest.mark.parametrize("line", ["-float sum = 0.0f;", "-    float total = 0.0f;", "float sum = 0.0f;"])
def test_changes_of_other_lines_fail_with_the_name_of_the_file(line: str, tmp_path: Path):
    path = tmp_path / "odd.diff"
    path.write_text(CHANGES.replace("-    float sum = 0.0f;", line))
    with pytest.raises(ValueError, match=r"odd\.diff"):
        corpus.content(path)
