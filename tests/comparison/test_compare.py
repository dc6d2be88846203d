from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grader.comparison import compare
from grader.comparison.error_limit import error_limit, plain_sum
from grader.comparison.expectation import exact_result, of_inputs
from grader.contract.inputs import Inputs, draw
from grader.contract.layout import BAND, POISON, guarded, load, operands, store
from grader.explain.wrong_elements.error_pattern import mismatch
from grader.model import Case, Interface, Launch, Shape
from tests.benchmarks.accuracy import WAYS, rounded

FLOAT32 = Interface("matmul", ("A", "B", "C", "M", "N", "K"))
HALF = replace(FLOAT32, type_a="float16", type_b="float16", type_c="float16")


def drawn(run: str = "first", K: int = 65, seed: int = 1, interface: Interface = FLOAT32) -> Inputs:
    return draw(Case(Shape(9, 7, K), run, seed), interface)


def blank(shape: tuple[int, int] = (9, 7), kind: str = "float32") -> np.ndarray:
    operand = operands(replace(FLOAT32, type_c=kind), Shape(*shape, 1))["C"]
    return load(store(None, operand, FLOAT32), operand, FLOAT32).copy()


def compared(inputs: Inputs, C: np.ndarray, ran: np.ndarray | None = None) -> compare.Comparison:
    return compare.compare(of_inputs(inputs, FLOAT32), C, blank(C.shape), ran)


def right(inputs: Inputs) -> np.ndarray:
    return (inputs.A.astype(float) @ inputs.B.astype(float)).astype(np.float32)


def test_the_correct_answer_is_accepted() -> None:
    inputs = drawn()
    comparison = compared(inputs, right(inputs))
    assert not comparison.wrong.any()
    assert not comparison.untouched.any()


@given(st.integers(0, 8), st.integers(0, 6), st.sampled_from((1.0, -0.5, np.nan, np.inf)))
def test_any_changed_bit_of_an_exact_answer_is_wrong(row: int, column: int, by: float) -> None:
    inputs = drawn()
    C = right(inputs)
    C[row, column] += np.float32(by)
    comparison = compared(inputs, C)
    assert list(zip(*np.nonzero(comparison.wrong), strict=True)) == [(row, column)]


@settings(max_examples=40, deadline=None)
@example(33, 534, (1, 1))
@given(st.sampled_from((1, 2, 3, 33, 257, 2049)), st.integers(0, 999), st.sampled_from(((1, 1), (1, 7), (9, 7))))
def test_no_order_of_float32_sums_is_rejected(K: int, seed: int, size: tuple[int, int]) -> None:
    inputs = draw(Case(Shape(*size, K), "second", seed), FLOAT32)
    order = np.random.default_rng(seed).permutation(K)
    total = np.zeros(size, np.float32)
    for k in order:
        total += np.outer(inputs.A[:, k], inputs.B[k])
    assert not compared(inputs, total).wrong.any()


def test_arithmetic_with_a_double_that_was_not_written_warns_of_nothing():
    unwritten = np.array([POISON["float64"]], np.uint64).view(np.float64)
    assert np.isnan(compare.as_float64(unwritten) - 1.0).all()


@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_the_limit_is_the_multiple_of_the_plain_error_that_the_lab_accepts(factor: float) -> None:
    inputs = draw(Case(Shape(64, 64, 257), "second", 4), FLOAT32)
    for accuracy in (1.5, 8.0):
        interface = replace(FLOAT32, accuracy=accuracy)
        expected, looked = of_inputs(inputs, interface), np.ones((64, 64), bool)
        want, limit = expected.C, expected.limit
        assert limit is not None
        plain = plain_sum(inputs.A, inputs.B, interface).astype(float)
        got = np.where(inputs.rounded, want + factor * accuracy * (plain - want), want)
        assert compare.wrong_elements(got, expected, looked).any() == (factor > 1)
        assert limit.multiple(got, want, inputs.rounded) == pytest.approx(factor * accuracy)


def test_many_small_errors_are_too_large_together() -> None:
    inputs = draw(Case(Shape(64, 64, 257), "second", 1), FLOAT32)
    expected = of_inputs(inputs, FLOAT32)
    want, limit = expected.C, expected.limit
    assert limit is not None
    scale = limit.scale.of(slice(None))
    got = np.where(inputs.rounded, want + 1.01 * limit.typical * scale, want)
    assert (np.abs(got - want) <= limit.largest * scale).all()
    wrong = compare.wrong_elements(got, expected, np.ones(want.shape, bool))
    assert np.array_equal(wrong, inputs.rounded)


