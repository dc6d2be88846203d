"""PTX text to words."""

import pytest

from grader.ptxsim.records.lacks import MalformedError
from grader.ptxsim.syntax.lexer import words

LARGE = 1 << 20


def test_words_have_their_kinds():
    text = "ld.f32 %f1, [%rd2+4]; // load\n/* two\nrows */ mov 0f3F800000"
    kinds = [(word.text, word.kind) for word in words(text)]
    assert kinds[:3] == [("ld", "name"), (".f32", "modifier"), ("%f1", "name")]
    assert kinds[-2:] == [("mov", "name"), ("0f3F800000", "real")]


def test_space_and_comments_alone_are_no_words():
    assert words(" \n// nothing\n/* here */ \n") == []


@pytest.mark.parametrize("text", ["ret;\n\x01", "ret; /* no end", 'ret; "no end'])
def test_what_is_no_word_is_refused(text: str):
    with pytest.raises(MalformedError, match="part"):
        words(text)


@pytest.mark.parametrize("piece", ["/* ", " ", "\n", "//\n", '"', "/**/", "1", ".", "%"])
def test_a_megabyte_of_one_piece_is_read_in_linear_time(piece: str):
    """Otherwise this test does not end."""
    with pytest.raises(MalformedError, match="part"):
        words(piece * (LARGE // len(piece)) + "\x01")


def test_a_string_has_no_escapes_and_may_have_several_lines():
    text = '"a\\" b "c\nd" e'
    assert [word.text for word in words(text)] == ['"a\\"', "b", '"c\nd"', "e"]
