"""The labs that come with the grader, by name: each is a rubric with a naive kernel to start from."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path

from grader.errors import UsageError
from grader.host import resources
from grader.rubric.load import find_kernel, load
from grader.rubric.visible import visible_rubric

DEFAULT = "square"


def names() -> list[str]:
    """Return the names of all labs, sorted."""
    return sorted(path.stem for path in resources.folder("rubrics").glob("*.toml"))


def rubric(name: str) -> Path:
    """Return the rubric of the lab. Raises UsageError that names similar labs."""
    path = resources.folder("rubrics") / f"{name}.toml"
    if name not in names():
        near = get_close_matches(name, names()) or names()
        raise UsageError(f"There is no lab {name}.", f"The labs are: {', '.join(near)}. `grade lab list` shows all.")
    return path


def default() -> Path:
    """Return the path of the default lab's rubric, even if labs are not installed."""
    return resources.folder("rubrics") / f"{DEFAULT}.toml"


def rubric_at(wanted: Path) -> Path:
    """Return `wanted` if it is a path, or else the rubric of the lab with this name."""
    is_name = len(wanted.parts) == 1 and not wanted.suffix and not wanted.is_file()
    return rubric(wanted.name) if is_name else wanted


def titles() -> Iterator[tuple[str, str]]:
    """Yield the name and the title of each lab."""
    for name in names():
        yield name, load(rubric(name)).title


def starter(name: str) -> dict[str, bytes]:
    """Return the files to start the lab with: its naive kernel, and a README with the rules and the commands."""
    path = rubric(name)
    lab = visible_rubric(load(path), datetime.now(UTC))
    naive = find_kernel(lab.naive, path.parent)
    criteria = "\n".join(f"| {criterion.title} | {criterion.points:g} |" for criterion in lab.criteria)
    sizes = ", ".join(map(str, lab.sizes))
    readme = f"""# {lab.title}

`matmul.cu` contains a correct but slow kernel, `{lab.interface.name}`. Keep its name, its parameters and the line
`LAUNCH`; make it fast. Its answers must be correct at {sizes}.

    grade check matmul.cu --rubric {name}     checks correctness at a few small sizes
    grade run matmul.cu --rubric {name}       runs the whole grade, with speed if there is an NVIDIA GPU

| criterion | points |
|---|---|
{criteria}
"""
    kernel = naive.read_bytes() if naive else b""
    headers = {header.name: header.content for header in lab.headers}
    return {"matmul.cu": kernel, "README.md": readme.encode(), **headers}
