"""Which elements of member arrays the text of a submission shows."""

from __future__ import annotations

import pytest

from grader.worker.frontend.member_uses import member_uses

STRUCT = b"struct Tiles { float a[16][16], b[16]; Tiles *next; float one(int i) { return b[i]; } };\n"


def uses(text: bytes) -> list[tuple[bytes, bytes]]:
    """The array and the element of each use in the text behind the struct."""
    content = STRUCT + text
    found = (use for use in member_uses(content) if use.start >= len(STRUCT))
    return [(content[use.start : use.named], content[use.start : use.end]) for use in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"s.a[i][j] = 0;", [(b"s.a", b"s.a[i][j]")]),
        (b"x = p->a[0][p->b[k]];", [(b"p->a", b"p->a[0][p->b[k]]"), (b"p->b", b"p->b[k]")]),
        (
            b"(*p).b[i] += q[i & 1].next->b[2];",
            [(b"(*p).b", b"(*p).b[i]"), (b"q[i & 1].next->b", b"q[i & 1].next->b[2]")],
        ),
        (b"y = s . b /* of B */ [ i ];", [(b"s . b", b"s . b /* of B */ [ i ]")]),
        (b"#define B(i) s.b[i]\n", [(b"s.b", b"s.b[i]")]),
        (b"return (*p).b[i];", [(b"(*p).b", b"(*p).b[i]")]),
        (b"this->b[f(i)]", [(b"this->b", b"this->b[f(i)]")]),
    ],
)
def test_an_element_is_found_with_its_array(text: bytes, expected: list[tuple[bytes, bytes]]) -> None:
    assert uses(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        b"p = &s.a[16][0];",
        b"p++->b[i] = 0; q[i++].b[0] = 1; q[k].b[k = 1] = 2;",
        b"f(x).b[i] = 0; get<1>(x).b[i] = 0;",
        b"float b[4]; b[i] = 1; other.c[i] = 2;",
        b'// s.b[i]\n/* s.b[i] */ "s.b[i]"',
        b"#define B(s, i) s.b[i]\n",
        b"Tiles t = {.b[0] = 1};",
        b"s.b;",
    ],
)
def test_what_may_have_an_effect_or_is_no_element_is_left_out(text: bytes) -> None:
    assert uses(text) == []


def test_a_function_of_the_struct_names_a_member_alone() -> None:
    (use,) = member_uses(STRUCT)
    assert STRUCT[use.start : use.end] == b"b[i]"


@pytest.mark.parametrize(
    "text",
    [b"struct A; enum class B { x }; template <class T> void f() { float a[3]; s.a[1]; }", b"float a[3]; s.a[1];"],
)
def test_a_file_without_a_struct_with_arrays_has_no_uses(text: bytes) -> None:
    assert member_uses(text) == ()


@pytest.mark.parametrize(
    "piece",
    [b"struct ", b"s.b[", b"s.b[0].b[0]", b".b[0]", b"#define a\n s.b[0];", b"(s.b[0]", b"struct { int b[1];", b"s."],
)
@pytest.mark.timeout(60)  # a quadratic search takes hours
def test_any_text_is_searched_in_linear_time(piece: bytes) -> None:
    text = STRUCT + piece * (200_000 // len(piece))
    assert all(use.end <= len(text) for use in member_uses(text))
