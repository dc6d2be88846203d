from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from grader.comparison.compare import as_float64, wrong_elements
from grader.comparison.error_limit import plain_sum
from grader.comparison.expectation import exact_result, of_inputs
from grader.contract.freivalds import changes
from grader.contract.inputs import CHECKED, REPEATED, RUNS, TIMED, Inputs, blocks, draw, unset_byte, watched
from grader.contract.lines import LineKinds, largest_of_partners
from grader.contract.whole_inputs import largest_start
from grader.model import Case, Interface, Shape
from tests.benchmarks import accuracy
from tests.benchmarks.accuracy import rounded

Matrix = NDArray[np.float32]
Mask = NDArray[np.bool_]

FLOAT32 = Interface("matmul", ("A", "B", "C", "M", "N", "K"))
LABS = {
    "float32": FLOAT32,
    "float64": replace(FLOAT32, type_a="float64", type_b="float64", type_c="float64"),
    "half": replace(FLOAT32, type_a="float16", type_b="float16", type_c="float16"),
    "half in, float out": replace(FLOAT32, type_a="float16", type_b="float16"),
    "bfloat16 in, float out": replace(FLOAT32, type_a="bfloat16", type_b="bfloat16"),
    "float in, half out": replace(FLOAT32, type_c="float16"),
    "int32": replace(FLOAT32, type_a="int32", type_b="int32", type_c="int32"),
    "int8": replace(FLOAT32, type_a="int8", type_b="int8", type_c="int32"),
    "uint8 and int8": replace(FLOAT32, type_a="uint8", type_b="int8", type_c="int32"),
    "alpha and beta": replace(FLOAT32, alpha=1.5, beta=-0.5),
}
LARGEST = {"float16": 2**11, "float32": 2**24, "float64": 2**53, "int32": 2**31 - 1}

SHORT = [("bfloat16 in, float out", 8), ("int8", 7), ("uint8 and int8", 7)]  # types that NumPy lacks, or of few bits

some = st.sampled_from
depths = some((1, 2, 33, 257, 1025, 2049, 4097))
seeds = st.integers(0, 2**32)
runs = some((*RUNS, CHECKED, TIMED))


def drawn(interface: Interface, run: str, K: int = 257, seed: int = 1, lines: int = 5) -> Inputs:
    return draw(Case(Shape(lines, lines, K), run, seed), interface)


def units(inputs: Inputs) -> NDArray[np.float64]:
    """The powers of two of which exact elements of C are multiples."""
    return np.ldexp(1.0, inputs.rows.exponents[:, None] + inputs.columns.exponents)


@settings(max_examples=60, deadline=None)
@given(some(sorted(LABS)), runs, depths, seeds, st.integers(1, 40))
def test_no_exact_sum_leaves_the_accumulator(lab: str, run: str, K: int, seed: int, lines: int) -> None:
    interface = LABS[lab]
    inputs = drawn(interface, run, K, seed, lines)
    sums = np.abs(inputs.A.astype(float)) @ np.abs(inputs.B.astype(float)) / units(inputs)
    scale = 2 if interface.beta else 1  # halves are exact as long as twice the value is a whole number
    whole = scale * (abs(interface.alpha) * sums + largest_start(interface) * abs(interface.beta))[inputs.exact]
    assert whole.max(initial=0) <= LARGEST[interface.type_c]
    assert (sums[inputs.exact] % 1 == 0).all()


@pytest.mark.parametrize("lab", sorted(LABS))
def test_every_element_of_a_first_run_and_of_a_checked_launch_of_an_odd_size_is_exact(lab: str) -> None:
    assert all(drawn(LABS[lab], run).all_exact for run in (RUNS[0], CHECKED))


@settings(max_examples=20, deadline=None)
@given(some(RUNS), depths, seeds, st.integers(1, 64))
def test_any_order_of_float32_summation_gives_the_same_bits(run: str, K: int, seed: int, block: int) -> None:
    inputs = drawn(FLOAT32, run, K, seed, lines=24)
    order = np.random.default_rng(seed).permutation(K)
    total = np.zeros((24, 24), np.float32)
    for first in range(0, K, block):
        part = np.zeros((24, 24), np.float32)
        for k in order[first : first + block]:
            part += np.outer(inputs.A[:, k], inputs.B[k])
        total += part
    assert (total == exact_result(inputs, FLOAT32))[inputs.exact].all()


