from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.contract.layout import (
    BAND,
    POISON,
    arguments,
    bits,
    elements_between,
    guarded,
    guarded_bytes,
    load,
    operands,
    padding,
    store,
    store_guarded,
)
from grader.model import Argument, Interface, Shape

SQUARE = Interface("matmul", ("A", "B", "C", "N"))
TYPES = ("float16", "float32", "float64", "int32")

shapes = st.builds(Shape, st.integers(1, 9), st.integers(1, 9), st.integers(1, 9))


@st.composite
def interfaces(draw: st.DrawFn) -> Interface:
    kind = draw(st.sampled_from(TYPES))
    return replace(
        SQUARE,
        type_a=kind,
        type_b=kind,
        type_c=kind,
        layout=draw(st.sampled_from(("row", "column"))),
        transpose_a=draw(st.booleans()),
        transpose_b=draw(st.booleans()),
        padding=draw(st.integers(0, 3)),
    )


def logical(shape: Shape, name: str, kind: str) -> np.ndarray:
    rows, columns = {"A": (shape.M, shape.K), "B": (shape.K, shape.N), "C": (shape.M, shape.N)}[name]
    return np.arange(rows * columns).reshape(rows, columns).astype(kind)


@given(shapes, interfaces(), st.sampled_from("ABC"))
def test_load_is_the_inverse_of_store(shape: Shape, interface: Interface, name: str) -> None:
    operand = operands(interface, shape)[name]
    matrix = logical(shape, name, operand.dtype)
    memory = store(matrix, operand, interface)
    assert memory.shape == (operand.elements,)
    assert np.array_equal(load(memory, operand, interface), matrix)


@pytest.mark.parametrize(
    ("change", "name", "index"),
    [
        ({}, "A", 2 * 5 + 3),
        ({"padding": 4}, "A", 2 * 9 + 3),
        ({"layout": "column"}, "A", 3 * 4 + 2),
        ({"transpose_a": True}, "A", 3 * 4 + 2),
        ({"transpose_a": True, "layout": "column"}, "A", 2 * 5 + 3),
        ({"transpose_b": True}, "B", 3 * 5 + 2),
        ({"layout": "column", "padding": 1}, "C", 3 * 5 + 2),
    ],
)
def test_element_2_3_lies_where_the_textbook_says(change: dict[str, Any], name: str, index: int) -> None:
    interface = replace(SQUARE, **change)
    operand = operands(interface, Shape(4, 6, 5))[name]
    matrix = logical(Shape(4, 6, 5), name, "float32")
    assert store(matrix, operand, interface)[index] == matrix[2, 3]


@given(shapes, interfaces())
def test_c_is_poison_until_it_is_written(shape: Shape, interface: Interface) -> None:
    operand = operands(interface, shape)["C"]
    assert (bits(store(None, operand, interface)) == POISON[operand.dtype]).all()
    written = store(logical(shape, "C", operand.dtype), operand, interface)
    assert (bits(padding(written, operand)) == POISON[operand.dtype]).all()


@pytest.mark.parametrize("kind", ["float16", "float32", "float64"])
def test_arithmetic_changes_the_poison_and_a_copy_does_not(kind: str) -> None:
    word = np.dtype(f"u{np.dtype(kind).itemsize}")
    poison = np.full(64, POISON[kind], word).view(kind)
    with np.errstate(invalid="ignore"):
        assert np.isnan(poison).all()
        assert (bits(poison + poison.dtype.type(1)) != POISON[kind]).all()
    assert (bits(poison.copy()) == POISON[kind]).all()


@pytest.mark.parametrize("kind", ["float16", "float32", "float64", "int32"])
def test_with_a_beta_of_zero_a_kernel_may_multiply_c_by_it(kind: str) -> None:
    interface = replace(SQUARE, type_c=kind, parameters=(*SQUARE.parameters, "alpha", "beta"))
    before = store(None, operands(interface, Shape(4, 6, 5))["C"], interface)
    assert not (before * np.zeros(1, kind)).any()
    assert (before + np.ones(1, kind) != before).all()


@given(shapes, interfaces(), st.sampled_from("ABC"))
def test_an_image_has_guards_around_the_elements(shape: Shape, interface: Interface, name: str) -> None:
    operand = operands(interface, shape)[name]
    matrix = logical(shape, name, operand.dtype)
    elements = store(matrix, operand, interface)
    content = guarded(elements, operand)
    assert elements_between(content, operand).tobytes() == elements.tobytes()
    assert set(content[:BAND].tolist()) | set(content[BAND + operand.nbytes :].tolist()) <= {0xFF}
    assert store_guarded(matrix, operand, interface).tobytes() == content.tobytes()
    assert content.size == guarded_bytes(operand) >= BAND + operand.nbytes + BAND
    assert content.size % 256 == 0


def test_arguments_come_in_call_order_with_their_values() -> None:
    interface = replace(SQUARE, parameters=("C", "A", "ldc", "lda", "M", "N", "K", "alpha"), padding=3, alpha=2.0)
    assert arguments(interface, Shape(4, 6, 5)) == (
        Argument("buffer", "C"),
        Argument("buffer", "A"),
        Argument("integer", "ldc", 9),
        Argument("integer", "lda", 8),
        Argument("integer", "M", 4),
        Argument("integer", "N", 6),
        Argument("integer", "K", 5),
        Argument("real", "alpha", 2.0),
    )


def test_the_factors_of_integers_are_integers() -> None:
    interface = replace(SQUARE, type_a="int32", type_b="int32", type_c="int32", parameters=("alpha", "beta"), beta=3.0)
    assert arguments(interface, Shape(5, 5, 5)) == (Argument("integer", "alpha", 1.0), Argument("integer", "beta", 3.0))
