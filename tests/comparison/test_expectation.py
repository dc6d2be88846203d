"""Products on the CPU: as NumPy's, however the rows of A are divided."""

from dataclasses import replace

import numpy as np
import pytest

from grader.comparison.expectation import PANEL, KnownProducts, exact_result, expectation, product
from grader.contract import inputs
from grader.contract.layout import operands, store_guarded
from grader.explain.wrong_elements.trial import Trial
from grader.host import cpus
from grader.judge.launch_verdicts import LaunchOutput, judge
from grader.model import Backend, Case, Interface, Launch, Shape, Verdict

FLOAT32 = Interface("matmul", ("A", "B", "C", "N"))
CASE = Case(Shape(20, 20, 20), "first", 1)


@pytest.mark.parametrize("rows", [1, PANEL, 2 * PANEL - 1, 2 * PANEL, 3 * PANEL + 17])
def test_a_product_does_not_depend_on_the_number_of_cpus(rows: int, monkeypatch: pytest.MonkeyPatch):
    rng = np.random.default_rng(rows)
    a, b = (rng.integers(-99, 99, size).astype(np.float64) for size in ((rows, 65), (65, 33)))
    for count in (1, 2, 3, 64):
        monkeypatch.setattr(cpus, "allowed", lambda count=count: frozenset(range(count)))
        assert (product(a, b) == a @ b).all()


def test_a_product_keeps_its_type():
    assert product(np.ones((2 * PANEL, 3), np.float32), np.ones((3, 5), np.float32)).dtype == np.float32


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
        *(store_guarded(matrix, memory[name], FLOAT32) for name, matrix in (("A", drawn.A), ("B", drawn.B), ("C", C)))
    )
    trial = Trial(case, FLOAT32, Launch((4, 4, 1), (4, 4)), Backend.CUDA)
    judged = [judge(replace(trial, expect=each), [left], 0.0, "") for each in (expectation, known, known)]
    assert {each.result.verdict for each in judged} == {verdict}
    assert judged[0].result == judged[1].result == judged[2].result
