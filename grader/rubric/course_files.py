"""The headers of a course, which lie beside its rubric and, when it is compiled, beside each submission."""

import hashlib
import re
from collections.abc import Iterable
from contextlib import suppress
from os.path import realpath
from pathlib import Path

from grader.errors import UsageError
from grader.model import Header
from grader.rubric.errors import shown

INCLUDED = re.compile(r'^[ \t]*#[ \t]*(?:include|import)[ \t]*[<"]([\w./+-]{1,200})[>"]', re.MULTILINE)
LARGEST = 1 << 20  # bytes of all headers together
MOST = 64


def read(names: Iterable[str], rubric: Path) -> tuple[Header, ...]:
    """Read the headers that the file of a rubric names. Raises UsageError with a line for each that cannot be read."""
    headers, wrong = list[Header](), list[str]()
    for index, name in enumerate(names):
        try:
            content = _content(rubric.parent, name)
            headers.append(
                Header(name, hashlib.sha256(content).hexdigest(), content.decode("utf-8", "surrogateescape"))
            )
        except ValueError as error:
            wrong.append(f"{rubric}: files.headers[{index}]: {shown(name)} {error}")
    if not wrong and sum(len(header.text) for header in headers) > LARGEST:
        wrong.append(f"{rubric}: files.headers: the files have more than {LARGEST >> 20} MiB together")
    if wrong:
        raise UsageError("\n".join(wrong), 'Name files in the rubric\'s folder, such as ["timer.h", "include/lab.h"].')
    return tuple(headers)


def beside(program: Path, source: str) -> tuple[Header, ...]:
    """Return the files in the folder of a program that it includes, and those that they include."""
    wanted, found = INCLUDED.findall(source), dict[str, Header]()
    while wanted and len(found) < MOST and sum(len(header.text) for header in found.values()) < LARGEST:
        name = wanted.pop(0)
        if name not in found and (program.parent / name).is_file() and (program.parent / name) != program:
            with suppress(UsageError):
                [found[name]] = read([name], program)
                wanted += INCLUDED.findall(found[name].text)
    return tuple(found.values())


def _content(folder: Path, name: str) -> bytes:
    """Return the content of a file in the folder. Raises ValueError with the end of a sentence about the name."""
    path = folder / name
    if not Path(realpath(path)).is_relative_to(realpath(folder)):
        raise ValueError("leads out of the rubric's folder")
    if path.exists() and not path.is_file():  # a pipe would wait for its writer
        raise ValueError("is not a file")
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise ValueError(f"cannot be read: {error.strerror}") from error
    if len(content) > LARGEST:
        raise ValueError(f"is larger than {LARGEST >> 20} MiB")
    return content
