"""Products that the grades of a class share: computed once, and never for other inputs."""

from dataclasses import replace

import numpy as np
import pytest

from grader.comparison.expectation import exact_result, expectation
from grader.comparison.known_products import KnownProducts
from grader.contract import inputs
from grader.contract.layout import matrix_file, operands, store, surround
from grader.explain.wrong_elements.trial import Trial
from grader.judge.launch_verdicts import LaunchOutput, judge
from grader.model import Backend, Case, Interface, Launch, Shape, Verdict

FLOAT32 = Interface("matmul", ("A", "B", "C", "N"))
CASE = Case(Shape(20, 20, 20), "first", 1)


def test_a_product_is_computed_once(computed: list[Case]):
    known = KnownProducts()
    first, again = (known.expect(CASE, FLOAT32, 0) for _ in range(2))
    assert first is again
    assert computed == [CASE]


@pytest.mark.parametrize(
    ("case", "launch", "interface"),
    [
        (replace(CASE, seed=2), 0, FLOAT32),
        (replace(CASE, run="second"), 0, FLOAT32),
        (replace(CASE, shape=Shape(20, 20, 21)), 0, FLOAT32),
        (CASE, 1, FLOAT32),
        (CASE, 0, replace(FLOAT32, alpha=2.0)),
    ],
)
def test_other_inputs_have_another_product(case: Case, launch: int, interface: Interface, computed: list[Case]):
    known = KnownProducts()
    for wanted in ((CASE, FLOAT32, 0), (case, interface, launch)):
        known.expect(*wanted)
    assert len(computed) == 2


def test_a_product_without_room_is_not_kept(computed: list[Case]):
    known = KnownProducts(most_bytes=20 * 20 * (4 + 4 + 8))
    for case in (CASE, replace(CASE, seed=2), CASE, replace(CASE, seed=2)):
        known.expect(case, FLOAT32, 0)
    assert len(computed) == 3


@pytest.mark.parametrize("run", inputs.RUNS)
@pytest.mark.parametrize(("plus", "verdict"), [(0, Verdict.OK), (1, Verdict.WRONG_ANSWER)])
def test_a_known_product_gives_the_same_verdict(run: str, plus: int, verdict: Verdict):
    case, known = replace(CASE, run=run), KnownProducts().expect
    drawn, memory = inputs.draw(case, FLOAT32), operands(FLOAT32, case.shape)
    C = exact_result(drawn, FLOAT32).astype(np.float32)
    C[3, 4] += plus * max(1.0, float(np.abs(C).max()))
    left = LaunchOutput(
        *(surround(store(matrix, memory[name], FLOAT32), matrix_file(memory[name], name))
          for name, matrix in (("A", drawn.A), ("B", drawn.B), ("C", C)))
    )  # fmt: skip
    trial = Trial(case, FLOAT32, Launch((4, 4, 1), (4, 4)), Backend.CUDA)
    judged = [judge(replace(trial, expect=each), [left], 0.0, "") for each in (expectation, known, known)]
    assert {each.result.verdict for each in judged} == {verdict}
    assert judged[0].result == judged[1].result == judged[2].result
