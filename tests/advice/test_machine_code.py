"""Counters from PTX beside the machine code's loop, and counting again where that has several iterations in one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grader.advice.counting import recounted
from grader.advice.machine_code import reads, reads_agree, unrolled
from grader.model import Counters, Machine, SassMix
from grader.rubric import load
from grader.timing.stages import Conditions, compile_kernel
from tests import lab
from tests.advice.counted import ROOT, counted
from tests.worker import numpy_device

SIZE = 1024
KERNEL = ROOT / "reference" / "register_blocked.cu"
LOOP = SassMix({}, {"FFMA": 128, "LDS": 32, "LDS.128": 8})  # of KERNEL, as nvdisasm shows it


def counters(path: Path = KERNEL) -> Counters:
    return counted(path, SIZE)[0]


def test_the_machine_code_has_four_iterations_in_one():
    assert unrolled(counters().loop, LOOP) == 4
    assert reads(counters(), LOOP) == {"LDS": (0.25, 0.25), "LDS.64": (0.125, 0), "LDS.128": (0, 0.0625)}
    assert not reads_agree(counters(), LOOP)


@pytest.mark.parametrize("loop", [{}, {"FFMA": 100}, {"FFMA": 16}])
def test_a_loop_that_does_not_match_shows_nothing(loop: dict[str, int]):
    assert unrolled(counters().loop, SassMix({}, loop)) == 1
    assert unrolled(None, SassMix({}, loop)) == 1


@pytest.mark.usefixtures("simulator")
@pytest.mark.parametrize(
    ("loop", "widths"),
    [
        (LOOP.loop, {4, 16}),
        ({"FFMA": 128, "LDS": 64}, {4, 8}),
        ({"FFMA": 32, "LDS": 16}, {4, 8}),
    ],
    ids=["as the machine code", "other reads", "not unrolled"],
)
def test_a_kernel_is_counted_again_only_if_the_reads_then_are_those_of_the_machine_code(
    tmp_path: Path, loop: dict[str, int], widths: set[int]
):
    machine = Machine(numpy_device.member(), "it was requested", "a test")
    rubric = load.load(lab.write_rubric(tmp_path, sizes=(SIZE,), timed=(SIZE,)))
    conditions = Conditions(rubric, machine, 1, numpy_device.start)
    kernel = compile_kernel(conditions, KERNEL.read_bytes(), KERNEL.name)
    fresh = recounted(conditions, kernel, counters(), SassMix({}, loop))
    assert {access.width for access in fresh.accesses if (access.space, access.kind) == ("shared", "load")} == widths
    assert replace(fresh, accesses=()) == replace(counters(), accesses=())