@pytest.mark.parametrize("bits", [23, 22, 16, 13, 11, 8])
@pytest.mark.parametrize("narrow", ["A", "B"])
@pytest.mark.parametrize("K", [33, 257])
def test_exact_elements_detect_every_lost_bit_of_a_factor_and_of_the_sum(bits: int, narrow: str, K: int) -> None:
    lost_in_factor = lost_in_sum = 0
    for inputs in (drawn(FLOAT32, RUNS[1], K, seed, lines=128) for seed in range(3)):
        want = exact_result(inputs, FLOAT32)
        A, B = (
            rounded(matrix.astype(float), bits, None) if name == narrow else matrix.astype(float)
            for name, matrix in (("A", inputs.A), ("B", inputs.B))
        )
        lost_in_factor += int(np.count_nonzero((want != A @ B)[inputs.exact]))
        lost_in_sum += int(np.count_nonzero((rounded(want, bits, None) != want)[inputs.exact]))
    assert min(lost_in_factor, lost_in_sum) > 30


@settings(max_examples=40, deadline=None)
@example((1, 1, 1), RUNS[0], 1)
@given(st.tuples(*[st.integers(1, 70)] * 2, some((1, 2, 5, 33, 64, 257))), some(RUNS), seeds)
def test_exact_elements_are_exact_in_strassens_and_winograds_algorithms(
    size: tuple[int, int, int], run: str, seed: int
) -> None:
    inputs = draw(Case(Shape(*size), run, seed), FLOAT32)
    A, B = inputs.A.astype(np.float32), inputs.B.astype(np.float32)
    for algorithm in (accuracy.strassen, accuracy.winograd):
        for way in (algorithm(accuracy.plain), accuracy.edges_apart(algorithm(accuracy.plain), accuracy.plain)):
            assert (way(A, B) == exact_result(inputs, FLOAT32))[inputs.exact].all()


@pytest.mark.parametrize("lines", [1, 2, 3, 7, 8, 65, 1024])
def test_a_second_run_mixes_real_lines_with_exact_ones_of_several_scales(lines: int) -> None:
    every = [drawn(FLOAT32, RUNS[1], 9, seed, lines).columns for seed in range(20)]
    have_real = [bool(rows.real.any()) for rows in every]
    assert all(have_real) if lines in {8, 1024} else any(have_real) == (lines != 3)
    assert not any((rows.real & rows.exact).any() for rows in every)
    assert len({int(power) for rows in every for power in rows.exponents}) > (lines > 2) + 1
    assert any(rows.exact.any() for rows in every) == (lines != 3)


def test_factors_of_bfloat16_are_larger_than_a_half_can_be() -> None:
    inputs = drawn(LABS["bfloat16 in, float out"], RUNS[1], lines=64)
    assert min(float(np.abs(matrix).max()) for matrix in (inputs.A, inputs.B)) > 65504


@pytest.mark.parametrize("size", [(1, 200, 300), (200, 1, 64)])
def test_repeated_launches_of_a_single_row_or_column_detect_lost_bits(size: tuple[int, int, int]) -> None:
    grades = [Case(Shape(*size), REPEATED, seed) for seed in range(4)]
    every = [draw(case, FLOAT32, launch) for case in grades for launch in range(1, 20, 2)]
    for way in ("22 bits of A", "3 TF32 products", "23 bits of every sum"):
        assert any(is_wrong(inputs, accuracy.WAYS[way](*float32(inputs))) for inputs in every)


def float32(inputs: Inputs) -> tuple[Matrix, Matrix]:
    return inputs.A.astype(np.float32), inputs.B.astype(np.float32)


def test_partners_are_half_of_a_length_apart_rounded_up_or_down() -> None:
    for values, largest in (([1, 0, 0, 0, 0], [1, 0, 1, 1, 0]), ([0, 0, 3, 0], [3, 0, 3, 0]), ([2], [2])):
        assert largest_of_partners(np.array(values, float)).tolist() == largest


def wide(lines: NDArray[np.generic], kinds: LineKinds) -> NDArray[np.bool_]:
    """The terms of exact lines with bits that no other number of them has."""
    scaled = np.ldexp(lines.astype(float), -kinds.exponents[:, None])
    return ((np.abs(scaled) >= 2**13) | (scaled % 1 != 0)) & kinds.exact[:, None]


