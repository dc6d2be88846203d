"""Turn what nvcc printed into a fault. Pure."""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass

from grader.contract.limit_faults import compiler_stopped
from grader.errors import SubmissionError
from grader.host.stopped import Stopped
from grader.model import Fault, Limits, Verdict
from grader.worker.frontend.launch_mistakes import launch_mistake
from grader.worker.frontend.missing_semicolons import missing_semicolon
from grader.worker.frontend.running import Compilation

LOG_BYTES = 16384
MAX_STATIC_SHARED = 48 << 10  # bytes of a block, on every GPU
NO_FILE = ": No such file or directory"
ONE_FILE = "Submit one file that needs no other files of yours."
OF_TOOLKIT = "The CUDA toolkit here has no such header: is its name right, and does it belong to another version?"
LIBRARIES = ("cuda", "cub", "thrust", "cooperative_groups", "nv")  # folders of headers
LAB_H = "Write #include <lab.h>, in lower case."
MOST_QUOTED = 4096  # characters of a message and the source line below it
SHELL = 128  # a shell, and nvcc, end with this and the number of the signal that killed what they started
OUT_OF_TIME = {-signal.SIGXCPU, SHELL + signal.SIGXCPU}
KILLED = {SHELL + signal.SIGKILL, SHELL + signal.SIGXCPU}
FRONT_END_ERROR = re.compile(  # of cicc, which is the EDG front end
    r"^(?P<file>[^\s(]+)\((?P<line>\d+)\): (?:catastrophic )?error(?: #[\w-]+)?: (?P<text>.*)$", re.MULTILINE
)
END_ERROR = re.compile(r"^At end of source: (?:catastrophic )?error(?: #[\w-]+)?: (?P<text>.*)$", re.MULTILINE)
ONLY_ERROR = re.compile(r"^1 error detected in the compilation of", re.MULTILINE)
PREPROCESSOR_ERROR = re.compile(
    r"^(?P<file>[^\s:]+):(?P<line>\d+)(?::\d+)?: (?:fatal )?error: (?P<text>.*)$", re.MULTILINE
)
# In a worker's own root directory, the files of the machine do not exist.
REFUSED_FILE = re.compile(
    r"^(?P<file>[^\s:(]+)[:(](?P<line>\d+).*error: (?:cannot open source file )?\"?"
    r"(?P<path>.+?(?=\"?: Permission denied$)|/.+?(?=\"?: No such file or directory$))",
    re.MULTILINE,
)
PTX_ERROR = re.compile(r"^ptxas [^\n]*, line (?P<line>\d+); (?:error|fatal)\s*: (?P<text>.*)$", re.MULTILINE)
PTXAS_ERROR = re.compile(r"^ptxas (?:error|fatal)\s*: (?P<text>.*)$", re.MULTILINE)
HOST_OUT_OF_TIME = re.compile(r"^\S+: internal compiler error: CPU time limit exceeded", re.MULTILINE)
TOO_MUCH_SHARED = re.compile(r"uses too much shared data \((0x[0-9a-f]+) bytes, 0x[0-9a-f]+ max\)")
LOCATION = re.compile(r"^[ \t]*\.loc\s+(\d+)\s+(\d{1,9})\b", re.MULTILINE)
FILE = re.compile(r'^[ \t]*\.file\s+(\d+)\s+"([^"\n]*)"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Failure:
    """A compilation without a result, and the PTX where it got so far."""

    ended: Compilation
    ptx: str = ""

    @property
    def log(self) -> str:
        return self.ended.output

    @property
    def limited(self) -> bool:
        """Whether a limit ended it, and not a mistake."""
        if self.ended.stopped is Stopped.OUTPUT:  # what it printed says what is wrong
            return False
        return self.ended.stopped is not Stopped.NO or was_killed(self.ended.code) or self.out_of_time

    @property
    def out_of_time(self) -> bool:
        stopped = self.ended.stopped is Stopped.PROCESSOR
        return stopped or self.ended.code in OUT_OF_TIME or HOST_OUT_OF_TIME.search(self.log) is not None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """The first error: where it starts in the log, the file it is in if the log names one, and the text."""

    at: int
    file: str
    line: int | None
    text: str


def first_diagnostic(log: str) -> Diagnostic | None:
    """The error that was printed first, whichever program printed it."""
    errors = [
        *(Diagnostic(m.start(), m["file"], int(m["line"]), m["text"]) for m in _first(FRONT_END_ERROR, log)),
        *(Diagnostic(m.start(), m["file"], int(m["line"]), m["text"]) for m in _first(PREPROCESSOR_ERROR, log)),
        *(Diagnostic(m.start(), "", None, f"{m['text']} at the end of the file") for m in _first(END_ERROR, log)),
        *(Diagnostic(m.start(), "", None, m["text"]) for m in _first(PTX_ERROR, log)),
        *(Diagnostic(m.start(), "", None, m["text"]) for m in _first(PTXAS_ERROR, log)),
    ]
    return min(errors, key=lambda error: error.at, default=None)


def explain(failure: Failure, name: str, limits: Limits, content: bytes = b"") -> SubmissionError:
    """Explain to the author of the file `name` with this `content` why there is no kernel."""
    log = failure.log
    if failure.limited:
        return _limited(failure, limits)
    if refused := REFUSED_FILE.search(log):
        return refused_include(refused["path"], int(refused["line"]) if is_file(refused["file"], name) else None)
    if shared := TOO_MUCH_SHARED.search(log):
        return too_much_shared(int(shared[1], 16), log)
    first = first_diagnostic(log)
    if first is None and failure.ended.stopped is Stopped.OUTPUT:
        return SubmissionError(compiler_stopped(Stopped.OUTPUT, limits, log[:LOG_BYTES]))
    if first is None:
        text = log.strip().splitlines()[0][:400] if log.strip() else "the compiler gave no reason"
        return fault(f"It does not compile: {text}", "Fix the first error first.", log=log)
    return _of_diagnostic(failure, first, name, content)


def _of_diagnostic(failure: Failure, first: Diagnostic, name: str, content: bytes) -> SubmissionError:
    log = failure.log
    line = first.line if is_file(first.file, name) else None
    if assembler := PTX_ERROR.match(log, first.at):
        line = submission_line(failure.ptx, int(assembler["line"]), name)
    quoted, _, marker = log[first.at : first.at + MOST_QUOTED].partition("\n")[2].partition("\n")
    if line and (mistake := launch_mistake(content, line, first.text, quoted)):
        return fault(mistake.sentence, mistake.hint, mistake.line)
    hint = missing_semicolon(content, line or 0, first.text, quoted, marker.partition("\n")[0])
    if not hint and ONLY_ERROR.search(log) is None:
        hint = "Fix the first error first: later ones often follow from it."
    if first.text.endswith(NO_FILE):
        hint = _missing(first.text.removesuffix(NO_FILE))
    return fault(f"It does not compile: {first.text[:400]}", hint, line, log)


def _missing(header: str) -> str:
    """Return what to try where a header is not found."""
    if header.casefold() == "lab.h":
        return LAB_H
    return OF_TOOLKIT if header.startswith(tuple(f"{folder}/" for folder in LIBRARIES)) else ONE_FILE


def refused_include(path: str, line: int | None) -> SubmissionError:
    """The sentence is the same whether the file is hidden, could not be opened or is in the list of includes.

    Without a line of the submission that asks for the file, the machine may be at fault.
    """
    sentence = f'It includes "{path}", which is not a header that a kernel may use.'
    return fault(sentence, "Include lab.h and the headers of CUDA and C++ only.", line)


def is_file(path: str, name: str) -> bool:
    """Whether a path in a message or in PTX is that of the submission."""
    return path.rpartition("/")[2] == name


def was_killed(code: int) -> bool:
    """Whether a signal ended it: minus its number for a process, 128 plus its number for a shell and nvcc."""
    return code < 0 or code in KILLED


def submission_line(ptx: str, ptx_line: int, name: str) -> int | None:
    """The line of the file `name` that a line of PTX was compiled from."""
    own_files = {number for number, path in FILE.findall(ptx) if is_file(path, name)}
    before = "\n".join(ptx.split("\n")[:ptx_line])
    lines = [int(line) for number, line in LOCATION.findall(before) if number in own_files]
    return lines[-1] if lines else None


def fault(sentence: str, hint: str, line: int | None = None, log: str = "") -> SubmissionError:
    """A compile error, with the beginning of the log."""
    return SubmissionError(Fault(Verdict.COMPILE_ERROR, sentence, hint, line, log[:LOG_BYTES]))


def _limited(failure: Failure, limits: Limits) -> SubmissionError:
    timed_out = failure.out_of_time or failure.ended.seconds >= limits.compile_seconds
    stopped = Stopped.TIME if timed_out else Stopped.MEMORY
    return SubmissionError(compiler_stopped(stopped, limits, failure.log[:LOG_BYTES]))


def too_much_shared(used: int, log: str) -> SubmissionError:
    """Return the fault of arrays that are too large, which ptxas refuses from CUDA 13 on and the driver before."""
    return SubmissionError(Fault(
        Verdict.LAUNCH_FAILED,
        f"The kernel declares {used} bytes of static shared memory, but a block may have only {MAX_STATIC_SHARED}.",
        "Use smaller tiles, or dynamic shared memory (extern __shared__ and LAUNCH(.shared = bytes)).",
        detail=log[:LOG_BYTES],
    ))  # fmt: skip


def _first(pattern: re.Pattern[str], log: str) -> list[re.Match[str]]:
    match = pattern.search(log)
    return [match] if match else []
