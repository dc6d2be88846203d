"""Mistakes that students make often, recognised by the compiler's message and the source line below it. Pure.

Patterns are applied to at most a few thousand characters, and each reads them once.
"""

import re
from difflib import get_close_matches
from itertools import chain

from grader.model.diagnostics import ErrorKind

EXPANDED = "__LabLaunch __lab_launch = {"  # what the macro LAUNCH of lab.h becomes
VECTOR = r"(?:u?(?:int|short|char)|float|double)[1-4]"
MESSAGES = {  # where two fit, the first; what the parentheses hold is the symbol
    ErrorKind.INSIDE_FUNCTION: r"namespace definition is not allowed()",
    ErrorKind.HOST_FUNCTION: r'calling a __host__ function\("(.*?)"\) from',
    ErrorKind.NOT_CONSTANT: r"expression must have a constant value()",
    ErrorKind.UNDEFINED: r'(?:identifier ")?\b(\w{1,100})(?:" is undefined| is not a template)',
    ErrorKind.UNCLOSED: r'expected a "}"()',
    ErrorKind.OF_VECTORS: rf"no operator .{{1,100}}\n\s+operand types are: .{{0,200}}?\b({VECTOR})\b",
}
NO_SEMICOLON = 'expected a ";"'
NOT_CODE = re.compile(  # an open comment ends with the file, in linear time
    r'//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n]){0,500}"|\'(?:\\.|[^\'\\\n]){0,500}\'', re.DOTALL
)
TYPE = re.compile(r"\b(?:struct|class|union|enum)\b[^;{}()]{0,200}\Z")
TEMPLATE_ARGUMENTS = re.compile(r"<[^<>]*>")
NAME = re.compile(r"\b[A-Za-z_]\w{0,100}\b")
OF_CUDA = (
    *("__syncthreads", "__syncwarp", "__shared__", "__device__", "__global__", "__restrict__", "__constant__"),
    *("threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "atomicAdd", "__shfl_down_sync", "__shfl_sync"),
)


def error_kind(text: str, quoted: str) -> tuple[ErrorKind | None, str]:
    """Return the kind of an error and what it is about; `quoted` is the line that the compiler prints below `text`."""
    for kind, pattern in MESSAGES.items():
        if found := re.search(pattern, f"{text}\n{quoted}"):
            if kind is ErrorKind.NOT_CONSTANT and EXPANDED not in quoted and "shared" not in quoted:
                return None, ""
            return kind, _function(found[1]) if kind is ErrorKind.HOST_FUNCTION else found[1]
    return None, ""


def _function(signature: str) -> str:
    """Return the name in a signature as the compiler writes it, `T std::f<int>(int)`, without arguments and result."""
    before = ""
    while before != signature:
        before, signature = signature, TEMPLATE_ARGUMENTS.sub("", signature)
    name = re.split(r"\s{2,}|\s(?!::)", signature.partition("(")[0].strip())[-1]
    return name.replace(" ", "").removeprefix("::")[:100]


def similar(name: str, content: bytes, line: int) -> str:
    """Return the name of CUDA, or in the file up to this line, that an undefined one may mean, or nothing."""
    before = b"\n".join(content.split(b"\n", line)[:line]).decode("utf-8", "replace")
    known = {*OF_CUDA, *NAME.findall(NOT_CODE.sub(" ", before))} - {name}
    in_other_case = (other for other in sorted(known) if other.casefold() == name.casefold())
    return next(chain(in_other_case, get_close_matches(name, sorted(known), 1, 0.8)), "")


def unclosed_brace(content: bytes) -> int:
    """Return the line of a { without its }, to judge by how lines are indented; 0 if none stands out."""
    opened: list[tuple[int, int]] = []  # line, indentation
    for number, row in enumerate(_without_comments(content).expandtabs(4).splitlines(), 1):
        indentation = len(row) - len(row.lstrip())
        for place, letter in enumerate(row):
            if letter == "{":
                opened.append((number, indentation))
            elif letter == "}" and opened:
                line, begins_at = opened.pop()
                if place == indentation < begins_at:
                    return line
    return opened[-1][0] if opened else 0


def missing_semicolon(content: bytes, line: int, text: str, quoted: str, marker: str) -> int:
    """Return the line which lacks the semicolon, of which the compiler names the next statement; 0 for others.

    `line` and `text` are those of the compiler's message, below which it prints the line as `quoted`, and a `marker`
    with a caret. The semicolon is missing before this line if the caret is at its first character, or if a type ends
    there without one.
    """
    rows = _without_comments(content).splitlines()[: max(0, line - 1)]
    while rows and (not rows[-1].strip() or rows[-1].lstrip().startswith("#")):
        rows.pop()
    is_first = text == NO_SEMICOLON and marker.find("^") == len(quoted) - len(quoted.lstrip())
    return len(rows) if is_first or _ends_with_type("\n".join(rows)) else 0


def _ends_with_type(code: str) -> bool:
    """Return whether code ends with the brace of a struct, class, union or enum."""
    depth, rest = 0, code.rstrip()
    for at in range(len(rest) - 1, -1, -1) if rest.endswith("}") else ():
        depth += {"}": 1, "{": -1}.get(rest[at], 0)
        if not depth:
            return TYPE.search(rest[:at]) is not None
    return False


def _without_comments(content: bytes) -> str:
    """Return the code of a file in its lines, without comments and strings."""
    return NOT_CODE.sub(lambda found: "\n" * found[0].count("\n"), content.decode("utf-8", "replace"))
