from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from grader.comparison import compare
from grader.comparison.compare import made_of_poison
from grader.comparison.expectation import of_inputs
from grader.contract.inputs import draw
from grader.contract.layout import load, operands, store
from grader.explain.wrong_elements.error_pattern import mismatch
from grader.explain.wrong_elements.trial import Trial, Uses
from grader.explain.wrong_elements.wrong_answer import wrong_answer
from grader.model import Backend, Case, Fault, Interface, Launch, Shape

FLOAT32 = Interface("matmul", ("A", "B", "C", "M", "N", "K"))
INT32 = replace(FLOAT32, type_a="int32", type_b="int32", type_c="int32")
N = 41
TILE = 16
SQUARE = Shape(N, N, N)
Kernel = Callable[..., np.ndarray]


def trial(shape: Shape = SQUARE, run: str = "first", interface: Interface = FLOAT32, seed: int = 16) -> Trial:
    launch = Launch((TILE, TILE, 1), (TILE, TILE))
    return Trial(Case(shape, run, seed), interface, launch, Backend.SIMULATOR)


def fault(kernel: Kernel, of: Trial | None = None) -> Fault:
    """The fault of a kernel's wrong answer. The kernel is a function that returns C for A, B and the old C."""
    of = of or trial()
    inputs, operand = draw(of.case, of.interface), operands(of.interface, of.case.shape)["C"]
    start = load(store(inputs.C, operand, of.interface), operand, of.interface)
    with np.errstate(invalid="ignore"):
        C = kernel(inputs.A.astype(float), inputs.B.astype(float), start.copy()).astype(operand.dtype)
    comparison = compare.compare(of_inputs(inputs, of.interface), C, start)
    return wrong_answer(of, comparison, mismatch(comparison))


def only_rows(last: int) -> Kernel:
    def kernel(A: np.ndarray, B: np.ndarray, C: np.ndarray) -> np.ndarray:
        C[:last] = (A @ B)[:last]
        return C

    return kernel


@pytest.mark.parametrize(
    ("kernel", "says"),
    [
        (lambda _A, _B, C: C, "writes nothing"),
        (lambda _A, _B, C: C + np.float32(1), "adds to what C holds"),
        (lambda A, B, _C: A @ B + np.inf, "C[0][0] is infinity"),
        (lambda A, B, _C: A @ B + np.float64(np.nan), "Every element is NaN"),
        (lambda A, B, _C: A @ B + np.where(A > 0, np.nan, 0), "The result contains NaN"),
        (lambda A, B, _C: A @ B * (1 + 1e-4), "close but not exact"),
        (lambda A, B, C: only_rows(9)(A * (1 + 1e-4), B, C), "Other elements are never written"),
        (only_rows(N - 1), "guard row < M && col < N"),
    ],
)
def test_a_mistake_is_named(kernel: Kernel, says: str) -> None:
    assert says in fault(kernel).hint


@pytest.mark.parametrize(
    ("kernel", "lacks"),
    [
        (lambda A, B, _C: 2 * A @ B, "beta:"),
        (lambda A, B, C: A @ B - C, "alpha:"),
        (lambda A, B, _C: A @ B, "alpha and without beta:"),
    ],
)
def test_a_factor_of_the_lab_that_is_left_out_is_named(kernel: Kernel, lacks: str) -> None:
    of = trial(interface=replace(FLOAT32, alpha=2.0, beta=-1.0))
    assert fault(kernel, of).hint.startswith(f"The result is right without {lacks}")


@pytest.mark.parametrize("kernel", [lambda A, B, _C: 3 * A @ B, lambda A, B, C: (2 * A @ B - C) * (1 + 1e-4)])
def test_what_a_lab_computes_besides_the_sum_is_asked_for(kernel: Kernel) -> None:
    of = trial(interface=replace(FLOAT32, alpha=2.0, beta=-1.0))
    hint = fault(kernel, of).hint
    assert hint.endswith("multiplied by alpha = 2, once? Is C from before the launch added, times beta = -1?")


def test_the_guard_is_that_of_the_lab() -> None:
    interface = replace(FLOAT32, parameters=("A", "B", "C", "N"))
    assert "row < N && col < N" in fault(only_rows(N - 1), trial(interface=interface)).hint


def test_unset_shared_memory_is_named() -> None:
    fresh = np.uint32(0xFFFFFFFF).view(np.float32)

    def kernel(A: np.ndarray, B: np.ndarray, _C: np.ndarray) -> np.ndarray:
        result = (A @ B).astype(np.float32)
        result[::16] = fresh
        return result

    shown = fault(kernel, replace(trial(), uses=Uses(shared_memory=True, barriers=True)))
    assert "shared memory that no thread has written" in shown.hint
    assert "in every 16th row, from row 0 on" in shown.sentence


@pytest.mark.parametrize("shape", [Shape(7, 41, 29), Shape(1, 1, 1), Shape(41, 7, 41), Shape(9, 3, 65)])
@pytest.mark.parametrize("layout", ["row", "column"])
def test_any_shape_and_layout_gets_a_hint(shape: Shape, layout: Any) -> None:
    of = trial(shape, interface=replace(FLOAT32, layout=layout, padding=3, transpose_b=True))
    assert fault(lambda A, B, _C: A @ B + 1, of).hint


