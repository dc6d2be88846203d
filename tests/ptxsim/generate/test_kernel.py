"""Registers of a whole kernel that stay in the warp's record, because a processor has too few for them."""

import re

import pytest

from grader.ptxsim.engine.program import Form
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.generate.kernel import Generated
from tests.ptxsim.programs import ROOT, product, ready

MANY, FEW = "register_blocked", "tiled_16"  # 16 sums, and one


def whole(name: str) -> Simulator:
    simulator = ready(ROOT / "reference" / f"{name}.cu")
    simulator._form = Form.WHOLE
    return simulator


@pytest.mark.parametrize(("name", "restored"), [(MANY, 0), (FEW, 1)])
def test_many_sums_are_not_copied_at_barriers_and_few_are(name: str, restored: int) -> None:
    generated = whole(name).session(Form.WHOLE).kernel.code
    assert isinstance(generated, Generated)
    text = generated.text
    behind_a_barrier = re.search(r"^r1:\n(.*?)^\w+:", text, re.MULTILINE | re.DOTALL)
    assert behind_a_barrier
    first_block = behind_a_barrier[1].partition("br ")[0]
    assert len(re.findall(r"store <32 x float>", first_block)) == restored


@pytest.mark.parametrize("order", ["forward", "reverse"])
def test_sums_that_stay_in_the_record_are_exact_in_every_order(order: str) -> None:
    assert product(ROOT / "reference" / f"{MANY}.cu", 97, order=order, simulator=whole(MANY)).exact
