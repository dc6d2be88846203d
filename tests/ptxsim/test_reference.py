"""The reference kernels give exact answers in every order of warps."""

import shutil

import pytest

from grader.model import Shape
from grader.ptxsim.engine.program import Form
from grader.ptxsim.engine.simulate import Simulator
from grader.rubric import load as rubric
from tests.ptxsim.programs import ROOT, SQUARE, product, ready

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")

SQUARE_KERNELS = ("tiled_16", "register_blocked")  # tests/test_labs.py runs all of them
LABS = [
    ("pitched", "k5", (Shape(64, 64, 64),)),
    ("pitched_transposed", "attempt_5", (Shape(128, 128, 128),)),
    ("rectangular", "register_blocked", (Shape(33, 65, 17),)),
    ("six_versions", "v6_final", (Shape(33, 33, 33),)),
    ("tensor_cores", "wmma", (Shape(48, 48, 48),)),
]


@pytest.mark.parametrize("name", SQUARE_KERNELS)
def test_square_products_are_exact(name: str) -> None:
    path = ROOT / "reference" / f"{name}.cu"
    simulator = ready(path)
    for n, order in ((33, "forward"), (64, "reverse"), (97, "forward")):
        assert product(path, n, order=order, simulator=simulator).exact


@pytest.mark.parametrize(("lab", "name", "shapes"), LABS)
def test_products_of_other_labs_are_exact(lab: str, name: str, shapes: tuple[Shape, ...]) -> None:
    rules = rubric.load(ROOT / "rubrics" / f"{lab}.toml")
    path = ROOT / "reference" / lab / f"{name}.cu"
    flags = tuple(flag for flag in rules.flags if flag.startswith("-D"))
    for shape in shapes:
        assert product(path, shape, interface=rules.interface, default=rules.launch, flags=flags).exact


def test_the_general_code_gives_the_same_answers() -> None:
    path = ROOT / "reference" / "tiled_16.cu"
    simulator: Simulator = ready(path)
    simulator._form = Form.GENERAL
    assert product(path, 33, interface=SQUARE, simulator=simulator).exact
