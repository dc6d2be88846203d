"""A LAUNCH line with its fields in any order, and without lab.h above it."""

import pytest

from grader.model import Launch
from grader.worker.frontend import source_text
from grader.worker.frontend.source_text import scope
from tests.worker.frontend.desk import compiled, needs_nvcc

KERNEL = """__global__ void matmul(const float *A, const float *B, float *C, int N)
{
    C[threadIdx.x] = A[0] * B[0] * N;
}
"""
BACKWARDS = """LAUNCH(.grid_x = ROWS, // blockIdx.x
       .shared = sizeof(float[8][2]),
       .tile = {32, 8}, .block = {16, 4});
"""


TEMPLATE = b"template <int SIDE> __global__ void matmul(float *C) { if (SIDE) {} }\n"


@pytest.mark.parametrize(
    ("text", "sorted_text"),
    [
        (b"LAUNCH(.tile = {1, 2}, .block = {3});", b"LAUNCH( .block = {3},.tile = {1, 2});"),
        (b"LAUNCH(\n.shared = f(1, 2), // f\n.block = {3}\n);", b"LAUNCH(\n // f\n.block = {3},.shared = f(1, 2)\n);"),
        (b"LAUNCH(.tile={1}, .blok={2}, .block={3},);", b"LAUNCH( .block={3},.tile={1}, .blok={2},);"),
        (b"LAUNCH(tile, block);", b"LAUNCH(tile, block);"),
        (b"LAUNCH(.tile = 1, .block", b"LAUNCH(.tile = 1, .block"),
        (
            b"LAUNCH(.block = {3}); LAUNCH(.tile = 1, .block = 2);",
            b"LAUNCH(.block = {3}); LAUNCH( .block = 2,.tile = 1);",
        ),
    ],
)
def test_the_fields_are_put_in_order(text: bytes, sorted_text: bytes) -> None:
    assert source_text.in_order(text) == sorted_text


@pytest.mark.parametrize("piece", [b"/*", b",", b" ", b"((", b")", b"(.a = 1,", b"(LAUNCH(.a)"])
@pytest.mark.timeout(60)  # a quadratic search takes hours
def test_any_text_is_read_in_linear_time(piece: bytes) -> None:
    assert source_text.header(b"LAUNCH" + piece * (200_000 // len(piece))) in ((), source_text.HEADER)


@needs_nvcc
@pytest.mark.parametrize("above", ["", "#include <lab.h>\n", "#include <stdio.h>\n#define LAUNCHES 2\n"])
@pytest.mark.parametrize("below", ["", "#include <lab.h>\n"])
def test_no_header_is_needed(above: str, below: str) -> None:
    assert compiled(above + KERNEL + BACKWARDS + below).build.launch == Launch((16, 4, 1), (32, 8), 64, "rows")


@needs_nvcc
def test_a_function_of_that_name_is_left_alone() -> None:
    assert compiled(KERNEL + "void LAUNCH(int, int) {}\nvoid run() { LAUNCH(1, 2); }\n").build.launch is None


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
    assert source_text.line_directive(text.encode()) == 1 + text.count("\n", 0, text.index("#" if "#" in text else "%"))


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
    assert source_text.line_directive(text.encode()) is None


@pytest.mark.parametrize(
    "before",
    ["#if __has_include(</*>)", "#if __has_\\\ninclude_next(</*>)", "#if __has_include</*>", "int include = 1 < 2;"],
)
def test_the_name_of_a_header_opens_no_comment(before: str) -> None:
    assert source_text.line_directive(f"{before}\n#line 5\n/**/".encode()) == 2 + before.count("\n")


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
    assert source_text.line_directive(text.encode() * (200_000 // len(text))) is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (TEMPLATE, ""),
        (b"namespace lab {\n" + TEMPLATE + b"}", "lab::"),
        (b"namespace lab { namespace inner { int f() { return 1; }\n" + TEMPLATE + b"} }", "lab::inner::"),
        (b"namespace a::b {" + TEMPLATE + b"}", "a::b::"),
        (b"namespace { " + TEMPLATE + b"}", ""),
        (b"namespace other { void f() {} }\n" + TEMPLATE, ""),
        (b"} } namespace lab {" + TEMPLATE, "lab::"),
        (b"namespace lab { void matmul(); }", ""),
    ],
)
def test_a_template_is_named_with_its_namespaces(text: bytes, names: str):
    assert scope(text, "matmul") == names
