"""Which files a submission includes, and whether they are headers.

A compiler may read more than headers, such as the system's libraries and what is installed beside them; a submission
may not. The list also serves where the compiler is not confined.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from mmap import mmap
from pathlib import Path

HEADERS = tuple(map(Path, (
    "/usr/include", "/usr/local/include", "/usr/lib/gcc", "/usr/lib64/gcc", "/usr/local/lib/gcc", "/usr/lib/clang",
    "/usr/lib64/clang", "/usr/lib/gcc-cross",
)))  # fmt: skip
STORES = Path("/nix/store"), Path("/gnu/store")
MARKER = re.compile(rb'^# \d+ "([^"\n]+)"', re.MULTILINE)  # cpp(1), "Preprocessor Output"
MESSAGE = re.compile(  # of a compiler, with a file's path and a line
    r"^(?:In file included from |[ ]+from )?([^\s:(](?:[^:(\n]|[:(](?!\d)){0,4096})[:(]\d", re.MULTILINE
)
NO_FILES = re.compile(r"<[\w -]+>")  # <built-in>, <command-line>


def in_rule(dependencies: str) -> list[str]:
    """Return the files that `nvcc -M` lists."""
    return dependencies.replace("\\\n", " ").split(":", 1)[-1].split()


def in_preprocessed(text: bytes | mmap) -> list[str]:
    """Return the files that a preprocessed text consists of. With -g, it names the compiler's folder too, with "//"."""
    names = (os.fsdecode(name) for name in {match[1] for match in MARKER.finditer(text)})
    return [name for name in names if not NO_FILES.fullmatch(name) and not name.endswith("//")]


def in_messages(log: str) -> list[str]:
    """Return the files that a compiler complains about: of those that it gives up on, there is no preprocessed text.

    Those of its own folder, which have no ".." in their path, are left out.
    """
    return [name for name in dict.fromkeys(MESSAGE.findall(log)) if name.startswith("/") or "../" in name]


def foreign(names: Iterable[str], folder: Path, allowed: tuple[Path, ...]) -> Path | None:
    """Return the first of the files that is no header of the system and in none of the allowed folders.

    `folder` is the compiler's.
    """
    roots = {*HEADERS, *STORES, *allowed}
    for name in names:
        path = (folder / name).resolve()
        above = {path, *path.parents}
        if roots.isdisjoint(above) and _linked(HEADERS).isdisjoint(above):
            return path
    return None


@functools.cache
def _linked(roots: tuple[Path, ...]) -> frozenset[Path]:
    """Return what the links among these headers lead to: compilers name a header by where it really is."""
    return frozenset(link.resolve() for root in roots for link in (root, *_links(root)))


def _links(folder: Path) -> Iterator[Path]:
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_symlink():
                yield Path(entry.path)
            elif entry.is_dir():
                yield from _links(Path(entry.path))
