import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.text.clean import clean, one_line, shorten


@pytest.mark.parametrize(
    ("dirty", "fit"),
    [
        ("\x1b[1;31merror\x1b[0m", "error"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x07", "link"),
        ("a\r\nb\rc\td", "a\nb\nc\td"),
        ("bell\x07 \udcff\ufffe", "bell\N{REPLACEMENT CHARACTER} " + "\N{REPLACEMENT CHARACTER}" * 2),
        ("abc\u202edcba", "abc\N{REPLACEMENT CHARACTER}dcba"),
        ("abc\u200fdcba\u2028e", "abc\N{REPLACEMENT CHARACTER}dcba\N{REPLACEMENT CHARACTER}e"),
        ("größer 😀", "größer 😀"),
    ],
)
def test_what_no_format_may_hold_is_replaced_and_the_rest_stays(dirty: str, fit: str) -> None:
    assert clean(dirty) == fit


@given(st.text(st.characters()))
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    assert clean(clean(text)) == clean(text)


def test_lines_are_joined_and_what_is_too_long_is_cut_visibly() -> None:
    assert one_line("a\n  b\tc", 10) == "a b c"
    assert shorten("abcdef", 4) == "abc…"
