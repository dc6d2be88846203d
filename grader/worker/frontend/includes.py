"""Which files a submission includes. Pure.

A compiler may read more than headers, such as the system's libraries and what is installed beside them; a submission
may not. The list also serves where the compiler is not confined.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from mmap import mmap
from pathlib import Path

HEADERS = tuple(map(Path, (
    "/usr/include", "/usr/local/include", "/usr/lib/gcc", "/usr/lib64/gcc", "/usr/local/lib/gcc", "/usr/lib/clang",
    "/usr/lib64/clang", "/usr/lib/gcc-cross", "/nix/store", "/gnu/store",
)))  # fmt: skip
MARKER = re.compile(rb'^# \d+ "([^"\n]+)"', re.MULTILINE)  # cpp(1), "Preprocessor Output"
MESSAGE = re.compile(  # of a compiler, with a file's path and a line
    r"^(?:In file included from |[ ]+from )?([^\s:(](?:[^:(\n]|[:(](?!\d)){0,4096})[:(]\d", re.MULTILINE
)
NO_FILES = re.compile(r"<[\w -]+>")  # <built-in>, <command-line>


def in_rule(dependencies: str) -> list[str]:
    """Return the files that `nvcc -M` lists."""
    return dependencies.replace("\\\n", " ").split(":", 1)[-1].split()


def in_preprocessed(text: bytes | mmap) -> list[str]:
    """Return the files that a preprocessed text consists of."""
    names = (os.fsdecode(name) for name in {match[1] for match in MARKER.finditer(text)})
    return [name for name in names if not NO_FILES.fullmatch(name)]


def in_messages(log: str) -> list[str]:
    """Return the files that a compiler complains about: of those that it gives up on, there is no preprocessed text.

    Those of its own folder, which have no ".." in their path, are left out.
    """
    return [name for name in dict.fromkeys(MESSAGE.findall(log)) if name.startswith("/") or "../" in name]


def foreign(names: Iterable[str], folder: Path, allowed: tuple[Path, ...]) -> Path | None:
    """Return the first of the files that lies in none of the allowed folders; `folder` is the compiler's."""
    for name in names:
        path = (folder / name).resolve()
        if not any(path.is_relative_to(root) for root in (*HEADERS, *allowed)):
            return path
    return None
