"""Every published lab: each kernel that the commands of its page name is correct at the lab's sizes."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from grader import pipeline
from grader.cli.sweep import sweep_command
from grader.host import installation
from grader.judge.conditions import GradePlan
from grader.model import Machine, Rubric, Shape, State, Verdict
from grader.rubric.load import load as load_anew
from grader.study.measure.variants import Variant, parse_defines, variants
from tests import lab

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs" / "labs").glob("*.md"))
load = cache(load_anew)


@dataclass(frozen=True)
class Rung:
    """A reference kernel with values for its macros, and the lab that it belongs to."""

    rubric: Path
    variant: Variant

    def __str__(self) -> str:
        return f"{self.rubric.stem}: {self.variant.name}"


def commands(page: Path) -> Iterator[list[str]]:
    for line in page.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
        if line.startswith("grade sweep "):
            yield shlex.split(line)[2:]


def rungs(words: list[str]) -> Iterator[Rung]:
    """The kernels that a command measures, according to the command's own parser."""
    context = sweep_command.make_context("sweep", list(words))
    files = [path for pattern in context.params["files"] for path in sorted(ROOT.glob(str(pattern)))]
    defines = parse_defines(context.params["defines"])
    for file in files:
        for variant in variants({file: file.read_bytes()}, defines):
            name = str(file.relative_to(ROOT / "reference"))
            yield Rung(ROOT / context.params["rubric_path"], replace(variant, file=name))


# In the place of a larger size: as many kinds of tiles, in a fraction of the time. The second fits all blocks, too.
SMALLER = {Shape(257, 257, 257): Shape(130, 130, 130), Shape(256, 512, 256): Shape(256, 128, 64)}

COMMANDS = list(chain.from_iterable(commands(page) for page in PAGES))
RUNGS = list({str(rung): rung for words in COMMANDS for rung in rungs(words)}.values())


def called(rung: Rung) -> str:
    """What decides whether a kernel is correct: how it is built and called. The sizes of labs are much alike."""
    loaded = load(rung.rubric)
    return repr((rung.variant.name, loaded.interface, loaded.flags))


def outermost(rungs: list[Rung]) -> list[Rung]:
    """The first and the last variant of each kernel in each lab, because compiling takes a second or two."""
    kernels: dict[tuple[Path, str], list[Rung]] = {}
    for rung in rungs:
        kernels.setdefault((rung.rubric, rung.variant.file), []).append(rung)
    return list({str(rung): rung for climbed in kernels.values() for rung in (climbed[0], climbed[-1])}.values())


DIFFERENT = list({called(rung): rung for rung in RUNGS}.values())


def with_flags(rung: Rung) -> Rubric:
    """The lab's rubric, with the flags of the variant."""
    loaded = load(rung.rubric)
    return replace(loaded, flags=(*loaded.flags, *rung.variant.flags))


def check(rung: Rung, folder: Path, machine: Machine) -> None:
    """Grade a kernel at the lab's quick sizes. The commands of the pages use all sizes, and time them."""
    loaded = with_flags(rung)
    submission = folder / Path(rung.variant.file).name
    submission.write_bytes(rung.variant.content)
    plan = GradePlan(submission, loaded, b"", 1, loaded.quick_sizes, timed=False)
    report = pipeline.grade(plan, machine, lambda *_: None)
    assert report.state is State.FINISHED, report.infrastructure
    assert lab.verdict(report) is Verdict.OK, lab.first_fault(report)
    assert not report.build.log


def simulated_sizes(rung: Rung) -> tuple[Shape, ...]:
    """All quick sizes for the naive kernel, and for each other the last, where a tile ends at every edge."""
    loaded = load(rung.rubric)
    sizes = loaded.quick_sizes if rung.variant.file == loaded.naive else loaded.quick_sizes[-1:]
    return tuple(SMALLER.get(shape, shape) for shape in sizes)


@pytest.mark.usefixtures("simulator")
@pytest.mark.parametrize("rung", outermost(DIFFERENT), ids=str)
def test_a_reference_kernel_is_correct_on_the_simulator(rung: Rung):
    quick = replace(with_flags(rung), sizes=simulated_sizes(rung))
    report = lab.grade_here(rung.variant.content, quick, Path(rung.variant.file).name)
    assert report.state is State.FINISHED, lab.first_fault(report)
    assert report.build.log == ""


@pytest.mark.gpu
@pytest.mark.parametrize("rung", DIFFERENT, ids=str)
def test_a_reference_kernel_is_correct_on_the_gpu(rung: Rung, tmp_path: Path, gpu: Machine):
    check(rung, tmp_path, gpu)


def test_every_kernel_of_the_reference_folder_is_in_a_lab():
    folder = installation.folder("reference")
    present = {str(path.relative_to(folder)) for path in folder.rglob("*.cu")}
    assert present == {rung.variant.file for rung in RUNGS}


def test_every_rubric_has_kernels():
    assert set(installation.folder("rubrics").glob("*.toml")) == {rung.rubric for rung in RUNGS}


def test_a_vector_of_the_square_lab_can_end_anywhere_before_an_edge():
    assert {shape.N % 4 for shape in load(ROOT / "rubrics" / "square.toml").sizes} == {0, 1, 2, 3}


@pytest.mark.parametrize("path", sorted({rung.rubric for rung in RUNGS}), ids=lambda path: path.stem)
def test_the_naive_kernel_of_a_lab_is_one_of_its_ladder(path: Path):
    assert load(path).naive in {rung.variant.file for rung in RUNGS if rung.rubric == path}


@pytest.mark.parametrize("rung", RUNGS, ids=str)
def test_a_reference_kernel_says_what_it_adds_and_its_arithmetic_intensity(rung: Rung):
    header = rung.variant.content.decode().partition("#include")[0]
    assert header.startswith("// ")
    assert "FLOP" in header
