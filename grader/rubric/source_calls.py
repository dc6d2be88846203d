"""The kernels of a CUDA program and how its host code launches them, as its text shows them. Pure.

The text is read for a proposal that a person corrects: what is not found here is only left out of it.
"""

import re
from dataclasses import dataclass
from itertools import islice

from grader.contract.structs import split
from grader.rubric.host_names import BRACE, HostNames, names_below, names_of

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
STRUCT = re.compile(r"\bstruct\s+(?P<before>\w+)?\s*\{(?P<fields>[^{}]{1,500})\}\s*(?P<behind>\w+)?\s*;")
FIELD = re.compile(r"(?<=\w)(?:->|(?<!\d)\.)(?=[A-Za-z_])")  # with "_" in its place, there is one name
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
class SourceLaunch:
    """A launch: template arguments, grid, block and shared memory as they are written, the arguments, and its names."""

    name: str
    template: str
    how: tuple[str, ...]
    arguments: tuple[str, ...]
    names: HostNames


@dataclass(frozen=True, slots=True)
class SourceProgram:
    """What the text of a program shows; `names` are those of the whole program."""

    kernels: tuple[SourceKernel, ...]
    launches: tuple[SourceLaunch, ...]
    names: HostNames
    structs: dict[str, tuple[Declared, ...]]
    symbols: tuple[str, ...]
    zeroed: frozenset[str]


def program(source: str) -> SourceProgram:
    """Read a program."""
    text = NO_CODE.sub(" ", source)
    names = names_of(text)
    structs = ((found["behind"] or found["before"], _fields(found["fields"])) for found in STRUCT.finditer(text))
    return SourceProgram(
        tuple(_kernel(found) for found in islice(KERNEL.finditer(text), MOST_KERNELS)),
        tuple(_launch(found, names) for found in islice(LAUNCH.finditer(text), MOST_KERNELS)),
        names,
        {name: tuple(fields) for name, fields in structs if name},
        tuple(dict.fromkeys(SYMBOL.findall(text))),
        frozenset(ZEROED.findall(text)),
    )


def _kernel(found: re.Match[str]) -> SourceKernel:
    words = (part.partition("=")[0].split() for part in split(found["template"] or ""))
    return SourceKernel(
        found["name"],
        tuple(each[-1] for each in words if each),
        tuple(map(_declared, split(found["given"]))),
        _block(found.string[found.end() : found.end() + LONGEST_BODY]),
    )


def _launch(found: re.Match[str], whole: HostNames) -> SourceLaunch:
    names, given = names_below(found.string[: found.start()], whole), split(FIELD.sub("_", found["given"]))
    return SourceLaunch(found["name"], found["template"] or "", split(found["how"]), given, names)


def _block(text: str) -> str:
    """Return the text up to the brace that closes what a brace before it opens."""
    depth = 1
    for brace in BRACE.finditer(text):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return text[: brace.start()]
    return text


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
