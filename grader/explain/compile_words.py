"""Frequent compile errors, what a file lacks, and what is wrong in its LAUNCH line, in words and with hints. Pure."""

from __future__ import annotations

import re

from grader.model.diagnostics import CompilerError, ErrorKind, KernelLack, LaunchFlaw

WORDS = {  # the sentence, and the hint
    LaunchFlaw.MACRO_OF_FIELD: (
        "The macro {name} replaces the field .{name} in LAUNCH.",
        "Give the macro another name.",
    ),
    LaunchFlaw.MACRO_OF_VALUE: (
        "The macro {name} replaces the value {name} of .grid_x in LAUNCH.",
        "Give the macro another name.",
    ),
    LaunchFlaw.NO_FIELD: ("LAUNCH has no field .{name}.", "Its fields are .block, .tile, .shared and .grid_x."),
    LaunchFlaw.TWICE: ("LAUNCH is used twice: first in line {before}.", "Keep one of them."),
    LaunchFlaw.AMBIGUOUS: (
        "{name} in LAUNCH is ambiguous: it is a value of .grid_x, and this file declares it too.",
        "Give your own another name.",
    ),
    LaunchFlaw.SAME_FIELD: ("A field of LAUNCH is given twice.", "Keep one of them."),
    LaunchFlaw.TOO_MANY: (
        "A field of LAUNCH has too many numbers.",
        ".block takes at most three numbers, and .tile two.",
    ),
    LaunchFlaw.DIM3: ("A field of LAUNCH takes numbers, not a dim3.", "Write them in braces: .block = {{16, 16}}."),
    LaunchFlaw.NEGATIVE: ("A number in LAUNCH is negative.", "All of them count something."),
    LaunchFlaw.ZERO: (
        "A number of .{name} in LAUNCH is 0.",
        "Write at least 1. A quotient of two integers is rounded down: 16 / 32 is 0.",
    ),
    LaunchFlaw.FRACTION: ("A number in LAUNCH is not an integer.", "Write it without a fraction."),
    LaunchFlaw.TOO_LARGE: ("A number in LAUNCH has more than 32 bits.", "A block has at most 1024 threads."),
    LaunchFlaw.NO_ORIENTATION: (
        "The value of .grid_x in LAUNCH is neither ROWS nor COLUMNS.",
        "Write .grid_x = ROWS or .grid_x = COLUMNS.",
    ),
    LaunchFlaw.NOT_CONSTANT: (
        "A number in LAUNCH is not a constant.",
        "The compiler must know it: use a macro or a constexpr instead of a variable.",
    ),
}
LACKS = {
    KernelLack.KERNEL: ("There is no kernel in the file.", 'Write a function: extern "C" __global__ void {}(...).'),
    KernelLack.VISIBLE: ("The kernel {} is not visible outside of the file.", 'Declare it extern "C" __global__.'),
    KernelLack.INSTANCE: (
        "The lab launches {}, which the template in the file does not make.",
        "Give the template as many parameters as the lab has arguments, and of their kinds.",
    ),
    KernelLack.ARGUMENTS: (
        "{} is a template, and nothing in the file uses it with arguments.",
        "Launch it in host code, which need not run, or give it the lab's parameters without a template.",
    ),
}


Words = tuple[str, str]
"""What is wrong, and what to try."""
HOST_LIBRARIES = ("std::", "thrust::", "cublas", "cuda", "curand")
# A warning or remark of nvcc or g++, with the lines that quote the source. After an error, many say what is not so.
WARNING = re.compile(r"^(?:\S+[:(]\d[^\n]*: warning\b|Remark: )[^\n]*\n(?:(?:[ \t][^\n]*)?\n)*", re.MULTILINE)
HINTS = {  # part of the compiler's words -> what to try
    "modifiable lvalue": "What is left of the = cannot change: is it declared const?",
    "integral or unscoped enum": "An index, and each side of a %, must be an integer: is one of the variables a float?",
    'invoking macro "LAUNCH"': "LAUNCH lacks its last parenthesis: it ends with );",
}
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
    if found.kind is ErrorKind.OF_VECTORS:
        members = ", ".join("xyzw"[: "1234".find(found.symbol[-1:]) + 1])
        return f"A {found.symbol} has no operators. Write the operation for each of its members: {members}."
    return next((hint for words, hint in HINTS.items() if words in found.text), "" if found.is_only else ALL_FIRST)
