"""Every lab that we publish, by the commands of its page: each kernel that they name is right where the lab asks."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import pytest

from grader import pipeline
from grader.cli.sweep import sweep_command
from grader.host import resources
from grader.judge.grade_plan import GradePlan
from grader.model import Machine, Rubric, State, Verdict
from grader.rubric.load import load
from grader.study.measure.variants import Variant, parse_defines, variants
from tests import in_process, lab

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs" / "labs").glob("*.md"))


@dataclass(frozen=True)
class Rung:
    """A kernel of the reference folder with values for its macros, and a lab that it climbs."""

    rubric: Path
    variant: Variant

    def __str__(self) -> str:
        return f"{self.rubric.stem}: {self.variant.name}"


def commands(page: Path) -> Iterator[list[str]]:
    for line in page.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
        if line.startswith("grade sweep "):
            yield shlex.split(line)[2:]


def rungs(words: list[str]) -> Iterator[Rung]:
    """What a command measures, read by the command's own parser."""
    context = sweep_command.make_context("sweep", list(words))
    files = [found for one in context.params["files"] for found in sorted(ROOT.glob(str(one)))]
    defines = parse_defines(context.params["defines"])
    for file in files:
        for one in variants([file], defines):
            name = str(file.relative_to(ROOT / "reference"))
            yield Rung(ROOT / context.params["rubric_path"], replace(one, file=name))


COMMANDS = list(chain.from_iterable(commands(page) for page in PAGES))
RUNGS = list({str(one): one for words in COMMANDS for one in rungs(words)}.values())


def called(one: Rung) -> str:
    """All that decides whether a kernel is right: how it is built and called. The sizes of labs are much alike."""
    loaded = load(one.rubric)
    return repr((one.variant.name, loaded.interface, loaded.flags))


def outermost(rungs: list[Rung]) -> list[Rung]:
    """Of each kernel in each lab the first and the last variant: here compiling one takes a second or two."""
    kernels: dict[tuple[Path, str], list[Rung]] = {}
    for one in rungs:
        kernels.setdefault((one.rubric, one.variant.file), []).append(one)
    return list({str(one): one for found in kernels.values() for one in (found[0], found[-1])}.values())


DIFFERENT = list({called(one): one for one in RUNGS}.values())


def with_flags(one: Rung) -> Rubric:
    """The lab's rubric, with the flags of the variant."""
    loaded = load(one.rubric)
    return replace(loaded, flags=(*loaded.flags, *one.variant.flags))


def check(one: Rung, folder: Path, machine: Machine) -> None:
    """At the lab's quick sizes; the commands of the pages do it at all sizes, and time them."""
    loaded = with_flags(one)
    submission = folder / Path(one.variant.file).name
    submission.write_bytes(one.variant.content)
    plan = GradePlan(submission, loaded, b"", 1, loaded.quick_sizes, timed=False)
    report = pipeline.grade(plan, machine, lambda *_: None)
    assert report.state is State.FINISHED, report.infrastructure
    assert lab.verdict(report) is Verdict.OK, lab.first_fault(report)
    assert report.build is not None
    assert not report.build.log


@pytest.mark.usefixtures("simulator")
@pytest.mark.parametrize("one", outermost(DIFFERENT), ids=str)
def test_a_reference_kernel_is_right_on_the_simulator(one: Rung):
    loaded = with_flags(one)
    graded = in_process.graded(one.variant.content, loaded, loaded.quick_sizes, Path(one.variant.file).name)
    assert (graded.fault, graded.log) == (None, "")


@pytest.mark.gpu
@pytest.mark.parametrize("one", DIFFERENT, ids=str)
def test_a_reference_kernel_is_right_on_the_gpu(one: Rung, tmp_path: Path, gpu: Machine):
    check(one, tmp_path, gpu)


def test_every_kernel_of_the_reference_folder_is_in_a_lab():
    folder = resources.folder("reference")
    present = {str(path.relative_to(folder)) for path in folder.rglob("*.cu")}
    assert present == {one.variant.file for one in RUNGS}


def test_every_rubric_has_kernels():
    assert set(resources.folder("rubrics").glob("*.toml")) == {one.rubric for one in RUNGS}


@pytest.mark.parametrize("path", sorted({one.rubric for one in RUNGS}), ids=lambda path: path.stem)
def test_the_naive_kernel_of_a_lab_is_one_of_its_ladder(path: Path):
    assert load(path).naive in {one.variant.file for one in RUNGS if one.rubric == path}


@pytest.mark.parametrize("one", RUNGS, ids=str)
def test_a_reference_kernel_says_what_it_adds_and_its_arithmetic_intensity(one: Rung):
    header = one.variant.content.decode().partition("#include")[0]
    assert header.startswith("// ")
    assert "FLOP" in header