@pytest.mark.large
@pytest.mark.parametrize("K", [256, 512, 1024, 2048, 16384])
@pytest.mark.parametrize("way", ["16 bits of A", "16 bits of B", "3 bfloat16 products"])
def test_real_inputs_alone_find_16_bits_at_every_length(way: str, K: int) -> None:
    # A kernel may compute exactly where it sees zeros or whole numbers, as in the exact runs.
    assert share_of_limit(way, K) > 1


@pytest.mark.parametrize("K", [512, 513, 2049])
@pytest.mark.parametrize("way", ["pairwise", "split-K, 8 parts", "Kahan", "Strassen, one level", "Winograd, one level"])
def test_real_inputs_leave_honest_sums_far_inside_the_limit(way: str, K: int) -> None:
    assert share_of_limit(way, K) < 0.8  # one in a hundred products by Winograd's algorithm has more than 0.66


@pytest.mark.large
@pytest.mark.parametrize("K", [512, 2048, 16384])
def test_real_inputs_alone_find_45_bits_of_float64_at_every_length(K: int) -> None:
    double = replace(FLOAT32, type_a="float64", type_b="float64", type_c="float64")
    inputs = draw(Case(Shape(64, 64, K), "second", 1), double)
    limit, want = error_limit(inputs, double), exact_result(inputs, double)
    narrow = rounded(inputs.A.astype(np.float64), 45, None) @ inputs.B.astype(np.float64)
    assert limit.multiple(narrow, want, inputs.rounded) > double.accuracy
    assert (
        limit.multiple(plain_sum(inputs.A, inputs.B, double).astype(np.float64), want, inputs.rounded)
        < double.accuracy / 2
    )


def share_of_limit(way: str, K: int) -> float:
    """The error on real inputs as a share of the limit."""
    inputs = draw(Case(Shape(64, 64, K), "second", 1), FLOAT32)
    got = WAYS[way](inputs.A.astype(np.float32), inputs.B.astype(np.float32)).astype(float)
    return error_limit(inputs, FLOAT32).multiple(got, exact_result(inputs, FLOAT32), inputs.rounded) / FLOAT32.accuracy


@pytest.mark.parametrize("run", ["first", "second"])
def test_nan_always_fails(run: str) -> None:
    inputs = drawn(run)
    comparison = compared(inputs, np.full((9, 7), np.nan, np.float32))
    assert comparison.wrong.all()


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_sums_of_float16_are_limited_where_the_theorem_bounds_nothing(value: float) -> None:
    expected, every = of_inputs(drawn("second", 4096, interface=HALF), HALF), np.ones((9, 7), bool)
    want = expected.C
    assert not compare.wrong_elements(want, expected, every).any()
    plain = plain_sum(expected.inputs.A, expected.inputs.B, HALF).astype(float)
    assert not compare.wrong_elements(plain, expected, every).any()
    assert compare.wrong_elements(np.full_like(want, value), expected, every).all()


def test_a_missing_term_of_real_inputs_is_wrong() -> None:
    inputs = drawn("second", 64)  # all terms of longer sums are not large
    C = (inputs.A[:, :-1] @ inputs.B[:-1]).astype(np.float32)
    assert compared(inputs, C).wrong[inputs.rounded].mean() > 0.8


def test_alpha_and_beta_count() -> None:
    interface = replace(FLOAT32, alpha=2.0, beta=-1.0)
    inputs = drawn(interface=interface)
    product = inputs.A.astype(float) @ inputs.B.astype(float)
    assert np.array_equal(exact_result(inputs, interface), 2 * product - inputs.C)


def test_a_sum_that_begins_with_beta_times_c_is_right() -> None:
    interface = replace(FLOAT32, alpha=0.3, beta=2.5)
    for seed in range(3):
        inputs = draw(Case(Shape(65, 65, 257), "second", seed), interface)
        C = plain_sum(np.float32(0.3) * inputs.A, inputs.B, interface, np.float32(2.5) * inputs.C)
        assert not compare.wrong_elements(C.astype(float), of_inputs(inputs, interface), np.ones(C.shape, bool)).any()


