"""The fields of a struct lie where C puts them."""

import ctypes

import pytest

from grader.contract import structs

TYPES = {"char": ctypes.c_char, "short": ctypes.c_short, "int": ctypes.c_int, "long": ctypes.c_long,
         "size_t": ctypes.c_size_t, "float": ctypes.c_float, "double": ctypes.c_double}  # fmt: skip


@pytest.mark.parametrize(
    "kinds", ["int int int", "char double char", "short int char short", "float size_t char", "long char", "char"]
)
def test_fields_are_aligned_as_in_c(kinds: str) -> None:
    fields = [(f"f{at}", TYPES[kind]) for at, kind in enumerate(kinds.split())]
    same = type("Same", (ctypes.Structure,), {"_fields_": fields})
    placed, nbytes = structs.lay_out("{" + ", ".join(f"{kind} N" for kind in kinds.split()) + "}", frozenset())
    assert [place for place, _, _ in placed] == [getattr(same, name).offset for name, _ in fields]
    assert nbytes == ctypes.sizeof(same)


def test_a_pointer_has_eight_bytes_and_a_function_keeps_its_commas() -> None:
    placed, nbytes = structs.lay_out("{max(M, N), A, 2}", frozenset("A"))
    assert (placed, nbytes) == (((0, 4, "max(M, N)"), (8, 8, "A"), (16, 4, "2")), 24)


@pytest.mark.parametrize(("struct", "values"), [("{}", ()), ("{M, , A}", ("M", "", "A")), ("{ A }", ("A",))])
def test_a_field_without_a_value_is_not_left_out(struct: str, values: tuple[str, ...]) -> None:
    assert structs.values(struct) == values
