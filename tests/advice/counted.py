"""The counters of a kernel file, in this process: many kernels in the time of a few whole grades."""

import re
from functools import cache
from pathlib import Path

from grader.advice.elements import elements_of, in_terms_of
from grader.contract.messages import CountAccesses, Counted
from grader.model import Counters, Launch, Rubric, Shape
from grader.rubric.load import load
from tests.corpus import submissions
from tests.kept_answers import start_kept
from tests.launcher import answer_here, compiled_here

ROOT = Path(__file__).parents[2]
PLANTED = submissions(Path(__file__).parent / "kernels")
SQUARE = load(ROOT / "rubrics" / "square.toml")


LABS = Path(__file__).parent / "labs"  # with types that no lab of the courses has
LAB = re.compile(r"^// lab: (\w+)", re.MULTILINE)


def planted(name: str) -> Path:
    """The file of a kernel with a planted problem."""
    return next(path for path in PLANTED if path.stem == name)


def lab_of(path: Path) -> str:
    """The lab that a kernel of the ladder or with a planted problem is for."""
    named = LAB.search(path.read_text())
    return named[1] if named else "tensor_cores" if path.parent.name == "tensor_cores" else "square"


def rubric_of(lab: str) -> Rubric:
    own = LABS / f"{lab}.toml"
    return load(own if own.exists() else ROOT / "rubrics" / f"{lab}.toml")


def counted(path: Path, size: int, flags: tuple[str, ...] = ()) -> tuple[Counters, Launch]:
    """What a launch of a kernel does in its lab, in the terms of the model, and the launch."""
    lab = lab_of(path)
    counters, launch = counted_in(lab, path, size, flags)
    elements = elements_of(rubric_of(lab).interface)
    assert elements
    own = in_terms_of(elements, counters)
    assert own
    return own, launch


@cache
def counted_in(lab: str, path: Path, size: int, flags: tuple[str, ...] = ()) -> tuple[Counters, Launch]:
    """What a launch of a lab's kernel does, and the launch."""
    rubric = rubric_of(lab)
    shape, interface = Shape(size, size, size), rubric.interface
    artifact = compiled_here(path, interface, (*rubric.flags, *flags))
    launch = artifact.build.launch or rubric.launch
    request = CountAccesses(artifact.build, launch, shape, interface, rubric.limits)
    answer = answer_here(artifact, request, start_kept)
    assert isinstance(answer, Counted)
    assert answer.counters is not None
    return answer.counters, launch
