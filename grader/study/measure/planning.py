"""The plan of a study, and how it is made from the options of `grade sweep`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path

from grader.errors import UsageError
from grader.model import Machine, Rubric, Shape
from grader.rubric import load as rubrics
from grader.study.measure import blas, sizes, variants
from grader.study.measure.variants import Variant
from grader.text.clean import one_line

BASELINES = ("naive", "cublas", "blas")


def from_options(
    contents: Mapping[Path, bytes],
    rubric: Rubric,
    path: Path,
    sizes_text: str,
    defines: tuple[str, ...],
    baselines: str | None,
    seed: int,
    check: bool,
) -> StudyPlan:
    """Make the plan from the options of the command. Raises UsageError for invalid ones."""
    wanted = _baselines(baselines, rubric)
    shapes = sizes.parse(sizes_text, rubric.timed_sizes or rubric.sizes)
    _refuse_boxes(shapes, rubric)
    naive = rubrics.find_kernel(rubric.naive, path.parent) if "naive" in wanted else None
    return StudyPlan(
        rubric=rubric,
        variants=variants.variants(contents, variants.parse_defines(defines)),
        shapes=shapes,
        naive=naive.read_bytes() if naive else b"",
        library="cublas" in wanted,
        blas="blas" in wanted,
        seed=seed,
        checked=check,
    )


def _baselines(text: str | None, rubric: Rubric) -> tuple[str, ...]:
    has = tuple(
        name for name, there in zip(BASELINES, (bool(rubric.naive), bool(rubric.library), True), strict=True) if there
    )
    if text is None:
        return has
    wanted = tuple(word.strip() for word in text.split(",") if word.strip())
    for word in wanted:
        if word not in BASELINES:
            raise UsageError(f"--baselines: there is no {one_line(word, 40)}.", f"Choose of {', '.join(BASELINES)}.")
        if word not in has:
            raise UsageError(f"--baselines: this lab has no {word}.", "Name it under [baselines] in the rubric.")
    return wanted


def _refuse_boxes(shapes: tuple[Shape, ...], rubric: Rubric) -> None:
    box = next((shape for shape in shapes if not shape.is_square), None)
    if box and not {"M", "N", "K"} <= set(rubric.interface.parameters):
        sentence = f"--sizes: {box} is not square, and this lab's kernel is not given M, N and K."
        raise UsageError(sentence, "Choose a rubric whose kernel is.")


def as_far_as_possible(plan: StudyPlan, machine: Machine) -> tuple[StudyPlan, str]:
    """The part of the plan that the machine can measure, and a sentence on what is left out.

    The simulator times nothing, so it skips sizes that are only timed. Raises UsageError if nothing is
    left.
    """
    if machine.backend.capabilities.measures_speed:
        return plan, ""
    if not plan.checked:
        raise UsageError("The simulator times nothing, so --no-check leaves nothing to do.", "Leave --no-check out.")
    left_out = ", ".join(str(shape) for shape in plan.shapes if shape in plan.only_timed)
    shapes = tuple(shape for shape in plan.shapes if shape not in plan.only_timed)
    if not left_out:
        return plan, ""
    if not shapes:
        raise UsageError(f"The simulator times nothing, and this lab only times {left_out}.", "Name other sizes.")
    return replace(plan, shapes=shapes), f"Left out here, because this lab only times it: {left_out}."


def bandwidths(text: str) -> tuple[float, ...]:
    """Read the GB/s of `--bandwidth`: none, one or two numbers. Raises UsageError for anything else."""
    words = [word.strip() for word in text.split(",")] if text.strip() else []
    try:
        given = tuple(map(float, words))
    except ValueError:
        given = ()
    if len(given) != len(words) or len(given) > 2 or not all(isfinite(gbps) and gbps > 0 for gbps in given):  # noqa: PLR2004
        hint = "Write for example 320, or 320,220: in theory, and sustained."
        raise UsageError(f"--bandwidth: {one_line(text, 40)} is not one or two numbers of GB/s.", hint)
    return given


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """What to measure. `naive` is the source of that baseline, empty for none.

    If not `checked`, only the smallest size is checked before timing; every timed launch is checked in any case.
    """

    rubric: Rubric
    variants: tuple[Variant, ...]
    shapes: tuple[Shape, ...]
    naive: bytes
    library: bool
    blas: bool
    seed: int
    checked: bool = True

    @property
    def points(self) -> int:
        """The number of points if everything compiles."""
        return len(self.shapes) * (len(self.variants) + (1 if self.blas_type else 0))

    @property
    def only_timed(self) -> frozenset[Shape]:
        """Sizes that the rubric says are too large to check element by element."""
        return frozenset(self.rubric.timed_sizes) - frozenset(self.rubric.sizes)

    def ahead(self, shapes: Sequence[Shape]) -> tuple[Shape, ...]:
        """The sizes to check before any of `shapes` is timed, at least one."""
        small = tuple(shape for shape in shapes if shape not in self.only_timed)
        small = small or (min(self.rubric.sizes, key=lambda shape: shape.flops),)
        return small if self.checked else (min(small, key=lambda shape: shape.flops),)

    @property
    def blas_type(self) -> str | None:
        """The type of BLAS's product; None if not requested, or if BLAS has no such product."""
        return blas.kind(self.rubric.interface) if self.blas else None
