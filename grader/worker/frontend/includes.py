"""Which files a submission includes, by which of its lines, and whether they are headers.

A header is what the compiler's own search path leads to. A compiler may read more, such as the system's libraries and
what is installed beside them; a submission may not. The check also serves where the compiler is not confined.

Stand-ins are headers for host libraries, searched after all others, and for what later versions of CUDA have removed.
"""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from mmap import mmap
from pathlib import Path

from grader.model.diagnostics import RefusedInclude
from grader.worker.found import NotCompiledError
from grader.worker.frontend.diagnostics import MOST_QUOTED, is_file

MARKER = re.compile(rb'^# (\d+) "([^"\n]+)"( [12])?', re.MULTILINE)  # cpp(1), "Preprocessor Output"
ENTERED, LEFT = b" 1", b" 2"
MESSAGE = re.compile(  # of a compiler, with a file's path and a line
    r"^(In file included from |[ ]+from )?([^\s:(](?:[^:(\n]|[:(](?!\d)){0,4096})[:(](\d+)", re.MULTILINE
)
DIRECTLY = "In file included from "  # what gcc writes before the innermost file
NO_FILES = re.compile(r"<[\w -]+>|.*//")  # <built-in>, <command-line>; with -g, the compiler's folder
SEARCHED = re.compile(r'^#include "\.\.\." search starts here:\n(.*?)^End of search list', re.MULTILINE | re.DOTALL)
SEARCHED_FOLDER = re.compile(r"^ (/.*?)/?$", re.MULTILINE)
FOLDER = Path(__file__).with_name("standins")
NVRTC_FOLDER = Path(__file__).with_name("standins_nvrtc")  # it has no host's headers, and kernels need none of them
# How the names of each library begin, so that an error about one of them is recognised.
NAMES = re.compile(
    r"\b(cublas|curand|cufft|cusparse|cusolver|cudnn|nvml|nvtx|cuProfiler|cudaProfiler|cupti|nccl|checkCudaErrors|"
    r"getLastCudaError|findCudaDevice|gpuGetMaxGflops|sdk[A-Z]|StopWatch|getCmdLine|checkCmdLine|cblas_|Cblas|mkl_|"
    r"MKL_|MPI_|wb[A-Z]|gpuTK)",
    re.IGNORECASE,
)
REMOVED = re.findall(r"^// \d+\.\d+: (.+)$", (FOLDER / "removed.h").read_text(encoding="utf-8"), re.MULTILINE)
REMOVED_NAMES = re.compile(rf"\b(?:{'|'.join(' '.join(REMOVED).split())})\b".encode())
STAND_IN = re.compile(rf"{re.escape(str(FOLDER))}/(?!lab_)(\S+)")  # among the files that `nvcc -M` lists


@dataclass(frozen=True, slots=True)
class Included:
    """A file, as the compiler names it, and the submission's line that asks for it; None if another file does."""

    name: str
    line: int | None = None


def search_path(output: str) -> tuple[str, ...]:
    """Return the folders of headers that the host compiler lists with -v; empty if it does not."""
    listed = SEARCHED.search(output)
    return tuple(SEARCHED_FOLDER.findall(listed[1])) if listed else ()


def in_rule(dependencies: str) -> list[Included]:
    """Return the files that `nvcc -M` lists."""
    return [Included(name) for name in dependencies.replace("\\\n", " ").split(":", 1)[-1].split()]


def in_preprocessed(text: bytes | mmap, own: str) -> list[Included]:
    """Return the files that the preprocessed text of the file `own` consists of."""
    found: dict[bytes, int | None] = {}
    entered: list[bytes] = []
    for line, name, flag in MARKER.findall(text):
        if flag == LEFT and entered and is_file(os.fsdecode(name), own):
            left = entered.pop()
            found[left] = found[left] or int(line) - 1  # the marker is about the line after the directive
        elif flag == LEFT and entered:
            entered.pop()
        else:
            found.setdefault(name, None)
        if flag == ENTERED:
            entered.append(name)
    included = (Included(os.fsdecode(name), line) for name, line in found.items())
    return [file for file in included if not NO_FILES.fullmatch(file.name)]


def in_messages(log: str, own: str) -> list[Included]:
    """Return the files that a compiler complains about: of those that it gives up on, there is no preprocessed text.

    Those of its own folder, which have no ".." in their path, are left out.
    """
    found: dict[str, int | None] = {}
    asked = None
    for includer, name, line in MESSAGE.findall(log):
        if name.startswith("/") or "../" in name:
            found.setdefault(name, asked)
        asked = int(line) if includer == DIRECTLY and is_file(name, own) else None
    return [Included(name, line) for name, line in found.items()]


def refuse_foreign(included: Iterable[Included], folder: Path, headers: Iterable[str]) -> None:
    """Raise NotCompiledError for the first file that no place of headers leads to. `folder` is the compiler's.

    Without a line of the submission, its author is not at fault for certain.
    """
    places = [str(folder / place) for place in headers]
    for file in included:
        path = str(folder / file.name)
        if not _is_below(path, places) and not _is_led_to(os.path.realpath(path), places):
            raise NotCompiledError(RefusedInclude(os.path.realpath(path)[:MOST_QUOTED], file.line or 0))


def _is_below(path: str, places: Iterable[str]) -> bool:
    """Whether it is one of the places, or below one by folders and links that are there."""
    return any(path == place or (path.startswith(f"{place}/") and "/../" not in path[len(place) :]) for place in places)


def _is_led_to(real: str, places: Iterable[str]) -> bool:
    """Whether a file without links in its path is below one of the places, or a link below it leads there.

    Compilers may name a header by where it really is.
    """
    parts = real.split("/")[1:]
    ends = ["/".join(parts[start:]) for start in range(len(parts))]
    return _is_below(real, map(os.path.realpath, places)) or any(
        os.path.realpath(f"{place}/{end}") == real for place in places for end in ends
    )


def stand_ins(content: bytes) -> tuple[str, ...]:
    """Return the flag that declares what CUDA has removed, if the file has one of these names."""
    return ("-include=removed.h",) if REMOVED_NAMES.search(content) else ()
