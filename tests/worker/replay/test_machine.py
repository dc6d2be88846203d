"""Kernels of the labs, replayed: their products are right."""

from pathlib import Path

import numpy as np
import pytest

from grader.contract import inputs
from grader.contract.layout import launch_at, load, operands
from grader.contract.messages import Replay
from grader.model import Build, Case, Shape
from grader.ptxsim.syntax.parser import parse
from grader.rubric.load import load as load_rubric
from grader.worker.replay import replays
from grader.worker.replay.program import program
from tests.ptxsim import programs

ROOT = Path(__file__).parents[3]
KERNELS = [
    ("square", "tiled_16"),
    ("square", "pipelined"),
    ("pitched", "pitched/k1"),
    ("six_versions", "six_versions/v6_final"),
]
SHAPE = Shape(33, 33, 33)


@pytest.mark.parametrize(("lab", "kernel"), KERNELS)
def test_the_product_of_a_replayed_kernel_is_right(lab: str, kernel: str):
    rubric, path = load_rubric(ROOT / "rubrics" / f"{lab}.toml"), ROOT / "reference" / f"{kernel}.cu"
    code = program(parse(programs.ptx_of(path, ("-G", *rubric.flags)), path.name))
    entry = next(each.name for each in code.module.functions if each.is_entry)
    at_shape = launch_at(programs.launch_of(code.module, rubric.launch), SHAPE)
    case = Case(SHAPE, inputs.CHECKED, 1)
    request = Replay(Build("", entry, (), None, "", ()), at_shape, case, rubric.interface)
    machine = replays.machine_at_start(code, request, None)
    machine.run(200_000, 60)
    operand, drawn = operands(rubric.interface, SHAPE)["C"], inputs.draw(case, rubric.interface)
    c = next(each for each in machine.memory.regions if each.name == "C")
    left = load(c.data[: c.size].view(operand.dtype), operand, rubric.interface)
    np.testing.assert_array_equal(left, drawn.A @ drawn.B)
