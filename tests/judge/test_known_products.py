"""Products that the grades of a class share: computed once, and never for other inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from grader.contract import inputs
from grader.contract.layout import matrix_file, operands, store, surround
from grader.judge import compare
from grader.judge.compare import Trial
from grader.judge.known_products import Exact, KnownProducts
from grader.judge.verdicts import LaunchOutput, judge
from grader.model import Backend, Case, Interface, Launch, Shape, Verdict

FLOAT32 = Interface("matmul", ("A", "B", "C", "N"))
CASE = Case(Shape(20, 20, 20), "balanced", 1)


def counted(made: list[int]) -> Callable[[], Exact]:
    def compute() -> Exact:
        made.append(1)
        return np.full((2, 2), float(len(made)))

    return compute


def test_a_product_is_computed_once():
    known, made = KnownProducts(), list[int]()
    first, again = (known.product(CASE, 0, FLOAT32, counted(made)) for _ in range(2))
    assert first is again
    assert len(made) == 1


@pytest.mark.parametrize(
    ("case", "launch", "interface"),
    [
        (replace(CASE, seed=2), 0, FLOAT32),
        (replace(CASE, family="real"), 0, FLOAT32),
        (replace(CASE, shape=Shape(20, 20, 21)), 0, FLOAT32),
        (CASE, 1, FLOAT32),
        (CASE, 0, replace(FLOAT32, alpha=2.0)),
    ],
)
def test_other_inputs_have_another_product(case: Case, launch: int, interface: Interface):
    known, made = KnownProducts(), list[int]()
    for wanted in ((CASE, 0, FLOAT32), (case, launch, interface)):
        known.product(*wanted, counted(made))
    assert len(made) == 2


def test_a_product_without_room_is_not_kept():
    known, made = KnownProducts(most_bytes=32), list[int]()
    for case in (CASE, replace(CASE, seed=2), CASE, replace(CASE, seed=2)):
        known.product(case, 0, FLOAT32, counted(made))
    assert len(made) == 3


@pytest.mark.parametrize("family", inputs.FAMILIES)
@pytest.mark.parametrize(("plus", "verdict"), [(0, Verdict.OK), (1, Verdict.WRONG_ANSWER)])
def test_a_known_product_gives_the_same_verdict(family: str, plus: int, verdict: Verdict):
    case, products = replace(CASE, family=family), KnownProducts()
    drawn, memory = inputs.draw(case, FLOAT32), operands(FLOAT32, case.shape)
    C = compare.expected(drawn, FLOAT32).astype(np.float32)
    C[3, 4] += plus * max(1.0, float(np.abs(C).max()))
    left = LaunchOutput(
        *(surround(store(matrix, memory[name], FLOAT32), matrix_file(memory[name], name))
          for name, matrix in (("A", drawn.A), ("B", drawn.B), ("C", C)))
    )  # fmt: skip
    trial = Trial(case, FLOAT32, Launch((4, 4, 1), (4, 4)), Backend.CUDA)
    judged = [judge(replace(trial, products=each), [left], 0.0, "") for each in (None, products, products)]
    assert {each.result.verdict for each in judged} == {verdict}
    assert judged[0].result == judged[1].result == judged[2].result