def test_all_bits_of_a_sum_are_those_of_one_to_eight_terms() -> None:
    every = [drawn(FLOAT32, RUNS[1], 256, seed, 64) for seed in range(60)]
    counts = np.concatenate([wide(inputs.A, inputs.rows).sum(1) for inputs in every])
    assert set(range(9)) == set(counts.tolist())


@cache
def second_runs() -> list[tuple[Matrix, Matrix, Mask, Mask, Mask]]:
    """Whole rows and columns, which of their terms have all bits, and which of their products use these."""
    drawn = []
    for inputs in (draw(Case(Shape(128, 128, 1024), RUNS[1], seed), FLOAT32) for seed in range(32)):
        lines = [(inputs.A, inputs.rows), (inputs.B.T, inputs.columns)]
        whole = [kinds.exact & (kinds.exponents == 0) for _, kinds in lines]
        A, B = (matrix[at] for (matrix, _), at in zip(lines, whole, strict=True))
        of_a, of_b = (wide(*each)[at] for each, at in zip(lines, whole, strict=True))
        needed = of_a.astype(np.float32) @ (B != 0).T + (A != 0).astype(np.float32) @ of_b.T
        drawn.append((A, B, of_a, of_b, needed > 0))
    return drawn


OF_ELEMENTS: list[Callable[[Matrix], Matrix]] = [
    np.positive,
    np.abs,
    np.sign,
    lambda some: (some == 0).astype(np.float32),
    lambda some: np.log2(np.abs(some) + 1),
    lambda some: np.abs(some) % 2,
    lambda some: np.frexp(some)[0],  # how the number begins, whatever its power of two
    lambda some: (np.abs(some) > 1).astype(np.float32),
]
OF_LINES: list[Callable[[Matrix, Matrix], Matrix]] = [
    lambda some, weights: some @ weights,
    lambda some, weights: (some * weights).max(axis=1),
    lambda some, weights: (some * weights).min(axis=1),
    lambda some, weights: (np.diff(some, axis=1) == 0) @ weights[1:],  # which neighbours are equal
]
OF_PAIRS: list[Callable[[Matrix, Matrix], Matrix]] = [np.add.outer, np.multiply.outer, np.maximum.outer]
ENDS = (0, 1, 2, 3, 1020, 1021, 1022, 1023)  # where numbers of all bits are more often
places = st.just(list(ENDS)) | st.lists(st.integers(0, 1023), min_size=8, max_size=8, unique=True)
weights = st.just([1] * 8) | st.lists(st.integers(-3, 3).filter(bool), min_size=8, max_size=8)


@settings(max_examples=25, deadline=None)
@example([*range(500, 508)], [*range(500, 508)], [1] * 8, np.sign, OF_LINES[2], np.maximum.outer)
@example([*range(500, 508)], [*range(500, 508)], [1] * 8, np.abs, OF_LINES[0], np.add.outer)
@given(places, places, weights, some(OF_ELEMENTS), some(OF_LINES), some(OF_PAIRS))
def test_no_function_of_16_elements_of_a_row_and_a_column_tells_whether_their_product_uses_all_bits(
    of_row: list[int],
    of_column: list[int],
    weighed: list[int],
    of_element: Callable[[Matrix], Matrix],
    of_line: Callable[[Matrix, Matrix], Matrix],
    of_pair: Callable[[Matrix, Matrix], Matrix],
) -> None:
    """Elements show kinds where they are themselves what makes it; beside, even the best threshold hardly does."""
    told: dict[bool, list[Matrix]] = {True: [], False: []}
    for A, B, of_a, of_b, needs in second_runs():
        unseen = ~np.logical_or.outer(of_a[:, of_row].any(axis=1), of_b[:, of_column].any(axis=1))
        seen = [
            of_line(of_element(each[:, at]), np.array(weighed, np.float32))
            for each, at in ((A, of_row), (B, of_column))
        ]
        for needed, scores in told.items():
            scores.append(of_pair(*seen)[(needs == needed) & unseen])
    assert largest_advantage(*map(np.concatenate, told.values())) < (0.25 if {*ENDS} & {*of_row, *of_column} else 0.08)


def largest_advantage(one: Matrix, other: Matrix) -> float:
    """By how much more often one of two samples exceeds a threshold, for the best one."""
    at = np.unique(np.concatenate([one, other]))
    below = [np.searchsorted(np.sort(each), at, side="right") / each.size for each in (one, other)]
    return float(np.abs(below[0] - below[1]).max())


