"""What the text of a submission says before it is compiled: line directives, LAUNCH and kernel templates. Pure.

The text is hostile: every pattern is bounded, or reads it once.
"""

import re
from difflib import get_close_matches

from grader.model.diagnostics import LaunchFlaw, LaunchMistake
from grader.worker.frontend.error_kinds import EXPANDED

FIELDS = ("block", "tile", "shared", "grid_x")
ORIENTATIONS = ("ROWS", "COLUMNS")
INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*[<\"](?:[\w./]{0,200}/)?lab\.h[>\"]", re.MULTILINE)
OF_GRID_X = 'entity of type "__lab_names::LabGridX"'
AMBIGUOUS = re.compile(r'__lab_scope::(?P<name>ROWS|COLUMNS)" is ambiguous')
NO_FIELD = re.compile(r'class "__LabLaunch" has no field "(?P<field>\w{1,100})"')
BEFORE = re.compile(r"already been defined \(previous definition at line (?P<line>\d{1,9})\)")
INITIALIZERS = {  # by words of the compiler
    "duplicate designator": LaunchFlaw.SAME_FIELD,
    "too many initializer values": LaunchFlaw.TOO_MANY,
    'from "dim3" to': LaunchFlaw.DIM3,
    "change of sign": LaunchFlaw.NEGATIVE,
    'narrowing conversion from "double"': LaunchFlaw.FRACTION,
    'narrowing conversion from "float"': LaunchFlaw.FRACTION,
    "resulted in truncation": LaunchFlaw.TOO_LARGE,
    OF_GRID_X: LaunchFlaw.NO_ORIENTATION,
    "narrowing conversion from": LaunchFlaw.NOT_CONSTANT,
    "must have a constant value": LaunchFlaw.NOT_CONSTANT,
}
HEADER = ("-include=lab.h",)
OPENED = re.compile(rb"\bLAUNCH\s{0,99}\(\s{0,99}(?=\.)")
LAUNCH = re.compile(OPENED.pattern + rb"(?P<fields>[^;]{1,500}?),?\s{0,99}\)\s{0,99};")
COMMA = re.compile(rb",(?=(?:\s|//[^\n]*\n|/\*.*?\*/)*\.\s*\w+\s*=)", re.DOTALL)  # between two fields
NAME = re.compile(rb"\.\s*(\w+)\s*=")
SPLICE = re.compile(rb"\\[ \t\f\v]*\r?\n")
JOINED = b"\0"  # marks the end of a line that a splice or a comment removes, so that lines can be counted
MARK = b"\xef\xbb\xbf"  # the byte order mark, which is no part of the first line
HAS_INCLUDE, NEXT = (rb"\0*".join(bytes([letter]) for letter in word) for word in (b"__has_include", b"_next"))
TOKEN = re.compile(
    rb"""/\0*/[^\n]* | /\0*\*.*?(?:\*\0*/|\Z)                                # comments
    | (?:u\0*8\0*|[uUL]\0*)?R\0*"([^()\\\s]{0,16})\(.*?(?:\)\1"|\Z)          # raw strings
    | "(?:\\\0*.|[^"\\\n])*"? | '(?:\\\0*.|[^'\\\n])*'?                       # strings and characters
    | \bHAS_INCLUDE(?:NEXT)?[ \t\f\v\0]*\(?[ \t\f\v\0]*<[^>\n]*>?                # headers that need not exist
    | \.?\d(?:[eEpP]\0*[+-]|'?[\w$\0\x80-\xff]|\.)* | [\w$\x80-\xff][\w$\0\x80-\xff]*  # numbers and names
    """.replace(b"HAS_INCLUDE", HAS_INCLUDE).replace(b"NEXT", NEXT),
    re.DOTALL | re.VERBOSE,
)
DIRECTIVE = re.compile(rb"^[ \t\f\v\0]*(\#|%\0*:)[ \t\f\v\0]*(?:l\0*i\0*n\0*e\b|\d)", re.MULTILINE)
VALUES = re.compile(r"\((?:unsigned |signed |long |short )*(?:int|bool|char|long)\)|(?<=\d)[uUlL]+\b|\s")
NAMESPACE = re.compile(rb"\bnamespace\s{1,99}([A-Za-z_][\w:]{0,99})\s{0,99}\{|[{}]")
BOOLEANS = {"true": "1", "false": "0"}


def in_order(content: bytes) -> bytes:
    """Return the file with the fields of each LAUNCH in the order in which lab.h declares them, as C++ demands."""
    return LAUNCH.sub(_sorted, content)


def header(content: bytes) -> tuple[str, ...]:
    """Return the flag that includes lab.h, if the file has a LAUNCH and no such line above it."""
    launch = OPENED.search(content)
    return HEADER if launch and not INCLUDE.search(content, 0, launch.start()) else ()


def zero_in_launch(content: bytes, field: str) -> LaunchMistake:
    """Return the mistake of a LAUNCH with a 0 in this field."""
    launch = OPENED.search(content)
    return LaunchMistake(LaunchFlaw.ZERO, content.count(b"\n", 0, launch.start()) + 1 if launch else 0, field)


def _sorted(launch: re.Match[bytes]) -> bytes:
    fields: list[bytes] = COMMA.split(launch["fields"])
    fields.sort(key=_rank)
    return launch[0].replace(launch["fields"], b",".join(fields), 1)