@pytest.mark.parametrize("kind", ["float16", "float32", "float64", "int32"])
def test_an_element_that_still_has_the_poison_was_never_written(kind: str) -> None:
    C = blank(kind=kind)
    C[2, 3] = 5
    comparison = compare.compare(of_inputs(drawn(), replace(FLOAT32, type_c=kind)), C, blank(kind=kind))
    assert np.array_equal(~comparison.untouched, C == 5)


def test_the_result_of_arithmetic_on_the_poison_counts_as_written() -> None:
    with np.errstate(invalid="ignore"):
        C = blank() + np.float32(1)
    comparison = compared(drawn(), C)
    assert not comparison.untouched.any()
    assert compare.made_of_poison(C).all()
    assert not compare.made_of_blank(C).any()


def test_bytes_that_were_never_written_are_distinguished_from_poison() -> None:
    C = np.full((9, 7), 0xFFFFFFFF, np.uint32).view(np.float32) + np.float32(1)
    assert compare.made_of_blank(C).all()
    assert not compare.made_of_poison(C).any()


def test_bytes_that_were_never_written_are_recognised_after_widening() -> None:
    C = np.full((9, 7), 0xFFFF, np.uint16).view(np.float16).astype(np.float32) + np.float32(1)
    assert compare.made_of_blank(C).all()


def test_where_beta_counts_a_start_value_that_stays_is_untouched() -> None:
    interface = replace(FLOAT32, beta=1.0)
    inputs = drawn(interface=interface)
    start = inputs.C.astype(np.float32)
    assert compare.compare(of_inputs(inputs, interface), start.copy(), start).untouched.all()


def test_blocks_that_did_not_run_do_not_count_unless_something_wrote_there() -> None:
    inputs, ran = drawn(), np.zeros((9, 7), bool)
    ran[:4] = True
    C = blank()
    C[:4] = right(inputs)[:4]
    assert not compared(inputs, C, ran).wrong.any()
    C[8, 6] = -1.0
    assert list(zip(*np.nonzero(compared(inputs, C, ran).wrong), strict=True)) == [(8, 6)]
    C[0, 0] = blank()[0, 0]
    assert compared(inputs, C, ran).wrong[0, 0]


def test_blocks_cover_their_tiles() -> None:
    launch = Launch((4, 4, 1), (4, 2))
    shape = Shape(5, 9, 1)
    ran = compare.ran_elements(shape, launch, np.array([0, 5]))
    assert launch.grid(shape) == (3, 3, 1)
    assert ran[:2, :4].all()
    assert ran[2:4, 8:].all()
    assert ran.sum() == 8 + 2
    turned = compare.ran_elements(shape, replace(launch, grid_x="rows"), np.array([0, 5]))
    assert turned[4:, 4:8].all()


@pytest.mark.parametrize(("offset", "broken_at"), [(-1, -1), (-5, -5), (100 * 4, 400), (100 * 4 + 7, 407)])
def test_a_broken_guard_is_found_at_its_offset(offset: int, broken_at: int) -> None:
    operand = operands(FLOAT32, Shape(10, 10, 10))["A"]
    content = guarded(np.zeros(100, np.float32), operand)
    assert compare.guards_broken(content, operand) is None
    content[BAND + offset] = 0
    assert compare.guards_broken(content, operand) == broken_at


@pytest.mark.parametrize("side", [100_000, 2**31 - 1])
def test_a_tile_that_is_larger_than_c_needs_no_memory(side: int) -> None:
    assert compare.ran_elements(Shape(5, 9, 1), Launch((4, 4, 1), (side, side)), np.array([0])).all()


def test_a_mismatch_counts_and_names_the_first_and_the_worst() -> None:
    inputs = drawn()
    want = exact_result(inputs, FLOAT32)
    C = right(inputs)
    C[1, 2] += 1
    C[4, 4] += 100
    C[5, 5] = blank()[0, 0]
    C[6, 6] = np.nan
    found = mismatch(compared(inputs, C))
    assert (found.region.wrong, found.region.total) == (4, 63)
    assert (found.region.never_written, found.region.not_a_number) == (1, 1)
    assert (found.first.row, found.first.column, found.first.got) == (1, 2, want[1, 2] + 1)
    assert np.isnan(found.worst.got)


def test_every_type_has_a_poison() -> None:
    assert set(POISON) == {"float16", "float32", "float64", "int32"}
