"""Lists and structs as C++ writes them, `{K, M, long lda, A}`: the value of each field, and where it lies. Pure."""

import re

BYTES = {"char": 1, "short": 2, "int": 4, "long": 8, "size_t": 8, "float": 4, "double": 8}
POINTER = 8
FIELD = re.compile(rf"(?:(?P<type>{'|'.join(BYTES)})\s+)?(?P<value>.*)", re.DOTALL)
COMMA = re.compile(r",(?![^(]*\))")  # outside of the parentheses of a function

Field = tuple[int, int, str]  # offset, bytes, and value


def split(text: str, opening: str = "([{", closing: str = ")]}") -> tuple[str, ...]:
    """Split at the commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter in opening) - (letter in closing)
        if letter == "," and not depth:
            parts.append(text[start:at].strip())
            start = at + 1
    return tuple(part for part in (*parts, text[start:].strip()) if part)


def is_struct(value: str) -> bool:
    """Whether the value of a parameter has fields."""
    return value.startswith("{") and value.endswith("}")


def values(struct: str) -> tuple[str, ...]:
    """Return the values of the fields."""
    return tuple(value for _, value in typed_values(struct))


def lay_out(struct: str, pointers: frozenset[str]) -> tuple[tuple[Field, ...], int]:
    """Return the fields, aligned as in C, and the bytes of the struct. A value without a type is an int or a float."""
    fields, place, widest = list[Field](), 0, 1
    for kind, value in typed_values(struct):
        nbytes = POINTER if value in pointers else BYTES[kind or "int"]
        place = -(-place // nbytes) * nbytes
        fields.append((place, nbytes, value))
        place, widest = place + nbytes, max(widest, nbytes)
    return tuple(fields), -(-place // widest) * widest


def typed_values(struct: str) -> list[tuple[str, str]]:
    """Return the type of each field, empty if it has none, and its value."""
    inner = struct[1:-1].strip()
    found = (FIELD.fullmatch(text.strip()) for text in (COMMA.split(inner) if inner else ()))
    return [(field["type"] or "", _value(field)) for field in found if field]


def _value(field: re.Match[str]) -> str:
    """Return the value of a field, as a real number in a field for these."""
    return f"1.0 * ({field['value']})" if field["type"] in {"float", "double"} else field["value"]
