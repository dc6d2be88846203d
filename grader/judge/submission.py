"""Read a submission, which may be hostile, refuse content that is no source file, and set the lab's constants in it."""

import errno
import hashlib
import os
import re
import stat
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from grader.errors import UsageError, did_you_mean
from grader.explain import files
from grader.host import no_links
from grader.judge import joined
from grader.model import Fault, Source

MOST_BYTES = 1 << 20
MAGIC = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*?%%\w[^\r\n]*")
CONTROL = re.compile(rb"[\x01-\x08\x0e-\x19\x1b-\x1f\x7f]")  # without 0x1A, with which DOS editors end a file
# A macro up to a comment, or a constant of an integer type; the line keeps its number.
DEFINED = rb"^([ \t]*#[ \t]*define[ \t]+%s[ \t]+)[^\s/](?:[^\n/\\]|/(?![/*]))*"
DECLARED = rb"\b((?:const|constexpr)\b[^;=(){}\n]{0,80}\b%s[ \t]*=[ \t]*)[^;,{}\n]+"


def read(path: Path) -> bytes:
    """Read at most MOST_BYTES + 1 bytes. Raises UsageError if the path is not a readable file.

    Links to folders are followed, because the person who grades the file has chosen the path.
    """
    try:
        with open(path, "rb", opener=lambda name, _: os.open(name, no_links.FLAGS)) as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):  # a pipe would wait for its writer
                return file.read(MOST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError) as error:
        beside = (kernel.name for kernel in path.parent.glob("*.cu"))
        hint = did_you_mean(path.name, beside, "Check the spelling of its path.")
        raise UsageError(f"There is no file {path}.", hint) from error
    except IsADirectoryError as error:
        raise UsageError(f"{path} is a folder.", "Name the .cu file in it.") from error
    except OSError as error:
        if error.errno == errno.ELOOP:
            hint = "Name the file that it points to." if path.exists() else "The file that it points to is not there."
            raise UsageError(f"{path} is a symbolic link.", hint) from error
        if error.errno != errno.ENXIO:  # of a socket
            raise UsageError(f"{path} cannot be read: {error.strerror}.", "Check its permissions.") from error
    raise UsageError(f"{path} is not a regular file.", "Name a .cu file.")


def describe(path: Path, content: bytes, kernel: str) -> Source:
    """Return the file's name, SHA-256 and bytes, and the line of the kernel's name in its definition or declaration."""
    pattern = rf"__global__[^;{{}}]{{0,300}}?\b{re.escape(kernel)}\s*\("  # bounded, because the file may be hostile
    match = re.search(pattern.encode(), content)
    line = None if match is None else content.count(b"\n", 0, match.end()) + 1
    return Source(path.name, hashlib.sha256(content).hexdigest(), len(content), line, joined.parts(content))


def without_magic(content: bytes) -> bytes:
    """Blank the magic of a notebook's cell, such as `%%cu` or `%%writefile NAME`; line numbers do not change."""
    return MAGIC.sub(lambda magic: b"\n" * magic[0].count(b"\n"), content)


def fault(content: bytes) -> Fault | None:
    """The fault of content that is not a source file; None if it is one."""
    if not content.strip():
        return files.EMPTY
    if len(content) > MOST_BYTES:
        return files.TOO_LARGE
    if other := files.other_kind(content):
        return other
    if b"\0" in content:
        return replace(files.HAS_NUL, line=content.count(b"\n", 0, content.index(b"\0")) + 1)
    # The compiler also accepts comments in older encodings than UTF-8, without control bytes.
    is_utf8 = content.decode("utf-8", "ignore").encode() == content
    control = None if is_utf8 else CONTROL.search(content)
    return files.not_text(content.count(b"\n", 0, control.start()) + 1) if control else None


def with_constants(content: bytes, constants: Iterable[str]) -> bytes:
    """Return a file with these constants, each given as `N = 128`. A file without one stays as it is."""
    for text in constants:
        name, _, value = (part.strip().encode() for part in text.partition("="))
        for pattern in (DEFINED, DECLARED):
            content = re.sub(pattern % name, rb"\g<1>" + value, content, flags=re.MULTILINE)
    return content
