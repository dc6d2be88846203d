"""A compilation: what is compiled, how the compiler runs, confined and within limits, and what a box keeps of it."""

from __future__ import annotations

import base64
import json
import os
import re
import resource
import signal
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Generic, TypeVar

from grader.contract import files
from grader.contract.encoding import decode_answer, encode
from grader.contract.messages import Compiled
from grader.errors import HANG_HINT, SCARCE_HINT, InfrastructureError
from grader.host import granted
from grader.host.compilers import Nvcc, Nvrtc
from grader.host.confinement.mechanism import Confinement, Rules, confine
from grader.host.process import run
from grader.host.stopped import Stopped
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


MOST_OUTPUT = 1 << 20  # bytes; the log shows the first few thousand, and a compiler prints slowly
SHOWN = 1 << 18
KILLED = -signal.SIGKILL, 128 + signal.SIGKILL  # the status of a process, and that of nvcc if a part of it was
LONG_LINE = re.compile(rb"^(.{2000}).+$", re.MULTILINE)
BUSY, PATIENCE_SECONDS = 10, 60  # a busy machine may take this many times longer by the clock, plus these seconds
FLAG_VARIABLES = ("NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN")
PASSED_ON = ("PATH", "LD_LIBRARY_PATH", *FLAG_VARIABLES)


@dataclass(frozen=True, slots=True)
class Compilation:
    """How a compiler ended, and the CPU time that its processes took together."""

    code: int
    stopped: Stopped
    seconds: float
    output: str


def run_compiler(
    command: list[str],
    folder: Path,
    readable: tuple[Path, ...],
    limits: Limits,
    confinement: Confinement,
    variables: Mapping[str, str] | None = None,
) -> Compilation:
    """Run `command` in `folder`, the only one it may write, with more `variables` in its environment.

    Raises InfrastructureError if the machine was too busy to compile in time, or has no space or processes left.
    """
    rules = Rules(readable, (folder,), limits.compile_seconds)
    before = _children_seconds()
    ended = run(
        confine(command, rules, confinement),
        cwd=folder,
        seconds=BUSY * limits.compile_seconds + PATIENCE_SECONDS,
        processor_seconds=limits.compile_seconds,
        memory_mib=limits.memory_mib,
        output_bytes=MOST_OUTPUT,
        env={**_environment(folder), **(variables or {})},
    )
    if ended.stopped is Stopped.TIME:
        sentence = "The compiler did not finish, although it did not use up its CPU time."
        raise InfrastructureError(sentence, HANG_HINT)
    seconds = _children_seconds() - before
    if ended.code in KILLED and ended.stopped is Stopped.NO and seconds < limits.compile_seconds:
        sentence = "The compiler was killed, as the system does with programs when its memory is used up."
        raise InfrastructureError(sentence, SCARCE_HINT)
    if ended.code:
        granted.check_space(folder)
        granted.check_threads()
    text = shortened(ended.output).decode("utf-8", "replace").replace(f"{folder}/", "")
    return Compilation(ended.code, ended.stopped, seconds, text)


def shortened(output: bytes) -> bytes:
    """The beginning and the end of the output, in lines that every pattern searches quickly."""
    if len(output) > 2 * SHOWN:
        output = output[:SHOWN] + b"\n" + output[-SHOWN:]
    return LONG_LINE.sub(rb"\1", output)


def _environment(folder: Path) -> dict[str, str]:
    """Messages in English, temporary files in the box, and none of a CI job's secrets."""
    passed = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    own = {"LC_ALL": "C", "TMPDIR": str(folder), "CCACHE_DISABLE": "1"}  # a cache would be outside of the box
    return {"PATH": os.defpath, **passed, **own}


def _children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
