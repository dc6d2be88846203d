"""The keys under which measured points are kept: a change of anything that a point depends on changes its key."""

from __future__ import annotations

import json

import cattrs

import grader
from grader.host import cache
from grader.model import Machine, Shape
from grader.study.measure.planning import StudyPlan
from grader.study.measure.variants import Variant

FORMAT = 2  # of what is kept; it changes with the records


def of_point(plan: StudyPlan, machine: Machine, variant: Variant, shape: Shape) -> str:
    """Return the key of a variant at a size: its text and macros, lab, baselines, inputs, device and all versions."""
    parts = [_lab(plan), variant.file, dict(variant.defines), _machine(machine), cattrs.unstructure(shape)]
    return cache.key(
        "point", json.dumps([FORMAT, *parts, plan.library, plan.checked, plan.seed]), variant.content, plan.naive
    )


def of_blas(plan: StudyPlan, implementation: str, shape: Shape) -> str:
    """Return the key of BLAS at a size: the library, and its number of threads."""
    rubric = plan.rubric
    parts = [implementation, rubric.interface.type_c, cattrs.unstructure(rubric.timing), cattrs.unstructure(shape)]
    return cache.key("blas", json.dumps([FORMAT, *parts, grader.__version__]))


def of_device(machine: Machine) -> str:
    """Return the key of the device's attributes."""
    return cache.key("device", json.dumps([FORMAT, *_machine(machine)]))


def _lab(plan: StudyPlan) -> list[object]:
    rubric = plan.rubric
    lab = (rubric.interface, rubric.launch, rubric.timing, rubric.limits, rubric.headers)
    return [*(cattrs.unstructure(part) for part in lab), list(rubric.flags), grader.__version__]


def _machine(machine: Machine) -> list[object]:
    return [machine.backend, machine.device, machine.architecture, machine.system, sorted(machine.versions.items())]
