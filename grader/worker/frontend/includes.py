"""Which files a submission includes, for where the compiler is not confined. Pure."""

from __future__ import annotations

from pathlib import Path

HEADERS = (Path("/usr/include"), Path("/usr/lib"), Path("/usr/local/include"))


def foreign(dependencies: str, folder: Path, allowed: tuple[Path, ...]) -> Path | None:
    """The first of the files that `nvcc -M` lists which lies in none of the allowed folders."""
    for word in dependencies.replace("\\\n", " ").split(":", 1)[-1].split():
        path = (folder / word).resolve()
        if not any(path.is_relative_to(root) for root in (*HEADERS, *allowed)):
            return path
    return None