def _rank(text: bytes) -> int:
    found = NAME.search(text)
    name = found[1].decode() if found else ""
    return FIELDS.index(name) if name in FIELDS else len(FIELDS)


def launch_mistake(content: bytes, line: int, text: str, quoted: str) -> LaunchMistake | None:
    """Return the mistake behind an error in a line of the submission `content`; None if it is another mistake.

    Only an error that the compiler printed is recognised. `text` is its message, and `quoted` the source line that it
    prints below, with macros expanded.
    """
    if EXPANDED not in quoted:
        return None
    start = sum(len(row) + 1 for row in content.split(b"\n", line - 1)[: line - 1])
    return _macro(content, start, text, quoted) or _initializer(line, text)


def _macro(content: bytes, start: int, text: str, quoted: str) -> LaunchMistake | None:
    """Return the mistake of a macro that replaces a field, or the value of .grid_x, in the LAUNCH at `start`."""
    written = content[start : content.find(b";", start)].decode("utf-8", "replace")
    values = quoted.partition(EXPANDED)[2]
    fields = [(name, rf"\.[ \t]*{name}\b", LaunchFlaw.MACRO_OF_FIELD) for name in FIELDS]
    if OF_GRID_X in text:
        fields += [(name, rf"\.grid_x[ \t]*=[ \t]*{name}\b", LaunchFlaw.MACRO_OF_VALUE) for name in ORIENTATIONS]
    for name, pattern, mistake in fields:
        defined = _definition(content, name, start)
        if defined and re.search(pattern, written) and not re.search(pattern, values):
            return LaunchMistake(mistake, defined, name)
    return None


def _initializer(line: int, text: str) -> LaunchMistake | None:
    """Return the mistake in the fields themselves."""
    if unknown := NO_FIELD.search(text):
        near = get_close_matches(unknown["field"], FIELDS, 1)
        return LaunchMistake(LaunchFlaw.NO_FIELD, line, unknown["field"], near[0] if near else "")
    if before := BEFORE.search(text):
        return LaunchMistake(LaunchFlaw.TWICE, line, before=int(before["line"]))
    if own := AMBIGUOUS.search(text):
        return LaunchMistake(LaunchFlaw.AMBIGUOUS, line, own["name"])
    known = (mistake for words, mistake in INITIALIZERS.items() if words in text)
    return next((LaunchMistake(mistake, line) for mistake in known), None)


def _definition(content: bytes, name: str, end: int) -> int | None:
    """Return the line of the macro's last definition before `end`; None if there is none."""
    define = re.compile(rf"^[ \t]*#[ \t]*define[ \t]+{name}\b".encode(), re.MULTILINE)
    starts = [match.start() for match in define.finditer(content, 0, end)]
    return content.count(b"\n", 0, starts[-1]) + 1 if starts else None


def line_directive(content: bytes) -> int | None:
    """The line of the first line directive, from 1; None if there is none.

    With one, messages and findings would name lines that the file does not have. Comments and lines that end in a
    backslash may hide one, and a comment or a string may look like one.
    """
    text = TOKEN.sub(_masked, SPLICE.sub(JOINED, content.removeprefix(MARK)))
    match = DIRECTIVE.search(text)
    return None if match is None else 1 + sum(text.count(end, 0, match.start(1)) for end in (b"\n", JOINED))


def _masked(token: re.Match[bytes]) -> bytes:
    """A comment separates words, a string is only a string, and a number, a name or a header stays."""
    text = token[0]
    if text.startswith(b"/"):
        return b" " + _ends(text)
    is_string = token[1] is not None or text.startswith((b'"', b"'"))
    return b'""' + _ends(text) if is_string else text


def _ends(text: bytes) -> bytes:
    return JOINED * sum(map(text.count, (b"\n", JOINED)))


def is_template(content: bytes, name: str) -> bool:
    """Whether the file has a kernel template of that name."""
    return _template(content, name) is not None


def scope(content: bytes, name: str) -> str:
    """Return the namespaces of the file's kernel template of that name, each with `::` behind it."""
    found, around = _template(content, name), list[bytes | None]()
    for brace in NAMESPACE.finditer(content, 0, found.start() if found else 0):
        if brace[0] != b"}":
            around.append(brace[1])
        elif around:
            around.pop()
    return "".join(f"{each.decode()}::" for each in around if each)


def _template(content: bytes, name: str) -> re.Match[bytes] | None:
    pattern = (
        rf"\btemplate\s{{0,99}}<[^;{{}}]{{0,400}}>[^;{{}}]{{0,300}}__global__[^;{{}}]{{0,300}}?\b{name}\s{{0,99}}\("
    )
    return re.search(pattern.encode(), content)


def with_instance(content: bytes, kernel: str) -> bytes:
    """Return the file with a line behind it that uses the kernel, if there is one, as a launch would."""
    if not kernel:
        return content
    return content + f"\nnamespace __lab_scope {{ void *__lab_instance = (void *)&{kernel}; }}\n".encode()


def same_arguments(name: str, arguments: str) -> bool:
    """Whether a demangled name, `matmul<32, (bool)1>`, has these template arguments: `32, true`."""
    return _plain(name.partition("<")[2].removesuffix(">")) == _plain(arguments)


def _plain(arguments: str) -> list[str]:
    return [BOOLEANS.get(each, each) for each in VALUES.sub("", arguments).split(",")]
