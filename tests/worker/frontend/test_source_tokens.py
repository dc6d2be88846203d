"""The tokens of a source file: what a comment, a string or a number hides, and which brackets belong together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.worker.frontend.source_tokens import tokens_of


def test_comments_are_left_out_and_strings_are_one_token() -> None:
    text = b'a/*b*/->c[1\'000.5e+3f] // d\n"e;\\"" R"x(f)" )x" \'{\''
    assert tokens_of(text).words == [
        b"a", b"->", b"c", b"[", b"1'000.5e+3f", b"]", b'"e;\\""', b'R"x(f)" )x"', b"'{'",
    ]  # fmt: skip


def test_brackets_know_each_other_and_braces_are_counted() -> None:
    tokens = tokens_of(b"struct S { int a[3]; };")
    assert tokens.other == {2: 9, 9: 2, 5: 7, 7: 5}
    assert tokens.depths == [0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0]


def test_a_bracket_that_is_not_closed_has_no_other() -> None:
    assert tokens_of(b"{ ( [ ) ]").other == {2: 4, 4: 2}


@given(st.binary(max_size=200))
def test_every_token_stands_where_it_starts(content: bytes) -> None:
    tokens = tokens_of(content)
    for index, word in enumerate(tokens.words):
        assert content[tokens.starts[index] : tokens.end(index)] == word


@pytest.mark.parametrize("piece", [b"/*", b'R"(', b'"\\', b"1'", b"((", b"\\\n", b"'", b"/", b"\xff"])
@pytest.mark.timeout(60)  # a quadratic search takes hours
def test_any_text_is_read_in_linear_time(piece: bytes) -> None:
    text = piece * (200_000 // len(piece))
    assert len(tokens_of(text).words) <= len(text)