def columns_that_look_small(A: Matrix) -> Mask:
    has_fractions = A[0, 0] % 1 and A[1, 1] and A[-1, -1] and A[-1, 0] and A[0, -1]
    return (np.abs(A[:4]).max(axis=0) < 2.0**-12) & bool(has_fractions)


def halves(matrix: Matrix) -> Matrix:
    with np.errstate(over="ignore"):
        return matrix.astype(np.float16).astype(np.float32)


def half_where(rows: Mask, A: Matrix, B: Matrix) -> Matrix:
    with np.errstate(invalid="ignore"):
        return np.where(rows, halves(A) @ halves(B), A @ B)


def one_term_beside_zeros(A: Matrix, B: Matrix) -> Matrix:
    products = A[:, :, None] * B
    first = np.take_along_axis(products, (products != 0).argmax(axis=1)[:, None], axis=1)[:, 0]
    beside = (A[:, [0, -1]] == 0).any(axis=1, keepdims=True) | (B[[0, -1]] == 0).any(axis=0)
    return np.where(beside, first, A @ B)


def half_where_positive(A: Matrix, B: Matrix) -> Matrix:
    half = A.shape[1] // 2
    positive = (A[:, :20] > 0).all(axis=1, keepdims=True) & (B[:20] > 0).all(axis=0)
    return np.where(positive, A[:, :half] @ B[:half], A @ B)


def without_tiles_of_zero_diagonals(A: Matrix, B: Matrix) -> Matrix:
    left = A.copy()
    for row in range(0, A.shape[0] - 15, 16):
        for term in range(0, A.shape[1] - 15, 16):
            tile = left[row : row + 16, term : term + 16]
            tile *= tile.diagonal().any()
    return left @ B


def without_terms_of_zero_samples(A: Matrix, B: Matrix) -> Matrix:
    return (A * ~((A[::8] == 0).all(axis=0) & (B[:, ::8] == 0).all(axis=1))) @ B


def without_small_factors(A: Matrix, B: Matrix) -> Matrix:
    return np.where(np.abs(A) < 3e-7, 0, A) @ B


def twenty_bits_beside_whole_numbers(A: Matrix, B: Matrix) -> Matrix:
    whole = np.where(B % 1, 0, B)
    return np.where(A % 1, accuracy.cut(A, 20), A) @ whole + A @ (B - whole)


def twelve_bits_where_corners_are_whole(A: Matrix, B: Matrix) -> Matrix:
    return A @ B if A[0, 0] % 1 or A[-1, -1] % 1 else accuracy.cut(A, 12) @ B


def first_row_of_a_tile_for_rows_that_begin_like_it(A: Matrix, B: Matrix) -> Matrix:
    top = np.arange(len(A)) // 16 * 16
    return A[np.where((A[:, :8] == A[top, :8]).all(axis=1) & (A[:, 0] != 0), top, np.arange(len(A)))] @ B


def nineteen_bits_behind_the_last_multiple_of_four(A: Matrix, B: Matrix) -> Matrix:
    behind = np.arange(A.shape[1]) >= A.shape[1] // 4 * 4
    return np.where(behind, accuracy.cut(A, 19), A) @ np.where(behind[:, None], accuracy.cut(B, 19), B)


def without_fractions_where_the_first_is_whole(A: Matrix, B: Matrix) -> Matrix:
    return np.where((A[:, :1] % 1 == 0) & (A[:, :1] != 0), np.trunc(A), A) @ B


RECOGNISERS = [
    without_fractions_where_the_first_is_whole,
    half_where_positive,
    without_small_factors,
    lambda A, B: np.clip(A, -2e7, 2e7) @ B,
    twenty_bits_beside_whole_numbers,
    twelve_bits_where_corners_are_whole,
    first_row_of_a_tile_for_rows_that_begin_like_it,
    nineteen_bits_behind_the_last_multiple_of_four,
    lambda A, B: np.where(columns_that_look_small(A), 0, A) @ B,
    lambda A, B: half_where((A[:, :1] % 2 == 1) & (np.abs(A[:, :1]) < 2**13), A, B),
    lambda A, B: half_where(A[:1, :1] % 1 == 0, A, B),
    one_term_beside_zeros,
    without_terms_of_zero_samples,
    without_tiles_of_zero_diagonals,
    lambda A, B: without_tiles_of_zero_diagonals(B.T, A.T).T,
]


