from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import product as pairs

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.comparison.expectation import exact_result
from grader.comparison.shortened_factors import Shortened, shortened
from grader.contract.inputs import RUNS, Inputs, draw
from grader.model import Case, Interface, Shape
from tests.benchmarks.accuracy import WAYS, Way, cut, in_float64, plain, strassen, winograd

FLOAT32 = Interface("matmul", ("A", "B", "C", "M", "N", "K"))
FULL = ("plain", "pairwise", "split-K, 8 parts", "Kahan", "float64, rounded once", "Strassen, one level",
        "Winograd, one level", "Strassen, Kahan", "Winograd, Kahan", "Strassen, float64 inside",
        "Winograd, float64 inside")  # fmt: skip
SHORT = ("22 bits of A", "22 bits of B", "3 TF32 products", "TF32 and bfloat16 parts", "20 bits of A")
LENGTHS, LONGEST = (100, 257, 1025), 16384
SIDE = 200

pytestmark = pytest.mark.large


@cache
def inputs_of(K: int, interface: Interface = FLOAT32) -> Inputs:
    return draw(Case(Shape(SIDE, SIDE, K), RUNS[1], 3), interface)


def way(name: str, inputs: Inputs) -> NDArray[np.float32]:
    return WAYS[name](inputs.A.astype(np.float32), inputs.B.astype(np.float32))


def found(inputs: Inputs, got: NDArray[np.generic], looked: NDArray[np.bool_] | None = None) -> Shortened | None:
    want = exact_result(inputs, FLOAT32)
    return shortened(inputs, FLOAT32, want, got - want, np.ones(got.shape, np.bool_) if looked is None else looked)


@pytest.mark.parametrize(
    ("name", "K"), [*pairs(FULL, LENGTHS[1:]), *pairs(("plain", "Strassen, Kahan"), (LENGTHS[0], LONGEST))]
)
def test_no_order_of_sums_looks_like_shortened_factors(name: str, K: int) -> None:
    inputs = inputs_of(K)
    assert found(inputs, way(name, inputs)) is None


@pytest.mark.parametrize(
    ("name", "K"), [*pairs(SHORT, LENGTHS), ("22 bits of A", LONGEST), ("3 TF32 products", LONGEST)]
)
def test_shortened_factors_are_found_though_their_errors_are_small(name: str, K: int) -> None:
    inputs = inputs_of(K)
    fit = found(inputs, way(name, inputs))
    assert fit is not None
    assert fit.factors == (name[-1] if "bits of" in name else "A and B")


@pytest.mark.parametrize("K", LENGTHS)
def test_factors_that_are_shortened_beside_whole_numbers_only_are_found_in_some_launches(K: int) -> None:
    drawn = [draw(Case(Shape(SIDE, SIDE, K), RUNS[1], seed), FLOAT32) for seed in range(4)]
    assert any(
        found(inputs, np.where(inputs.real_sums, way("plain", inputs), way("22 bits of A", inputs))) for inputs in drawn
    )


def test_sums_that_are_rounded_towards_zero_are_not_shortened_factors() -> None:
    inputs = inputs_of(257)
    assert found(inputs, way("plain, towards zero", inputs)) is None


@pytest.mark.parametrize("algorithm", [strassen, winograd])
@pytest.mark.parametrize("bits", [24, 22])
def test_fast_algorithms_hide_no_shortened_factors(algorithm: Callable[[Way], Way], bits: int) -> None:
    inputs = draw(Case(Shape(257, 257, 257), RUNS[1], 5), FLOAT32)
    got = algorithm(in_float64)(cut(inputs.A, bits), inputs.B.astype(np.float32))
    fit = found(inputs, got)
    assert (fit is None) == (bits == 24)
    assert fit is None or fit.factors == "A"


def test_random_roundings_of_one_factor_are_found() -> None:
    inputs = inputs_of(257)
    words = inputs.A.astype(np.float32).view(np.uint32)
    noise = np.random.default_rng(1).integers(0, 4, words.shape, np.uint32)
    rounded = ((words + noise) & np.uint32(0xFFFFFFFC)).view(np.float32)
    fit = found(inputs, plain(rounded, inputs.B.astype(np.float32)))
    assert fit is not None
    assert fit.factors == "A"


def test_only_elements_that_the_launch_had_to_write_count() -> None:
    inputs = draw(Case(Shape(256, 256, 257), RUNS[1], 5), FLOAT32)
    looked = np.zeros((256, 256), np.bool_)
    looked[:128, :128] = looked[128:, 128:] = True
    honest = np.where(looked, way("plain", inputs), np.nan)
    assert found(inputs, honest, looked) is None
    assert found(inputs, np.where(looked, way("22 bits of B", inputs), np.nan), looked)


def test_what_a_lab_allows_is_not_found() -> None:
    inputs = inputs_of(257, replace(FLOAT32, math="tf32"))
    assert found(inputs, way("3 TF32 products", inputs)) is None
    want = exact_result(inputs, FLOAT32)
    error = way("22 bits of A", inputs) - want
    assert shortened(inputs, replace(FLOAT32, type_c="float64"), want, error, np.ones(error.shape, np.bool_)) is None


def test_alpha_and_beta_are_taken_into_account() -> None:
    interface = replace(FLOAT32, alpha=-2.0, beta=0.5)
    inputs = inputs_of(257, interface)
    assert inputs.C is not None
    start = inputs.C.astype(np.float32)
    for name, is_found in (("plain", False), ("22 bits of A", True)):
        got = np.float32(-2) * way(name, inputs) + np.float32(0.5) * start
        want = exact_result(inputs, interface)
        fit = shortened(inputs, interface, want, got - want, np.ones(got.shape, np.bool_))
        assert (fit is not None) == is_found


@pytest.mark.parametrize("bits", [24, 22])
@pytest.mark.parametrize("scaled", ["A", "B"])
@pytest.mark.parametrize(("alpha", "product"), [(1.5, in_float64), (0.7, in_float64), (0.7, strassen(in_float64))])
def test_factors_that_are_multiplied_by_alpha_first_are_not_shortened(
    alpha: float, product: Way, scaled: str, bits: int
) -> None:
    interface = replace(FLOAT32, alpha=alpha)
    inputs, factor = inputs_of(257, interface), np.float32(alpha)
    A, B = cut(inputs.A, bits), inputs.B.astype(np.float32)
    got, want = product(factor * A, B) if scaled == "A" else product(A, factor * B), exact_result(inputs, interface)
    fit = shortened(inputs, interface, want, got - want, np.ones(got.shape, np.bool_))
    assert (fit is None) == (bits == 24)
