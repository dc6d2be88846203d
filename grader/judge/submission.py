"""Read a submission without trusting it."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
from difflib import get_close_matches
from pathlib import Path

from grader.errors import UsageError
from grader.explain import files
from grader.host import no_links
from grader.model import Fault, Source

MOST_BYTES = 1 << 20
MAGIC = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*?%%\w[^\r\n]*")
CONTROL = re.compile(rb"[\x01-\x08\x0e-\x19\x1b-\x1f\x7f]")  # editors of old leave 0x1A at the end of a file


def read(path: Path) -> bytes:
    """The file's bytes, at most one more than allowed. Raises UsageError for what is not a readable file.

    Links to folders are followed, because the person who grades the file has named them.
    """
    try:
        with open(path, "rb", opener=lambda name, _: os.open(name, no_links.FLAGS)) as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):  # reading a pipe would wait for its writer
                return file.read(MOST_BYTES + 1)
    except FileNotFoundError as error:
        near = get_close_matches(path.name, [kernel.name for kernel in path.parent.glob("*.cu")])
        hint = f"Did you mean {' or '.join(near)}?" if near else "Check the spelling of its path."
        raise UsageError(f"There is no file {path}.", hint) from error
    except IsADirectoryError as error:
        raise UsageError(f"{path} is a folder.", "Name the .cu file in it.") from error
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise UsageError(f"{path} is a symbolic link.", "Name the file that it points to.") from error
        if error.errno != errno.ENXIO:  # of a socket
            raise UsageError(f"{path} cannot be read: {error.strerror}.", "Check its permissions.") from error
    raise UsageError(f"{path} is not a regular file.", "Name a .cu file.")


def describe(path: Path, content: bytes, kernel: str) -> Source:
    """The file's name, hash and size, and the line of the kernel with this name, for the report."""
    return Source(path.name, hashlib.sha256(content).hexdigest(), len(content), _kernel_line(content, kernel))


def _kernel_line(content: bytes, kernel: str) -> int | None:
    """The line, counted from 1, on which the kernel's name is, where it is defined or declared."""
    pattern = rf"__global__[^;{{}}]{{0,300}}?\b{re.escape(kernel)}\s*\("  # bounded, because the file may be hostile
    match = re.search(pattern.encode(), content)
    return None if match is None else content.count(b"\n", 0, match.end()) + 1


def without_magic(content: bytes) -> bytes:
    """The content with an empty line for the magic of a notebook's cell, such as `%%cu` or `%%writefile NAME`."""
    return MAGIC.sub(lambda magic: b"\n" * magic[0].count(b"\n"), content)


def fault(content: bytes) -> Fault | None:
    """The fault of content that is not a source file."""
    if not content.strip():
        return files.EMPTY
    if len(content) > MOST_BYTES:
        return files.TOO_LARGE
    if other := files.other_kind(content):
        return other
    if b"\0" in content:
        return files.HAS_NUL
    control = None if _is_utf8(content) else CONTROL.search(content)
    return files.not_text(content.count(b"\n", 0, control.start()) + 1) if control else None


def _is_utf8(content: bytes) -> bool:
    """Whether a file is in UTF-8. The compiler accepts comments in older encodings too, which have no control bytes."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