SIZES = [(65, 65, 65), (66, 40, 510), (96, 64, 257), (128, 128, 128), (144, 96, 100), (150, 150, 150), (160, 40, 200),
         (200, 33, 128), (257, 130, 300)]  # fmt: skip


@cache
def grade(seed: int) -> list[Inputs]:
    cases = [(Case(Shape(*size), run, seed), 0) for size in SIZES for run in RUNS]
    cases += [(Case(Shape(*SIZES[0]), REPEATED, seed), launch) for launch in range(20)]
    return [draw(case, FLOAT32, launch) for case, launch in cases]


@pytest.mark.parametrize("kernel", RECOGNISERS)
def test_a_kernel_that_computes_less_where_a_few_elements_look_simple_is_wrong_in_most_grades(
    kernel: Callable[[Matrix, Matrix], Matrix],
) -> None:
    """The first one is the hardest to find: 2 of 120 grades accept it, and four of six once in 800,000 draws."""
    wrong = [any(is_wrong(inputs, kernel(*float32(inputs))) for inputs in grade(seed)) for seed in range(6)]
    assert sum(wrong) >= len(wrong) / 2


@pytest.mark.parametrize(
    ("K", "of_a", "of_b"),
    [
        (257, (18, 1), (18, 1)),
        (257, (16, 4), (16, 4)),
        (257, (8, 8), (11, 11)),
        (96, (14, 8), (14, 8)),
        (96, (17, 5), (17, 5)),
        (33, (12, 10), (12, 10)),
        (33, (11, 11), (11, 11)),
    ],
)
def test_exact_elements_detect_a_lost_product_of_low_bits(K: int, of_a: tuple[int, int], of_b: tuple[int, int]) -> None:
    """Each factor is split into leading bits and the rest, which is multiplied by fewer bits of the other one."""
    for inputs in (drawn(FLOAT32, RUNS[1], K, seed, lines=128) for seed in range(4)):
        A, B = inputs.A.astype(float), inputs.B.astype(float)
        (leading_a, less_a), (leading_b, less_b) = (
            [rounded(factor, bits, None) for bits in split] for factor, split in ((A, of_a), (B, of_b))
        )
        C = leading_a @ leading_b + less_a @ (B - leading_b) + (A - leading_a) @ less_b
        assert (exact_result(inputs, FLOAT32) != C)[inputs.exact].any()


def test_memory_that_no_block_has_set_holds_numbers_in_second_runs() -> None:
    bytes_of = {run: [unset_byte(Case(Shape(8, 8, 8), run, seed)) for seed in range(9)] for run in RUNS}
    assert set(bytes_of[RUNS[0]]) == {None}
    words = np.array([0x01010101 * (byte or 0) for byte in bytes_of[RUNS[1]]], np.uint32)
    assert (np.abs(words.view(np.float32)) < 1e10).all()
    assert len(set(bytes_of[RUNS[1]])) > 3


def test_most_rows_and_columns_of_a_timed_launch_have_no_small_terms() -> None:
    timed = [draw(Case(Shape(400, 400, 512), TIMED, seed), FLOAT32) for seed in range(5)]
    lines = np.abs(np.concatenate([each for inputs in timed for each in (inputs.A, inputs.B.T)]))
    large = lines > 2.0**-16 * lines.max(axis=1, keepdims=True)
    assert (large.mean(axis=1) > 0.5).mean() > 0.6


def test_some_repeated_launches_have_the_inputs_of_the_one_before_but_for_a_part_of_a_line() -> None:
    case = Case(Shape(40, 50, 60), REPEATED, 1)
    changed = []
    for launch in (3, 7, 11, 15, 19):
        before, after = draw(case, FLOAT32, launch - 1), draw(case, FLOAT32, launch)
        different = (before.A != after.A), (before.B != after.B).T
        changed.append(sum(int(each.any(axis=1).sum()) for each in different))
    assert 1 in changed
    assert max(changed) == 1


def is_wrong(inputs: Inputs, C: Matrix) -> bool:
    return bool(wrong_elements(as_float64(C), of_inputs(inputs, FLOAT32), np.ones(C.shape, np.bool_)).any())


def test_from_two_to_all_terms_of_real_lines_are_large() -> None:
    every = [drawn(FLOAT32, RUNS[1], 128, seed, lines=128) for seed in range(4)]
    lines = np.concatenate([inputs.A[inputs.rows.real] for inputs in every])
    counts = (np.abs(lines) > 2.0**-20).sum(1)
    assert counts.min() <= 8
    assert counts.max() == 128
    assert np.unique(counts).size > 60


