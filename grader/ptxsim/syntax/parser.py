"""A file of PTX to a module (PTX ISA, "PTX Module Directives")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from math import prod

from grader.ptxsim.records.fields import LocalArray
from grader.ptxsim.records.lacks import UNEXPECTED, Lack, MalformedError, UnsupportedError
from grader.ptxsim.syntax.declarations import QUALIFIERS, SPACES, parameter, variables
from grader.ptxsim.syntax.functions import Body
from grader.ptxsim.syntax.lexer import END, Cursor, int_of, own_files
from grader.ptxsim.syntax.records import Function, Module, Parameter, Variable

_BEFORE_VOLTA = re.compile(r"sm_[1-6]\d$")
_VOLATILE = re.compile(r"\b(ld|st)\.volatile\b")  # there, of cuda::atomic too; it has the meaning of relaxed.sys
_OF_FILE = frozenset({".version", ".target", ".address_size", ".file"})  # which no semicolon ends
_CLUSTERS = frozenset({".reqnctapercluster", ".explicitcluster", ".blocksareclusters"})
_PERFORMANCE = frozenset(
    {".maxntid", ".minnctapersm", ".maxnctapersm", ".maxnreg", ".reqntid", ".noreturn", ".pragma"}
    | {*_CLUSTERS, ".maxclusterrank", ".abi_preserve", ".abi_preserve_control"}
)


def parse(text: str, source: str = "", local_arrays: tuple[LocalArray, ...] = ()) -> Module:
    """Return the module of a PTX file.

    `source` is the name of the file that it was compiled from. `local_arrays` are those that PTX merges into one.

    Raises:
        MalformedError: it is not PTX.
        UnsupportedError: it has a directive that the simulator lacks.

    """
    definitions: list[Variable | Function] = []
    try:
        cursor = Cursor(text)
        own = own_files(cursor.words, source)
        target = next((after.text for word, after in pairwise(cursor.words) if word.text == ".target"), "")
        if _BEFORE_VOLTA.match(target):
            cursor = Cursor(_VOLATILE.sub(r"\1.relaxed.sys", text))
        while cursor.word is not END:
            definitions += _directive(cursor, own)
    except UNEXPECTED as error:
        raise MalformedError(Lack.PART) from error
    return Module(
        tuple(item for item in definitions if isinstance(item, Variable)),
        tuple(item for item in definitions if isinstance(item, Function)),
        local_arrays,
        target,
    )


def _directive(cursor: Cursor, own: frozenset[int]) -> Iterator[Variable | Function]:
    word = cursor.word.text
    if word in _OF_FILE:
        cursor.take()
        _skip_list(cursor)
    elif word == ".section":
        cursor.skip_past("}")
    elif word in QUALIFIERS:
        cursor.take()
    elif word in SPACES:
        cursor.take()
        yield from variables(cursor, word[1:])
    elif word in {".entry", ".func"}:
        cursor.take()
        yield from _function(cursor, own, is_entry=word == ".entry")
    elif word in {".alias", ".pragma"}:
        cursor.skip_past(";")
    else:
        raise UnsupportedError(Lack.DIRECTIVE if word.startswith(".") else Lack.NO_DIRECTIVE, name=word)


def _skip_list(cursor: Cursor) -> None:
    """Skip a word, or a number and a string, and what commas join to them."""
    cursor.take()
    if cursor.word.kind == "text":
        cursor.take()
    while cursor.accept(","):
        cursor.take()


def _function(cursor: Cursor, own: frozenset[int], *, is_entry: bool) -> Iterator[Variable | Function]:
    results = _parameters(cursor) if cursor.word.text == "(" else ()
    name = cursor.name()
    parameters = _parameters(cursor) if cursor.word.text == "(" else ()
    cluster = 0
    while cursor.word.text in _PERFORMANCE:
        word = cursor.word.text
        numbers = _skip_performance(cursor)
        cluster = max(1, cluster, prod(numbers)) if word in _CLUSTERS else cluster
    if cursor.accept(";"):
        return
    body = Body(cursor, own, name, results)
    body.read()
    yield from body.statics
    yield Function(
        name,
        is_entry,
        parameters,
        results,
        dict(body.scopes.used),
        tuple(body.variables),
        tuple(body.locals),
        tuple(body.statements),
        tuple(body.targets),
        cluster,
    )


def _skip_performance(cursor: Cursor) -> list[int]:
    """Skip a directive that only concerns performance, or clusters, and return its numbers."""
    cursor.take()
    numbers: list[int] = []
    while cursor.word.kind in {"integer", "text"} or cursor.word.text == ",":
        word = cursor.take()
        numbers += [int_of(word.text)] if word.kind == "integer" else []
    cursor.accept(";") if cursor.word.text == ";" and cursor.ahead(1).text in _PERFORMANCE | {"{"} else None
    return numbers


def _parameters(cursor: Cursor) -> tuple[Parameter, ...]:
    cursor.expect("(")
    parameters: list[Parameter] = []
    while not cursor.accept(")"):
        parameters.append(parameter(cursor))
        cursor.accept(",")
    return tuple(parameters)
