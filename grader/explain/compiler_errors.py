"""Frequent compile errors, in words that need no knowledge of the compiler's. Pure."""

from __future__ import annotations

import re

from grader.model.diagnostics import CompilerError, ErrorKind

Words = tuple[str, str]
"""What is wrong, and what to try."""
HOST_LIBRARIES = ("std::", "thrust::", "cublas", "cuda", "curand")
# A warning or remark of nvcc or g++, with the lines that quote the source. After an error, many say what is not so.
WARNING = re.compile(r"^(?:\S+[:(]\d[^\n]*: warning\b|Remark: )[^\n]*\n(?:(?:[ \t][^\n]*)?\n)*", re.MULTILINE)
ALL_FIRST = "Fix the first error first: later ones often follow from it."

SHARED_SIZE = "A __shared__ array needs a constant: a macro, or extern __shared__ with LAUNCH(.shared = bytes)."


def in_words(found: CompilerError) -> Words:
    """Return the cause, in the compiler's words where they say it, and the hint."""
    match found.kind:
        case ErrorKind.HOST_FUNCTION if found.symbol.startswith(HOST_LIBRARIES):
            return (
                f"the kernel calls {found.symbol}, which works on the host only.",
                "A kernel has to compute it itself.",
            )
        case ErrorKind.HOST_FUNCTION:
            return (
                f"the kernel calls {found.symbol}, which is a function of the host.",
                f"Write __device__ before the declaration of {found.symbol}.",
            )
        case ErrorKind.INSIDE_FUNCTION | ErrorKind.UNCLOSED if found.opened:
            what = f"the {{ in line {found.opened} has no }}."
            return what, "Close it. Where { and } are indented alike, a missing one is easy to see."
        case ErrorKind.INSIDE_FUNCTION:
            return "LAUNCH stands inside a function.", "Write it below the kernel, outside of all braces."
        case ErrorKind.UNDEFINED:  # before a <, the compiler takes it for a template
            return f'identifier "{found.symbol}" is undefined', _hint(found)
    return found.text, _hint(found)


def without_warnings(log: str) -> str:
    """Return what a compiler says of errors."""
    return WARNING.sub("", log)


def _hint(found: CompilerError) -> str:
    """Return what to try where the compiler's own words say what is wrong."""
    if found.kind is ErrorKind.UNDEFINED and found.similar:
        return f"Did you mean {found.similar}?"
    if found.kind is ErrorKind.NOT_CONSTANT:
        return SHARED_SIZE
    return "" if found.is_only else ALL_FIRST
