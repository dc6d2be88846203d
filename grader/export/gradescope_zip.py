"""The zip that Gradescope builds an autograder from: two scripts, the grader, and one lab without solutions.

The zip contains the grader as source files, which need no build. All files have the same date, so the same grader and
rubric give the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from packaging.requirements import Requirement

import grader
from grader.errors import UsageError
from grader.export import gradescope
from grader.export.gradescope import DEFAULT, DisplayOptions
from grader.model import Rubric
from grader.rubric import load
from grader.rubric.criteria import KINDS
from grader.rubric.rounding import rounded, total
from grader.rubric.visible import without_hidden_sizes

PACKAGE = Path(grader.__file__).parent
SCRIPTS = Path(__file__).parent / "gradescope_files"
LEFT_OUT = {"__pycache__", "data"}  # an installed package keeps all labs in data/
EARLIEST = (1980, 1, 1, 0, 0, 0)  # the earliest date in a zip file
FILE, PROGRAM = 0o100644, 0o100755


def build(rubric_path: Path, display: DisplayOptions = DEFAULT, *, allow_unconfined: bool = False) -> bytes:
    """Return the zip file for the lab of a rubric. Raises UsageError for a rubric with a mistake.

    The autograder grades on a machine that cannot confine student code only if it is built with `allow_unconfined`.
    """
    lab = load.load(rubric_path)
    written = io.BytesIO()
    with ZipFile(written, "w") as archive:
        for name, content in sorted(_files(rubric_path, lab, display, allow_unconfined)):
            info = ZipInfo(name, EARLIEST)
            info.compress_type = ZIP_DEFLATED
            info.external_attr = (PROGRAM if "." not in name or name.endswith(".sh") else FILE) << 16
            archive.writestr(info, content)
    return written.getvalue()


def _files(
    rubric_path: Path, lab: Rubric, display: DisplayOptions, allow_unconfined: bool
) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of every file in the zip."""
    for script in ("setup.sh", "run_autograder"):
        yield script, (SCRIPTS / script).read_bytes()
    yield "shown.txt", "".join(f"{word}\n" for word in display.words).encode()
    yield "allowed.txt", b"--allow-unconfined\n" if allow_unconfined else b""
    yield "requirements.txt", "".join(f"{line}\n" for line in _requirements()).encode()
    yield "without_one_file.json", gradescope.without_one_file(_maximum(lab)).encode()
    yield "rubric.toml", rubric_path.read_bytes()
    naive = load.find_kernel(lab.naive, rubric_path.parent) if lab.naive else None
    if naive:
        yield lab.naive, naive.read_bytes()
    yield from ((header.name, header.content) for header in lab.headers)
    for path in PACKAGE.rglob("*"):
        inner = path.relative_to(PACKAGE)
        if path.is_file() and not LEFT_OUT & set(inner.parts):
            yield f"grader/{inner.as_posix()}", path.read_bytes()


def _requirements() -> list[str]:
    """Return the dependencies of the installed grader, and NVIDIA's compiler."""
    try:
        lines = [Requirement(line) for line in requires("matmul-grader") or ()]
        return [
            f"{line.name}{line.specifier}"
            for line in lines
            if line.marker is None or line.marker.evaluate({"extra": "compiler", "sys_platform": "linux"})
        ]
    except PackageNotFoundError as error:
        hint = "Install it with pip, or set it up with `make`."
        raise UsageError("The grader is not installed, so its dependencies are unknown.", hint) from error


def _maximum(lab: Rubric) -> float:
    """Return the points that the simulator can measure at visible sizes, which are the maximum on Gradescope."""
    shown = without_hidden_sizes(lab)
    return rounded(total(each.points for each in shown.criteria if not KINDS[each.kind].needs_timing))
