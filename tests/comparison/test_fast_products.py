from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.comparison.fast_products import losses
from grader.model import Shape
from tests.benchmarks.accuracy import Way, strassen, winograd

SHAPES = (Shape(64, 128, 96), Shape(33, 65, 129), Shape(1, 65, 70))

Single = NDArray[np.float32]
Exact = NDArray[np.float64]
Algorithm = Callable[[Way], Way]


def exactly(a: Single, b: Single) -> NDArray[Any]:
    return a.astype(np.float64) @ b.astype(np.float64)


def factors(shape: Shape) -> tuple[Single, Single]:
    rng = np.random.default_rng(3)
    return rng.standard_normal((shape.M, shape.K), np.float32), rng.standard_normal((shape.K, shape.N), np.float32)


def every_loss(A: Single, B: Single) -> list[Exact]:
    return list(losses(A, B, *(np.arange(length) for length in (A.shape[1], A.shape[0], B.shape[1]))))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("algorithm", [strassen, winograd])
def test_the_losses_are_those_of_an_algorithm_whose_products_are_exact(algorithm: Algorithm, shape: Shape) -> None:
    A, B = factors(shape)
    lost = algorithm(exactly)(A, B) - exactly(A, B)
    assert lost.any()
    assert any(np.allclose(loss, lost, rtol=0, atol=1e-13) for loss in every_loss(A, B))


@pytest.mark.parametrize("algorithm", [strassen, winograd])
def test_the_last_row_column_and_term_may_be_left_to_a_plain_sum(algorithm: Algorithm) -> None:
    A, B = factors(Shape(33, 65, 128))
    lost = algorithm(exactly)(A[:32], B[:, :64]) - exactly(A[:32], B[:, :64])
    assert any(np.allclose(loss[:32, :64], lost, rtol=0, atol=1e-13) for loss in every_loss(A, B))


def test_some_rows_and_columns_have_the_same_losses() -> None:
    A, B = factors(Shape(33, 65, 129))
    rows, columns = np.array([32, 5, 20]), np.array([64, 0])
    for some, every in zip(losses(A, B, np.arange(129), rows, columns), every_loss(A, B), strict=True):
        assert np.allclose(some, every[np.ix_(rows, columns)], rtol=0, atol=1e-13)


def test_some_terms_and_the_others_lose_what_all_lose() -> None:
    A, B = factors(Shape(33, 65, 128))
    some, others = (
        list(losses(A, B, terms, np.arange(33), np.arange(65))) for terms in (np.arange(9), np.arange(9, 64))
    )
    for loss, other, every in zip(some, others, every_loss(A, B), strict=True):
        assert loss.any()
        assert np.allclose(loss + other, every, rtol=0, atol=1e-13)
