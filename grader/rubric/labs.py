"""The labs that come with the grader, by name."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from grader.errors import UsageError, did_you_mean
from grader.host import installation

DEFAULT = "square"
OWN_RUBRIC = "lab.toml"  # a copy of a course's rubric, beside a student's kernel


def names() -> list[str]:
    """Return the names of all labs, sorted."""
    return sorted(path.stem for path in installation.folder("rubrics").glob("*.toml"))


def rubric(name: str) -> Path:
    """Return the rubric of the lab. Raises UsageError that names similar labs."""
    path = installation.folder("rubrics") / f"{name}.toml"
    if name not in names():
        raise UsageError(f"There is no lab {name}.", did_you_mean(name, names(), "`grade lab list` shows all labs."))
    return path


def default() -> Path:
    """Return the path of the default lab's rubric, even if labs are not installed."""
    return installation.folder("rubrics") / f"{DEFAULT}.toml"


def beside(files: Iterable[Path]) -> Path | None:
    """Return the rubric in the folder that holds all files; none if there is none that can be found."""
    with suppress(OSError):  # of a name that is too long, or a folder that may not be entered
        folders = {file if file.is_dir() else file.parent for file in files}
        own = [folder / OWN_RUBRIC for folder in folders]
        return own[0] if len(own) == 1 and own[0].is_file() else None
    return None


def rubric_at(wanted: Path) -> Path:
    """Return `wanted` if it is a path, or else the rubric of the lab with this name."""
    is_name = len(wanted.parts) == 1 and not wanted.suffix and not wanted.is_file()
    return rubric(wanted.name) if is_name else wanted
