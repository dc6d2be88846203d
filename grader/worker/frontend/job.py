"""The input of a compiler, its output, and what a worker's box keeps of that."""

import base64
import json
import re
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Generic, TypeVar

from grader.contract import files
from grader.contract.encoding import decode_answer, encode
from grader.contract.messages import Compiled
from grader.host.compilers import Nvcc, Nvrtc
from grader.host.confinement.mechanism import Confinement
from grader.model import Header, Limits
from grader.model.diagnostics import CompileFinding, CompilerError, LaunchMistake, TooMuchShared
from grader.ptxsim.records.fields import LocalArray
from grader.worker.frontend.source_text import is_template, scope

INCLUDE = Path(__file__).parents[2] / "include"  # lab.h

HEADERS, BESIDE = "course", "course/.submission"  # folders of a compilation
OF_C = "course/.c"  # headers that are found in quotation marks only: <time.h> is another
C_HEADERS = {"assert", "complex", "ctype", "errno", "float", "limits", "locale", "math", "signal", "stddef", "stdint",
             "stdio", "stdlib", "string", "time", "wchar"}  # fmt: skip
# A fatal error is about a file that cannot be read or written. One at an #include may be the header's.
FATAL = re.compile(r"\b(?:fatal|catastrophic) error\b")
INCLUDE_LINE = re.compile(rb"\s*#\s*(?:include|import)\b")
Tool = TypeVar("Tool", Nvcc, Nvrtc)


@dataclass(frozen=True, slots=True)
class CompileJob:
    """A file to compile: its name, exactly the bytes that are compiled, the kernel to look for, and how.

    The `headers` are the course's. `template` has the arguments with which a kernel template is to be instantiated.
    The kernels `before` are launched before the other one.
    """

    name: str
    content: bytes
    kernel: str
    flags: tuple[str, ...]
    architecture: str
    limits: Limits
    template: str = ""
    headers: tuple[Header, ...] = ()
    before: tuple[str, ...] = ()

    @property
    def instance(self) -> str:
        """The kernel with its template arguments; nothing for a file without such a template."""
        has_one = self.template and is_template(self.content, self.kernel)
        return f"{scope(self.content, self.kernel)}{self.kernel}<{self.template}>" if has_one else ""


@dataclass(frozen=True, slots=True)
class Setup(Generic[Tool]):
    """What all runs of a compiler for a file share: it runs confined, in a fresh folder of the box."""

    compiler: Tool
    job: CompileJob
    folder: Path
    confinement: Confinement


def lay_out(job: CompileJob, content: bytes, folder: Path) -> None:
    """Write the submission into a fresh folder, and the course's headers where the compiler looks for them."""
    (folder / job.name).write_bytes(content)
    for header in job.headers:
        path = folder / (OF_C if header.name.removesuffix(".h") in C_HEADERS else HEADERS) / header.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(header.content)
    if job.headers:
        (folder / BESIDE).mkdir()


def header_folders(job: CompileJob, folder: Path) -> tuple[str, ...]:
    """Return the flags for these headers, and for those that a submission includes as "../include/…"."""
    return tuple(f"-I{folder / place}" for place in (HEADERS, BESIDE)) if job.headers else ()


@dataclass(frozen=True, slots=True)
class Image:
    """What a compiler made of a file.

    `declarations` are those of its kernels that are extern "C", as a demangler writes functions. The log holds all that
    was printed, with what ptxas says about registers. `local_arrays` are those that PTX merges, as far as they are
    known.
    """

    ptx: str
    cubin: bytes
    declarations: tuple[str, ...]
    log: str
    local_arrays: tuple[LocalArray, ...] = ()


def kept_image(box: Path, key: str) -> Image | None:
    """Return the image that was kept for a key; None if there is none, or it is damaged."""
    if not (kept := files.find(box, f"{key}.image")):
        return None
    try:
        words = json.loads(zlib.decompress(kept))
        cubin, declarations = base64.b64decode(words["cubin"]), tuple(words["declarations"])
        arrays = tuple(LocalArray(**each) for each in words["local_arrays"])
        return Image(words["ptx"], cubin, declarations, words["log"], arrays)
    except (ValueError, KeyError, TypeError, zlib.error):
        return None


def keep_image(box: Path, key: str, image: Image) -> None:
    """Leave an image for the judge to keep."""
    words = {**asdict(image), "cubin": base64.b64encode(image.cubin).decode()}
    files.add(box, f"{key}.image", zlib.compress(json.dumps(words).encode(), 1))


def kept_error(box: Path, key: str) -> CompileFinding | None:
    """Return the error that was kept for a key; None if there is none, or it is damaged."""
    kept = files.find(box, f"{key}.error")
    try:
        answer = decode_answer(kept.decode()) if kept else None
    except ValueError:
        return None
    return answer.finding if isinstance(answer, Compiled) else None


def keep_error(box: Path, key: str, finding: CompileFinding, job: CompileJob) -> None:
    """Leave an error for the judge to keep, so that the same file is not compiled again to find the same mistake.

    What the machine may be the reason for is not kept: a header that is missing now, a full disk, a limit of time.
    """
    if isinstance(finding, LaunchMistake | TooMuchShared) or _is_of_the_file(finding, job):
        files.add(box, f"{key}.error", encode(Compiled(finding=finding)).encode())


def _is_of_the_file(finding: CompileFinding, job: CompileJob) -> bool:
    lines = [b"", *job.content.splitlines()]
    if not isinstance(finding, CompilerError) or not 0 < finding.line < len(lines):
        return False
    return not INCLUDE_LINE.match(lines[finding.line]) and FATAL.search(finding.log) is None
