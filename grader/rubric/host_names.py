"""What the names of host code mean, in a whole program and at each of its launches, and those of sizes. Pure."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from grader.contract.structs import split

REAL = re.compile(r"\b(?:float|double)\b|\d\.|\d[fF]\b")
INTEGER = re.compile(r"\b(?:u?int(?:\d+_t)?|unsigned|size_t|long)\b")
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(.{1,100}?)[ \t]*$", re.MULTILINE)
MACRO_OF = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)\((?P<given>[\w, ]{1,60})\)[ \t]+(?P<value>.{1,100}?)[ \t]*$", re.MULTILINE
)
FUNCTION = re.compile(
    r"\b(?P<type>\w+)\s+(?P<name>\w+)\s*\((?P<given>[^(){};]*\w)\s*\)\s*\{\s*return\b(?P<value>[^;{}]{1,100});\s*\}"
)
ALIAS = re.compile(
    r"\btypedef\s+(?P<old>[\w ]{1,40}\w)\s+(?P<new>\w+)\s*;|\busing\s+(?P<name>\w+)\s*=\s*(?P<type>\w+)\s*;"
)
# With its end. The braces of a list of values belong to a statement.
STATEMENT = re.compile(r"((?:[^;{}]|\{[^;{}]*\}(?=\s*[,;)]))*+)([;{}]|\Z)")
BRACE = re.compile(r"[{}]")
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\r?\n|[^\n])*", re.MULTILINE)
DECLARATION = re.compile(
    r"""\s*(?:\w+\s+)*?(?:std::)?(?P<type>(?:(?:u?int(?:32_t)?|unsigned|size_t|auto|long|float|double|bool)\b\s*)+|dim3\b)
    (?P<variables>.{1,400})""", re.VERBOSE | re.DOTALL)  # fmt: skip
ENUM = re.compile(r"\s*enum\b[^{}]*\{(.*)\}\s*", re.DOTALL)
VARIABLE = re.compile(r"(?:\w+\s+)*(\w+)\s*=\s*(.{1,200})", re.DOTALL)
EXTENTS = re.compile(r"(\w+)\s*(?:=\s*dim3\s*|=\s*(?=\{))?[({](.*)[)}]", re.DOTALL)
ASSIGNED = re.compile(r"""(?<![.>])\b(?P<name>\w+)(?:\s*\.\s*(?P<axis>[xyz]))?\s*(?P<sign>(?:[-+*/%&|^]|<<|>>)?=(?!=)
    (?!\s*(?:std::)?(?:ato\w+|sto\w+|strto\w+|getCmdLine\w+)\s*\()  # what the program has without arguments counts
    |\+\+|--)|(?:\+\+|--|[(,]\s*&)\s*(?P<other>\w+)""", re.VERBOSE)  # fmt: skip

TILE = re.compile(r"(?i)tile|block|side|^[bt]s$")  # in the name of what is no size of a matrix
ROWS = re.compile(r"h|height|(?:n|num)?rows?")
SIDES = {"A": ("M", "K"), "B": ("K", "N"), "C": ("M", "N")}
SIZES = {  # how the names of sizes read without underscores, in the order in which they are tried
    "M": r"m|(num)?[acmn]?rows?|rows?[ac1]|[hm][ac]|h|height[ac1]?",
    "K": r"k|(num)?(acol(umn)?s?|brows?)|wa|hb|cols?[a1]|inner|common|width[a1]|height[b2]|rows?[b2]",
    "N": r"n|(num)?[bcn]?col(umn)?s?|w[bc]?|cols?[bc2]|width[bc2]?|(matrix|mat)?(size|dim)|dimension|length|order|d",
}

LONGEST_VALUE = 200  # characters
AXES = ("x", "y", "z")


@dataclass(frozen=True, slots=True)
class SourceFunction:
    """A function or a macro that returns one expression: the names of its parameters, and what it returns."""

    parameters: tuple[str, ...]
    value: str


@dataclass(frozen=True, slots=True)
class HostNames:
    """What names mean: values of macros and variables, types by other names, and functions of one expression.

    `types` are those of variables.
    """

    values: dict[str, str]
    types: dict[str, str]
    macros: frozenset[str]
    functions: dict[str, SourceFunction]


def names_of(text: str) -> HostNames:
    """Return what names mean in a whole program, where the first value of each counts."""
    variables, _ = _read(text)
    first = {each.name: each for each in reversed(variables)}
    aliases = {found["new"] or found["name"]: found["old"] or found["type"] for found in ALIAS.finditer(text)}
    macros = dict(MACRO.findall(text))
    return HostNames(
        aliases | {name: each.value for name, each in first.items()} | macros,
        {name: each.type for name, each in first.items()},
        frozenset(macros),
        dict(_functions(text)),
    )


def names_below(text: str, whole: HostNames) -> HostNames:
    """Return what names mean below a text: in the function that it ends in, the last declaration counts.

    Of a name that this function does not declare, the value in the whole program counts. A name that gets another value
    in the function is left out.
    """
    variables, changed = _read(_function(text))
    own = {each.name: each for each in variables}
    values = whole.values | {name: each.value for name, each in own.items()}
    types = whole.types | {name: each.type for name, each in own.items()}
    return replace(whole, values={name: value for name, value in values.items() if name not in changed}, types=types)


def cast(kind: str) -> str:
    """Return the cast that C++ makes of what gets this type; none of what keeps its own, such as by `auto`."""
    return "(float)" if REAL.search(kind) else "(int)" if INTEGER.search(kind) else ""


@dataclass(frozen=True, slots=True)
class _Variable:
    """A variable with its first value."""

    name: str
    value: str
    type: str = "dim3"


def _function(text: str) -> str:
    """Return the part of a function at the end of a text."""
    start = depth = 0
    for brace in BRACE.finditer(text):
        depth += 1 if brace[0] == "{" else -(depth > 0)
        start = start if depth else brace.end()
    return text[start:]


def _read(text: str) -> tuple[list[_Variable], set[str]]:
    """Return the variables and constants that have a value, and the names that get another one; not those of loops."""
    declared, sides, changed = list[_Variable](), dict[str, dict[str, str]](), set[str]()
    for statement, end in STATEMENT.findall(DIRECTIVE.sub("", text)):
        if end == ";" and (found := DECLARATION.fullmatch(statement)):
            declared += _declared(found["type"], found["variables"])
            continue
        if end == ";" and (found := ENUM.fullmatch(statement)):
            declared += _declared("int", found[1])
            continue
        for found in ASSIGNED.finditer(statement):
            name, axis, value = found["name"] or found["other"], found["axis"], statement[found.end() :]
            if axis and found["sign"] == "=" and axis not in sides.get(name, ()) and len(value) <= LONGEST_VALUE:
                sides.setdefault(name, {})[axis] = value
            else:
                changed.add(name)
    sized = {name: ", ".join(each.get(axis, "1") for axis in AXES) for name, each in sides.items() if "x" in each}
    changed.update(each.name for each in declared if each.name in sides)
    return [*declared, *(_Variable(name, f"dim3({extents})") for name, extents in sized.items())], changed


def _declared(kind: str, variables: str) -> Iterator[_Variable]:
    """Yield the variables that a declaration gives a value."""
    for each in split(variables):
        if kind != "dim3" and (found := VARIABLE.fullmatch(each)):
            yield _Variable(found[1], found[2], kind)
        elif kind == "dim3" and (found := EXTENTS.fullmatch(each)):
            yield _Variable(found[1], f"dim3({found[2]})")


def _functions(text: str) -> Iterator[tuple[str, SourceFunction]]:
    for found in MACRO_OF.finditer(text):
        yield found["name"], SourceFunction(split(found["given"]), found["value"])
    for found in FUNCTION.finditer(text):
        value, given = found["value"], split(found["given"])
        names = tuple(each.split()[-1] for each in given)
        for each, name in zip(given, names, strict=True):
            value = re.sub(rf"\b{re.escape(name)}\b", rf"{cast(each)}(\g<0>)", value)
        yield found["name"], SourceFunction(names, f"{cast(found['type'])}({value})")


def size_of(name: str) -> str:
    """Return the size that a variable of this name usually has; empty for other names."""
    return next((size for size, names in SIZES.items() if re.fullmatch(names, _plain(name))), "")


def sizes_in(expressions: Iterable[str]) -> set[str]:
    """Return which of M, N and K expressions of a rubric use."""
    return set(re.findall(r"\b[MNK]\b", " ".join(expressions)))


def side(matrix: str, field: str) -> str:
    """Return the size that a field of a matrix has, such as its width."""
    return SIDES[matrix.upper()][not ROWS.fullmatch(_plain(field))]


def _plain(name: str) -> str:
    return name.replace("_", "").lower()
