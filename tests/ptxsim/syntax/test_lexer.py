"""PTX text to words."""

import pytest

from grader.ptxsim.records.lacks import MalformedError
from grader.ptxsim.syntax.lexer import rows, words

LARGE = 1 << 20


def test_words_have_their_kinds_and_rows():
    text = "ld.f32 %f1, [%rd2+4]; // load\n/* two\nrows */ mov 0f3F800000"
    kinds = [(word.text, word.kind, row) for word, row in zip(words(text), rows(text), strict=False)]
    assert kinds[:3] == [("ld", "name", 1), (".f32", "modifier", 1), ("%f1", "name", 1)]
    assert kinds[-2:] == [("mov", "name", 3), ("0f3F800000", "real", 3)]


def test_space_and_comments_alone_are_no_words():
    assert words(" \n// nothing\n/* here */ \n") == []


@pytest.mark.parametrize("text", ["ret;\n\x01", "ret; /* no end", 'ret; "no end'])
def test_what_is_no_word_is_refused_with_its_row(text: str):
    with pytest.raises(MalformedError, match="line"):
        words(text)


@pytest.mark.parametrize("piece", ["/* ", " ", "\n", "//\n", '"', "/**/", "1", ".", "%"])
def test_a_megabyte_of_one_piece_is_read_in_linear_time(piece: str):
    """Otherwise this test does not end."""
    with pytest.raises(MalformedError, match="line"):
        words(piece * (LARGE // len(piece)) + "\x01")


def test_a_string_has_no_escapes_and_may_have_several_lines():
    text = '"a\\" b "c\nd" e'
    assert [word.text for word in words(text)] == ['"a\\"', "b", '"c\nd"', "e"]
    assert list(rows(text)) == [1, 1, 1, 2, 2]
