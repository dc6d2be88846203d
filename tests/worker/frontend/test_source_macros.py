"""The macros of a source file: whether a body is one operand, and whose parameters are known where."""

from __future__ import annotations

import pytest

from grader.worker.frontend.source_macros import macros_of, parameters_at


@pytest.mark.parametrize(
    ("body", "is_operand"),
    [(b"s.a", True), (b"(x + s.a)", True), (b"stage[i + 1]", True), (b"n::s->a", True), (b"f(x, y)", True),
     (b"x + s", False), (b"(x) + (y)", False), (b"*p", False), (b"", False)],
)  # fmt: skip
def test_a_body_without_an_operator_outside_of_parentheses_is_an_operand(body: bytes, is_operand: bool) -> None:
    (macro,) = macros_of(b"#define NAME " + body + b"\n")
    assert (macro.name, macro.is_operand) == (b"NAME", is_operand)


def test_a_macro_may_make_text_of_a_parameter() -> None:
    text = b"#define TEXT(x) #x\n#define JOIN(x, y) x##y\n#define DIRECTIVE #x\n"
    assert [macro.is_text for macro in macros_of(text)] == [True, False, False]


def test_parameters_are_known_in_the_definition_only() -> None:
    text = b"#define A(x, \\\n y) x \\\n + y\n# define B s.a\nx"
    macros = macros_of(text)
    assert [macro.name for macro in macros] == [b"A", b"B"]
    assert parameters_at(macros, text.index(b"+")) == {b"x", b"y"}
    assert parameters_at(macros, text.index(b"s.a")) == parameters_at(macros, len(text) - 1) == frozenset()


@pytest.mark.parametrize("piece", [b"#define a(\n", b"#define a \\\n", b"#define a(x\\\n", b"#define a("])
@pytest.mark.timeout(60)  # a quadratic search takes hours
def test_any_text_is_searched_in_linear_time(piece: bytes) -> None:
    assert len(macros_of(piece * (200_000 // len(piece)))) <= 200_000
