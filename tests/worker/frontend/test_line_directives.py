"""Which texts hold a line directive, and in which line."""

import pytest

from grader.worker.frontend import line_directives


@pytest.mark.parametrize(
    "text",
    [
        "#line 5",
        '# 12 "other.cu"',
        "  %:\tline 5",
        "#/* hidden */line 5",
        "#/* over\ntwo lines */line 5",
        "/* before\n*/#line 5",
        "#\\\nline 5",
        "#li\\\r\nne 5",
        "int million = 1'000'000;\n#line 5",
        '"text";\n#line 5',
        'R"(raw)"\n#line 5',
        "'\"'\n#line 5",
        "\ufeff#line 5",
        "\f#\vline 5",
        'name(é, $R"x(");\n#line 5\n//)x"',
        'éR"x("\n#line 5\n//)x"',
        '.1e+R"x("\n#line 5\n//)x"',
        '/\\\n/ R"x(\n#line 5\n//)x"',
        '/\\\n* " *\\\n/\n#line 5',
        '"\\\\\n"R"x(";\n#line 5\n//)x"',
    ],
)
def test_a_line_directive_is_found_however_it_is_written(text: str) -> None:
    assert line_directives.first(text.encode()) == 1 + text.count("\n", 0, text.index("#" if "#" in text else "%"))


@pytest.mark.parametrize(
    "text",
    [
        "/*\n# 1. load a tile\n# 2. multiply\n*/",
        "// \\\n#line 5",
        '"\\\n#line 5"',
        'R"(\n#line 5\n)"',
        'u8R"(\n#line 5\n)"',
        'LR\\\n"(\n#line 5\n)"',
        "/\\\n* text\n#line 5\n*\\\n/",
        "#define line 5",
        "#lines 5",
        "int a; /*\n*/ #line 5",
        "#pragma unroll 4",
        "",
    ],
)
def test_text_that_only_looks_like_a_line_directive_is_accepted(text: str) -> None:
    assert line_directives.first(text.encode()) is None


@pytest.mark.parametrize(
    "before",
    ["#if __has_include(</*>)", "#if __has_\\\ninclude_next(</*>)", "#if __has_include</*>", "int include = 1 < 2;"],
)
def test_the_name_of_a_header_opens_no_comment(before: str) -> None:
    assert line_directives.first(f"{before}\n#line 5\n/**/".encode()) == 2 + before.count("\n")


@pytest.mark.parametrize(
    "text",
    [
        "include<",
        "__has_include<",
        "1e+",
        "\\\n/",
        'u8R"a(',
        "$",
        "/*",
        "//",
        '"',
        "'",
        "#",
        "# \\\n",
        'R"(',
        'R"a(',
        "\\\n",
        "1'",
        "%",
        " ",
    ],
)
@pytest.mark.timeout(60)  # a quadratic search takes hours
def test_any_text_is_searched_in_linear_time(text: str) -> None:
    assert line_directives.first(text.encode() * (200_000 // len(text))) is None