@pytest.mark.parametrize(("math", "bits"), [("tf32", 11), ("bf16", 8)])
@pytest.mark.parametrize("run", RUNS)
def test_rounding_to_the_bits_that_a_lab_allows_is_exact_and_to_one_bit_less_is_not(
    math: str, bits: int, run: str
) -> None:
    interface = replace(FLOAT32, math=math)
    inputs = drawn(interface, run, 65, lines=64)
    factors = (inputs.A, inputs.B)
    assert all(np.array_equal(rounded(factor.astype(float), bits, None), factor) for factor in factors)
    A, B = (rounded(factor.astype(float), bits - 1, None) for factor in factors)
    assert run == RUNS[0] or (exact_result(inputs, interface) != A @ B).mean() > 0.2


@pytest.mark.parametrize(
    ("lab", "bits"), [("float32", 24), ("float64", 53), ("half in, float out", 11), ("int32", 31), *SHORT]
)
def test_both_factors_have_numbers_with_every_bit_of_their_type(lab: str, bits: int) -> None:
    inputs = drawn(LABS[lab], RUNS[1], 64, lines=128)
    for lines, kinds in ((inputs.A, inputs.rows), (inputs.B.T, inputs.columns)):
        significands = np.frexp(np.abs(lines[kinds.exact].astype(float)))[0] * 2.0**bits
        assert (significands % 1 == 0).all()
        assert (significands % 2 == 1).any()


def test_four_products_of_int8_may_be_too_large_for_16_bits() -> None:
    inputs = drawn(LABS["int8"], RUNS[0], 64, lines=64)
    parts = inputs.A.astype(int).reshape(64, 16, 4).swapaxes(0, 1) @ inputs.B.astype(int).reshape(16, 4, 64)
    assert np.abs(parts).max() >= 2**15


@settings(max_examples=30, deadline=None)
@given(
    some(sorted(LABS)),
    some(RUNS),
    some(((1, 5, 9), (6, 1, 9), (9, 8, 1), (1, 1, 1), (3, 3, 32768))),
    st.booleans(),
    seeds,
)
def test_unusual_labs_have_exact_sums_or_a_limit_that_a_plain_sum_meets(
    lab: str, run: str, size: tuple[int, int, int], transposed: bool, seed: int
) -> None:
    interface = replace(LABS[lab], transpose_a=transposed, padding=3 * transposed)
    expected = of_inputs(draw(Case(Shape(*size), run, seed), interface), interface)
    inputs, kind = expected.inputs, np.dtype(interface.type_c)
    with np.errstate(over="ignore"):
        sums = kind.type(interface.alpha) * plain_sum(inputs.A, inputs.B, interface)
    left = sums if inputs.C is None else (sums + kind.type(interface.beta) * inputs.C).astype(kind)
    assert not wrong_elements(as_float64(left), expected, np.ones(left.shape, np.bool_)).any()


@pytest.mark.parametrize("run", RUNS)
def test_inputs_are_the_same_for_the_same_seed_and_differ_for_another(run: str) -> None:
    case = Case(Shape(8, 8, 8), run, 7)
    same, other, later = draw(case, FLOAT32), draw(replace(case, seed=8), FLOAT32), draw(case, FLOAT32, launch=1)
    assert np.array_equal(draw(case, FLOAT32).A, same.A)
    assert not np.array_equal(other.A, same.A)
    assert not np.array_equal(later.B, same.B)


def test_every_bit_of_a_seed_counts() -> None:
    shape = Shape(9, 9, 9)
    drawn_from = {draw(Case(shape, RUNS[0], 1 ^ 1 << bit), FLOAT32).A.tobytes() for bit in range(128)}
    signs_from = {changes(shape, np.arange(9), 1 ^ 1 << bit, 1, 8).a_rows.tobytes() for bit in range(128)}
    assert (len(drawn_from), len(signs_from)) == (128, 128)


def test_real_lines_have_one_norm_and_every_bit_of_float32() -> None:
    inputs = drawn(FLOAT32, RUNS[1], 257, lines=128)
    real = inputs.A[inputs.rows.real]
    assert np.ptp(np.linalg.norm(real, axis=1)) < 1e-5
    for bit in range(22):
        assert 0.4 < np.mean(real.view(np.uint32) >> bit & 1) < 0.6


