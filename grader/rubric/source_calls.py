"""The kernels of a CUDA program and how its host code launches them, as its text shows them. Pure.

The text is read for a proposal that a person corrects: what is not found here is only left out of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from grader.contract.structs import split

NO_CODE = re.compile(
    r"""//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)'
    |^[ \t]*\#[ \t]*if[ \t]+0\b(?:[^\n]|\n(?![ \t]*\#[ \t]*(?:else|elif|endif)\b))*""",
    re.VERBOSE | re.MULTILINE,
)
KERNEL = re.compile(
    r"""(?:\btemplate\s*<(?P<template>[^<>;{}]{1,200})>\s*)?(?:\bextern\s*"C"\s*)?(?:\bstatic\s+)?\b__global__\s+
    (?:void\s+)?(?:__launch_bounds__\s*\([^()]{0,100}\)\s*)?(?:void\s+)?(?P<name>\w+)\s*\((?P<given>[^(){}]{0,2000})\)\s*\{
    """, re.VERBOSE)  # fmt: skip
LAUNCH = re.compile(r"""\b(?P<name>\w+)\s*(?:<(?P<template>[^<>;]{1,200})>\s*)?
    <<\s?<(?P<how>(?:(?!>>\s?>)[^;{}]){1,400})>>\s?>\s*\((?P<given>[^;{}]{0,1000})\)\s*;""", re.VERBOSE)  # fmt: skip
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(.{1,100}?)[ \t]*$", re.MULTILINE)
MACRO_OF = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)\((?P<given>[\w, ]{1,60})\)[ \t]+(?P<value>.{1,100}?)[ \t]*$", re.MULTILINE
)
FUNCTION = re.compile(
    r"\b\w+\s+(?P<name>\w+)\s*\((?P<given>[^(){};]*\w)\s*\)\s*\{\s*return\b(?P<value>[^;{}]{1,100});\s*\}"
)
VARIABLES = re.compile(
    r"(?<!\()(?<!\(\s)\b(?:u?int(?:32_t)?|unsigned|size_t|auto|long|float|double|bool)\s+([^;{}]{1,400});"
)
REAL = re.compile(r"\b(?:float|double)\b|\d\.|\d[fF]\b")
REALS = re.compile(r"\b(?:float|double)\s+(\w[^;{}]{1,400});")
VARIABLE = re.compile(r"(?:\w+\s+)*(\w+)\s*=\s*(.{1,200})", re.DOTALL)
ALIAS = re.compile(
    r"\btypedef\s+(?P<old>[\w ]{1,40}\w)\s+(?P<new>\w+)\s*;|\busing\s+(?P<name>\w+)\s*=\s*(?P<type>\w+)\s*;"
)
DIM3 = re.compile(r"\bdim3\s+([^;]{1,400});")
MEMBER = re.compile(r"\b(\w+)\s*\.\s*([xyz])\s*=\s*([^;=]{1,200});")
EXTENTS = re.compile(r"(\w+)\s*(?:=\s*dim3\s*|=\s*(?=\{))?[({](.*)[)}]", re.DOTALL)
STRUCT = re.compile(r"\bstruct\s+(?P<before>\w+)?\s*\{(?P<fields>[^{}]{1,500})\}\s*(?P<behind>\w+)?\s*;")
HEADER = re.compile(r'^[ \t]*#[ \t]*(?:include|import)[ \t]*[<"]([\w./+-]{1,200})[>"]', re.MULTILINE)
BRACE = re.compile(r"[{}]")
FIELD = re.compile(r"(?<=\w)(?:->|(?<!\d)\.)(?=[A-Za-z_])")  # with "_" in its place, there is one name
ASSIGNED = re.compile(r"""(?<![.>])\b(?P<name>\w+)(?:\s*\.\s*(?P<axis>[xyz]))?\s*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)
    (?!\s*(?:std::)?(?:ato\w+|sto\w+|strto\w+|getCmdLine\w+)\s*\()  # what the program has without arguments counts
    |\+\+|--)|(?:\+\+|--|[(,]\s*&)\s*(?P<other>\w+)""", re.VERBOSE)  # fmt: skip
SYMBOL = re.compile(r"\bcudaMemcpyToSymbol\s*\(\s*&?(\w+)")
ZEROED = re.compile(r"\bcudaMemset(?:Async)?\s*\(\s*(\w+)\s*,\s*0\s*,")
MOST_KERNELS, LONGEST_BODY = 64, 20_000
QUALIFIERS = re.compile(r"\b(?:const|__restrict__|__restrict|restrict|volatile|unsigned|struct|__grid_constant__)\b")


@dataclass(frozen=True, slots=True)
class Declared:
    """A parameter or a field: its type without qualifiers, its name, and whether it is a pointer, and const."""

    type: str
    name: str
    is_pointer: bool
    is_const: bool


@dataclass(frozen=True, slots=True)
class SourceKernel:
    """A kernel, and the names of its template parameters."""

    name: str
    template: tuple[str, ...]
    parameters: tuple[Declared, ...]
    body: str


@dataclass(frozen=True, slots=True)
class SourceFunction:
    """A function or a macro that returns one expression: the names of its parameters, and what it returns."""

    parameters: tuple[str, ...]
    value: str


@dataclass(frozen=True, slots=True)
class SourceLaunch:
    """A launch: template arguments, grid, block and shared memory as they are written, the arguments, and its names.

    Of several declarations of a name, the last above the launch in its function or outside of functions counts. A name
    that gets another value there is left out.
    """

    name: str
    template: str
    how: tuple[str, ...]
    arguments: tuple[str, ...]
    names: dict[str, str]