def test_the_sentence_says_how_many_where_and_gives_an_example() -> None:
    shown = fault(lambda A, B, _C: A @ B + (np.arange(N)[:, None] == N - 1))
    want = (draw(trial().case, FLOAT32).A @ draw(trial().case, FLOAT32).B)[N - 1, 0]
    example = f"C[40][0] should be {want:.9g} but is {want + 1:.9g}."
    assert shown.sentence == f"41 of 1681 elements of C are wrong at N=41, in the last row: {example}"


def test_the_elements_of_a_block_are_named_where_none_is_written() -> None:
    def first_row_of_blocks(A: np.ndarray, B: np.ndarray, C: np.ndarray) -> np.ndarray:
        C[:TILE] = (A @ B)[:TILE]
        return C

    hint = fault(first_row_of_blocks).hint
    assert "3 x 3 blocks of 16 x 16 threads" in hint
    assert "16 columns from blockIdx.x * 16 on and 16 rows from blockIdx.y * 16 on" in hint


@pytest.mark.parametrize("of_file", [False, True])
def test_without_a_launch_line_the_blocks_are_those_of_the_rubric_or_of_host_code(*, of_file: bool) -> None:
    launched = replace(trial(), uses=Uses(launch_of_lab=True), launch=replace(trial().launch, of_file=of_file))
    assert ("the launch is the lab's." in fault(only_rows(N - 2), launched).hint) is not of_file


def test_a_launch_of_fewer_threads_than_elements_is_told_as_that() -> None:
    launched = replace(trial(), launch=Launch((N, 1, 1), (N, N - 1)))
    assert fault(only_rows(2), launched).hint.startswith("The launch has 82 threads, which store one element each,")


def test_elements_that_are_never_written_are_called_so() -> None:
    sentence = fault(only_rows(N - 2)).sentence
    assert sentence.startswith("82 of 1681 elements of C are never written at N=41, in the last 2 rows: C[39][0]")
    assert "but is" not in sentence


def test_one_wrong_element_is_singular() -> None:
    def kernel(A: np.ndarray, B: np.ndarray, _C: np.ndarray) -> np.ndarray:
        result = A @ B
        result[0, 0] += 1
        return result

    assert fault(kernel).sentence.startswith("1 of 1681 elements of C is wrong at N=41, in row 0, column 0:")


def test_only_an_edge_is_called_an_edge() -> None:
    last = np.arange(N)[:, None] == N - 1
    noise = np.random.default_rng(1).integers(1, 9, (N, N)) * 1e6
    for uses, says in ((Uses(), "the bounds"), (Uses(shared_memory=True, barriers=True), "how the last tile")):
        of = replace(trial(), uses=uses)
        assert f"Only the edge is wrong: check {says}" in fault(lambda A, B, _C: A @ B + last * noise, of).hint
    assert "Only the edge" not in fault(lambda A, B, _C: A @ B + 1e6).hint


@pytest.mark.parametrize("run", ["first", "second"])
def test_lower_precision_is_named_whatever_the_inputs(run: str) -> None:
    shown = fault(lambda A, B, _C: A @ B * (1 + 1e-4), trial(run=run))
    assert "The values are close but" in shown.hint


def test_a_sum_started_in_c_keeps_the_payload_of_its_poison() -> None:
    operand = operands(FLOAT32, Shape(4, 4, 4))["C"]
    with np.errstate(invalid="ignore"):
        assert made_of_poison(store(None, operand, FLOAT32) + np.float32(3)).all()


@pytest.mark.parametrize("uses", [Uses(), Uses(shared_memory=True, barriers=True)])
def test_a_hint_mentions_only_what_the_file_contains(uses: Uses) -> None:
    noise = np.random.default_rng(1).integers(-5, 5, (N, N))
    far = fault(lambda A, B, _C: A @ B + 1e6 * noise, replace(trial(), uses=uses)).hint
    near = fault(lambda A, B, _C: A @ B * (1 + noise / 4096), replace(trial(), uses=uses)).hint
    assert ("__syncthreads" in far) == uses.barriers
    assert "close but not exact" in near
    assert "half" not in near
    assert "shorter type" not in near


def test_rows_of_zeros_are_not_named_as_a_place() -> None:
    sentence = fault(lambda A, B, _C: 3 * A @ B, trial(Shape(N, N, 1))).sentence
    assert "wherever C should not be zero" in sentence


@pytest.mark.parametrize(
    "interface",
    [
        replace(FLOAT32, type_a="float16", type_b="float16", type_c="float16"),
        replace(FLOAT32, type_a="float64", type_b="float64", type_c="float64"),
        INT32,
    ],
    ids=["float16", "float64", "int32"],
)
def test_every_type_gets_a_true_hint(interface: Interface) -> None:
    of = trial(interface=interface)
    scattered = np.random.default_rng(1).random((N, N)) < 0.3
    hint = fault(lambda A, B, _C: np.where(scattered, np.rint(A.T @ B * 7 % 1000), A @ B), of).hint
    assert hint.startswith("Write down the terms")


def test_the_largest_numbers_do_not_break_the_explanation() -> None:
    of = trial(interface=replace(FLOAT32, type_a="float64", type_b="float64", type_c="float64", alpha=0.5))
    assert fault(lambda A, B, _C: np.where(A @ B > 0, 1e308, -1e308), of).hint


def test_the_edge_is_not_named_where_all_other_elements_are_zero() -> None:
    def kernel(A: np.ndarray, B: np.ndarray, _C: np.ndarray) -> np.ndarray:
        C = A @ B
        C[:, ::2] *= 1 + 2.0**-20
        return C

    assert "edge" not in fault(kernel, trial(run="second")).hint
