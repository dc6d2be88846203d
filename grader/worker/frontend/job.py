"""The input of a compiler, and its output."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grader.model import Header, Limits
from grader.ptxsim.records.fields import LocalArray
from grader.worker.frontend.instances import is_template, scope

INCLUDE = Path(__file__).parents[2] / "include"  # lab.h

HEADERS, BESIDE = "course", "course/.submission"  # folders of a compilation
OF_C = "course/.c"  # headers that are found in quotation marks only: <time.h> is another
C_HEADERS = {"assert", "complex", "ctype", "errno", "float", "limits", "locale", "math", "signal", "stddef", "stdint",
             "stdio", "stdlib", "string", "time", "wchar"}  # fmt: skip


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