def test_an_alpha_that_cannot_be_multiplied_exactly_is_not_compared_exactly() -> None:
    assert not drawn(replace(FLOAT32, alpha=0.1), RUNS[0]).exact.any()
    assert drawn(replace(FLOAT32, alpha=-2.0), RUNS[0]).all_exact


def test_c_holds_numbers_where_beta_counts_in_second_runs_and_in_every_second_of_the_repeated_launches() -> None:
    assert [drawn(FLOAT32, run).C is None for run in (*RUNS, CHECKED)] == [True, False, True]
    assert [draw(Case(Shape(5, 5, 5), REPEATED, 1), FLOAT32, launch).C is None for launch in range(4)] == [
        True,
        False,
    ] * 2


@pytest.mark.parametrize("alpha", [1.5, 0.3])
def test_c_has_multiples_of_the_unit_of_a_sum_where_beta_counts_but_beside_real_lines(alpha: float) -> None:
    inputs = drawn(replace(LABS["alpha and beta"], alpha=alpha), RUNS[1])
    assert inputs.C is not None
    assert ((inputs.C / units(inputs) % 1 != 0) == (inputs.rows.real[:, None] | inputs.columns.real)).all()


@given(st.integers(1, 80), st.integers(1, 80), st.integers(1, 3), seeds)
def test_the_runs_share_out_the_tiles_with_all_their_blocks(x: int, y: int, z: int, seed: int) -> None:
    ran = np.zeros((len(RUNS), z, y, x), bool)
    for run, marks in zip(RUNS, ran, strict=True):
        numbers = blocks(Case(Shape(2048, 2048, 2048), run, seed, shared_out=True), (x, y, z))
        assert numbers is not None
        marks.reshape(-1)[numbers] = True
        assert np.array_equal(numbers, np.unique(numbers))
    assert (ran == ran[:, :1]).all()
    assert ran[:, :, -1].all()
    assert ran[:, :, :, -1].all()
    inner = ran[:, 0, :-1, :-1].sum(0)
    assert inner.min(initial=1) == 1
    assert (inner == 2).sum() <= x * y / 32
    assert (inner == 2).any() or x * y < 32 * (x + y)  # it may be tiles at the edge
    assert ran[:, 0, :-1, :-1].sum((1, 2)).max() <= x * y / 2 + x * y / 32 + 1


def test_another_seed_distributes_the_blocks_differently() -> None:
    seeds = (1, 1, 2)
    first, again, second = (blocks(Case(Shape(9, 9, 9), RUNS[1], seed, shared_out=True), (50, 50, 1)) for seed in seeds)
    assert first is not None and again is not None and second is not None  # noqa: PT018 - for the types
    assert np.array_equal(first, again)
    assert not np.array_equal(first, second)


def test_the_edges_the_neighbours_of_the_first_tile_and_a_drawn_one_of_a_large_size_are_checked() -> None:
    case = Case(Shape(1024, 1024, 1024), CHECKED, 1, shared_out=True)
    for grid, edges in (((8, 4, 1), {0, 1, 7, 8, 24, 31}), ((5, 1, 1), {0, 1, 4}), ((1, 1, 1), {0})):
        _, drawn = watched(case, grid)
        assert set(blocks_of(case, grid)) == edges | {drawn}
    first, second = np.array(blocks_of(case, (8, 4, 2))).reshape(2, -1)
    assert np.array_equal(second - first, np.full(first.size, 32))


@pytest.mark.parametrize("size", [33, 128, 1024])
def test_which_blocks_are_watched_depends_on_the_seed_where_a_search_of_all_takes_long(size: int) -> None:
    cases = [Case(Shape(size, size, size), CHECKED, seed, shared_out=size > 520) for seed in range(40)]
    grid = (size + 15) // 16, (size + 15) // 16, 1
    chosen = {watched(case, grid, 256) for case in cases}
    assert len(chosen) == 1 if size == 33 else len(chosen) > 5
    assert all(not case.shared_out or watched(case, grid)[1] in blocks_of(case, grid) for case in cases)


def blocks_of(case: Case, grid: tuple[int, int, int]) -> list[int]:
    chosen = blocks(case, grid)
    assert chosen is not None
    return [int(number) for number in chosen]


def test_all_blocks_run_if_a_list_of_their_numbers_would_need_much_memory() -> None:
    case = Case(Shape(32768, 32768, 1), RUNS[1], 1, shared_out=True)
    assert blocks(case, (32768, 32768, 1)) is None
