"""Expressions of a rubric: arithmetic, and nothing else."""

import re
import warnings
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model import expressions
from grader.model.expressions import ExpressionError

NAMES = {"M": 12, "N": 33, "K": 7}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("N", 33),
        ("ceil(N / 16)", 3),
        ("(N + 15) // 16 * 4", 12),
        ("N % 16 - -1", 2),
        ("min(M, N, K)", 7),
        ("max(K)", 7),
        ("ceil(N * 0.5)", 17),
        ("4 * (K / 2) * 2", 28),
    ],
)
def test_arithmetic_is_exact(text: str, value: int) -> None:
    assert expressions.whole(text, NAMES) == value


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("N / 2", "is 16.5, which is not a whole number"),
        ("N // (M - 12)", "divides by zero"),
        ("M % (K - 7)", "divides by zero"),
        ("rows", "uses `rows`, which is none of M, N, K"),
        ("N ** 2", "is not arithmetic"),
        ("N << 70", "is not arithmetic"),
        ("N < M < K", "is not arithmetic"),
        ("__import__('os').system('true')", "is not arithmetic"),
        ("N.bit_length()", "is not arithmetic"),
        ("[N for N in M]", "is not arithmetic"),
        ("max(*M)", "is not arithmetic"),
        ("max(N, key=M)", "is not arithmetic"),
        ("ceil(M, N)", "gives ceil() more than one number"),
        ("min()", "is not arithmetic"),
        ("True", "is not arithmetic"),
        ("1e999", "is not arithmetic"),
        ("'N'", "is not arithmetic"),
        ("", "is not arithmetic"),
        ("N\0", "is not arithmetic"),
        ("N;M", "is not arithmetic"),
        ("99999999999999999999", "is not arithmetic"),
        (" * ".join(["N"] * 13), "needs more than 63 bits"),
        ("N" * 201, "has more than 200 characters"),
    ],
)
def test_everything_else_is_refused_in_words(text: str, complaint: str) -> None:
    with pytest.raises(ExpressionError, match=re.escape(complaint)):
        expressions.whole(text, NAMES)


def test_python_says_nothing_of_a_text() -> None:
    with warnings.catch_warnings(record=True, action="always") as said, suppress(ExpressionError):
        expressions.whole("1if 2else 3", NAMES)
    assert not said


@pytest.mark.parametrize("text", ["(" * 99 + "N" + ")" * 99, "-" * 198 + "N"])
def test_deep_nesting_is_no_trap(text: str) -> None:
    assert expressions.whole(text, NAMES) == 33


@given(st.text("MNK0123456789+-*/%(), ceilmnax.", max_size=60))
def test_no_text_does_anything_but_give_a_number_or_a_complaint(text: str) -> None:
    with suppress(ExpressionError):
        assert abs(expressions.value(text, NAMES)) < expressions.MOST


def test_a_decimal_point_makes_a_real_number_as_in_c() -> None:
    assert expressions.is_real("1.0 / N")
    assert not expressions.is_real("1 / N")
