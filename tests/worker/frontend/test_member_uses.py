"""Which elements of member arrays the text of a submission shows."""

from __future__ import annotations

import pytest

from grader.worker.frontend.member_uses import member_uses

STRUCT = b"struct Tiles { float a[16][16], b[16]; Row of_a_type; Tiles *next; float one(int i) { return b[i]; } };\n"


def uses(text: bytes) -> list[tuple[bytes, int, bool]]:
    """The array, the subscripts, and whether the address is taken, of each use in the text behind the struct."""
    content = STRUCT + b"void f() { " + text + b" }"
    found = (use for use in member_uses(content) if use.start >= len(STRUCT))
    return [(content[use.start : use.end], use.subscripts, use.is_address) for use in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"s.a[i][j] = 0;", [(b"s.a", 2, False)]),
        (b"x = p->a[0][p->b[k]];", [(b"p->a", 2, False), (b"p->b", 1, False)]),
        (b"x = (*p).b[i] + q[i & 1].next->b[2];", [(b"(*p).b", 1, False), (b"q[i & 1].next->b", 1, False)]),
        (b"y = s . b /* of B */ [ i ];", [(b"s . b", 1, False)]),
        (b"return (*p).b[i];", [(b"(*p).b", 1, False)]),
        (b"if (x) (*p).b[i] = 0; for (;;) b[i] = 1;", [(b"(*p).b", 1, False), (b"b", 1, False)]),
        (b"this->b[f(i)]; f(x).b[i++];", [(b"this->b", 1, False), (b"f(x).b", 1, False)]),
        (b"x = name::s.b[i];", [(b"name::s.b", 1, False)]),
        (b"reinterpret_cast<Tiles *>(p)->b[i];", [(b"reinterpret_cast<Tiles *>(p)->b", 1, False)]),
        (
            b"s.of_a_type[i]; f(x, a[i][0]); Base::b[i];",
            [(b"s.of_a_type", 1, False), (b"a", 2, False), (b"Base::b", 1, False)],
        ),
        (
            b"p = &s.a[16][0], q = &(s.b[1]), x & s.b[2], f(x) & s.b[3];",
            [(b"s.a", 2, True), (b"s.b", 1, True), (b"s.b", 1, False), (b"s.b", 1, False)],
        ),
    ],
)
def test_an_element_is_found_with_its_array(text: bytes, expected: list[tuple[bytes, int, bool]]) -> None:
    assert uses(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        b"float b[4]; float x[2], b[4]; const float *b[2]; decltype(x) b[4]; other.c[i] = 2;",
        b'// s.b[i]\n/* s.b[i] */ "s.b[i]"',
        b"Tiles t = {.b[0] = 1};",
        b"const Row &r = f(x).b[1]; float (b[8]); const Row *a[2]; p->Base::b[1]; s.b[[x]];",
        b"offsetof(Tiles, b[1]); offsetof(Tiles, s.b[1]);",
        b"get<1>(x).b[i] = 0; s.b;",
    ],
)
def test_what_is_no_element_is_left_out(text: bytes) -> None:
    assert uses(text) == []


def test_a_macro_or_a_reference_may_name_a_member() -> None:
    text = b"#define As s.a\n#define B(t, i) (t).b[i]\nvoid f() { As[1][2] = 0; "
    text += b"auto &c = s.b; c[1]; float (&d)[16] = p->b; d[0]; }"
    assert [use.subscripts for use in member_uses(STRUCT + text)] == [1, 1, 2, 1, 1]


def test_what_becomes_text_is_left_out() -> None:
    text = b"#define TEXT(x) #x\nvoid f() { TEXT(f(s.b[1])); s.b[2]; }"
    assert len(member_uses(STRUCT + text)) == len(member_uses(STRUCT)) + 1


def test_a_macro_that_is_no_operand_is_left_out() -> None:
    text = b"#define FROM x + s\n#define AT(t, i) t.b[i]\nvoid f() { FROM.b[1]; AT(x + s, 1); }"
    assert len(member_uses(STRUCT + text)) == len(member_uses(STRUCT))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"end = &s.b[16]; p != (const float *)&s.b[16]; p < &(s.b[16]);", [(True, True)] * 3),
        (b"atomicAdd(&s.b[i], 1); f(x, &s.b[i]); *(float4 *)&s.b[i];", [(True, False)] * 3),
        (b"x & s.b[2]; f(x) & s.b[3]; 3 & s.b[i];", [(False, False)] * 3),
    ],
)
def test_an_address_may_be_the_end_of_a_loop(text: bytes, expected: list[tuple[bool, bool]]) -> None:
    found = [use for use in member_uses(STRUCT + b"void f() { " + text + b" }") if use.start >= len(STRUCT)]
    assert [(use.is_address, use.may_end) for use in found] == expected


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
