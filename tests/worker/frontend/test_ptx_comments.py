"""Comments as ptxas reads them."""

import pytest

from grader.worker.frontend.entries import without_comments


@pytest.mark.parametrize("end", ["\r", "\v", "\f", "\x1c", "\\", "\u2028"])
def test_only_a_line_feed_ends_a_comment_of_one_line(end: str):
    assert without_comments(f"a; // b;{end} c;\nd;").split() == ["a;", "d;"]


def test_all_but_the_comment_stays_where_it_is():
    text = "a; /* b;\n// c; */ d;\n/*/ e; */ f;\r\n"
    assert without_comments(text) == "a;      \n         d;\n          f;\r\n"


def test_a_string_begins_no_comment_and_has_no_escapes():
    assert without_comments('.pragma "// \\"; a; // b;"').rstrip() == '.pragma "// \\"; a;'


def test_a_comment_without_an_end_goes_on_to_the_end_of_the_file():
    assert without_comments("a; " + "/* " * 100_000).rstrip() == "a;"
