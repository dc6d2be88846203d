import pytest

from grader.judge.constants import with_constants


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"#define N 4096", b"#define N 64"),
        (b"  #  define N\t(1 << 12)  // large", b"  #  define N\t64// large"),
        (b"const int N = 1 << 12, M = 8;", b"const int N = 64, M = 8;"),
        (b"static constexpr unsigned N=4096;", b"static constexpr unsigned N=64;"),
        (b"#define N 8192 / 2 /* half */", b"#define N 64/* half */"),
        (b"#define NN 4096", b"#define NN 4096"),
        (b"#define N(x) x", b"#define N(x) x"),
        (b"#ifndef N", b"#ifndef N"),
        (b"int N = 4096;", b"int N = 4096;"),
    ],
)
def test_a_constant_gets_the_value_of_the_lab(line: bytes, expected: bytes):
    assert with_constants(b"\n" + line + b"\nint x;\n", ["N = 64"]) == b"\n" + expected + b"\nint x;\n"


def test_several_constants_are_set():
    assert with_constants(b"#define A 1\n#define B 2\n", ["A=3", "B = 4"]) == b"#define A 3\n#define B 4\n"