@dataclass(frozen=True, slots=True)
class SourceProgram:
    """What the text of a program shows. `names` has the values of macros and variables, and types by other names.

    `reals` are the variables that are real numbers, and `functions` those of one expression, as it is.
    """

    kernels: tuple[SourceKernel, ...]
    launches: tuple[SourceLaunch, ...]
    names: dict[str, str]
    macros: frozenset[str]
    reals: frozenset[str]
    functions: dict[str, SourceFunction]
    structs: dict[str, tuple[Declared, ...]]
    symbols: tuple[str, ...]
    zeroed: frozenset[str]


def program(source: str) -> SourceProgram:
    """Read a program."""
    text = NO_CODE.sub(" ", source)
    names = {found["new"] or found["name"]: found["old"] or found["type"] for found in ALIAS.finditer(text)}
    macros = dict(MACRO.findall(text))
    names |= {**dict(reversed([*_variables(text)])), **macros}  # of several values, the first
    structs = ((found["behind"] or found["before"], _fields(found["fields"])) for found in STRUCT.finditer(text))
    return SourceProgram(
        tuple(_kernel(found) for found in islice(KERNEL.finditer(text), MOST_KERNELS)),
        tuple(_launch(found, names.copy()) for found in islice(LAUNCH.finditer(text), MOST_KERNELS)),
        names,
        frozenset(macros),
        frozenset(name for line in REALS.findall(text) for name, _ in _first_values(line)),
        dict(_functions(text)),
        {name: tuple(fields) for name, fields in structs if name},
        tuple(dict.fromkeys(SYMBOL.findall(text))),
        frozenset(ZEROED.findall(text)),
    )


def included(source: str) -> tuple[str, ...]:
    """Return the names of the files that a text includes."""
    return tuple(dict.fromkeys(HEADER.findall(source)))


def _kernel(found: re.Match[str]) -> SourceKernel:
    words = (part.partition("=")[0].split() for part in split(found["template"] or ""))
    return SourceKernel(
        found["name"],
        tuple(each[-1] for each in words if each),
        tuple(map(_declared, split(found["given"]))),
        _block(found.string[found.end() : found.end() + LONGEST_BODY]),
    )


def _launch(found: re.Match[str], names: dict[str, str]) -> SourceLaunch:
    """Return a launch, with what it sees itself of names before what the whole program has."""
    above = _function(found.string[: found.start()])
    names |= dict(_variables(above))
    for name in _changed(above):
        names.pop(name, None)
    given = split(FIELD.sub("_", found["given"]))
    return SourceLaunch(found["name"], found["template"] or "", split(found["how"]), given, names)


def _function(text: str) -> str:
    """Return the part of a function at the end of a text."""
    start = depth = 0
    for brace in BRACE.finditer(text):
        depth += 1 if brace[0] == "{" else -(depth > 0)
        start = start if depth else brace.end()
    return text[start:]


def _changed(text: str) -> set[str]:
    """Return the names that get a value apart from their declarations; the sides of a dim3 may get a first one."""
    sized = {name for line in DIM3.findall(text) for name in re.findall(r"(\w+)\s*[=({]", line)}
    found = list(ASSIGNED.finditer(DIM3.sub(";", VARIABLES.sub(";", text))))
    sides = Counter((each["name"], each["axis"]) for each in found if each["axis"])
    again = {name for (name, _), times in sides.items() if times > 1 or name in sized}
    return again | {each["name"] or each["other"] for each in found if not each["axis"]}


def _block(text: str) -> str:
    """Return the text up to the brace that closes what a brace before it opens."""
    depth = 1
    for brace in BRACE.finditer(text):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return text[: brace.start()]
    return text


def _variables(text: str) -> Iterator[tuple[str, str]]:
    """Yield the variables of host code, of which a line may declare several, and their first values; not of loops."""
    for line in VARIABLES.findall(text):
        yield from _first_values(line)
    members = {(name, axis): value for name, axis, value in MEMBER.findall(text)}
    for line in DIM3.findall(text):
        for each in split(line):
            if extents := EXTENTS.fullmatch(each):
                yield extents[1], f"dim3({extents[2]})"
            elif (each, "x") in members:
                yield each, f"dim3({', '.join(members.get((each, axis), '1') for axis in 'xyz')})"


def _first_values(line: str) -> Iterator[tuple[str, str]]:
    """Yield the variables that a line declares with a value."""
    for found in filter(None, map(VARIABLE.fullmatch, split(line))):
        yield found[1], found[2]


def _functions(text: str) -> Iterator[tuple[str, SourceFunction]]:
    for found in MACRO_OF.finditer(text):
        yield found["name"], SourceFunction(split(found["given"]), found["value"])
    for found in FUNCTION.finditer(text):
        value, given = found["value"], split(found["given"])
        names = tuple(each.split()[-1] for each in given)
        for each, name in zip(given, names, strict=True):
            cast = "(float)" if REAL.search(each) else ""
            value = re.sub(rf"\b{re.escape(name)}\b", rf"{cast}(\g<0>)", value)
        yield found["name"], SourceFunction(names, f"({value})")


def _fields(text: str) -> list[Declared]:
    """Return the fields of a struct, of which several may share a type."""
    fields = list[Declared]()
    for line in text.split(";"):
        first, *more = *split(line), ""
        fields += [_declared(first)] if first else []
        fields += [_declared(f"{fields[-1].type} {name}") for name in more if name]
    return fields


def _declared(text: str) -> Declared:
    text = re.sub(r"(\w+)\s*(?:\[[^\]]*\])+", r"* \1", text.partition("=")[0])
    words = re.findall(r"\w+", QUALIFIERS.sub(" ", text)) or ["int"]
    name = words[-1] if len(words) > 1 else ""
    kind = " ".join(words[:-1]) if len(words) > 1 else words[0]
    return Declared(kind, name, "*" in text, "const" in text.split("*")[0])
