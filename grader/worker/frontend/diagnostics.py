"""Turn what nvcc printed into a finding. Pure."""

import re
import signal
from dataclasses import dataclass

from grader.contract.launch_limits import STATIC_SHARED
from grader.host.stopped import Stopped
from grader.model import Limits, diagnostics
from grader.worker.frontend.error_kinds import error_kind, missing_semicolon, similar, unclosed_brace
from grader.worker.frontend.running import Compilation
from grader.worker.frontend.source_text import launch_mistake

LOG_BYTES = 16384
NO_FILE = ": No such file or directory"
MOST_QUOTED = 4096  # characters of a message and the source line below it
SHELL = 128  # a shell, and nvcc, end with this and the number of the signal that killed what they started
CRASHES = {signal.SIGILL, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGSEGV}
FRONT_END_ERROR = re.compile(  # of cicc, which is the EDG front end
    r"^(?P<file>[^\s(]+)\((?P<line>\d+)\): (?:catastrophic )?error(?: #[\w-]+)?: (?P<text>.*)$", re.MULTILINE
)
QUOTED_LINE = re.compile(  # a message, the line that it is about, and a caret below it
    r"^(?P<message>(?P<file>[^\s(]+)\((?P<line>\d{1,9})\): [^\n]*\n(?:[ \t][^\n]*\n){0,6}?)"
    r"(?P<quoted>  [^\n]*)\n *\^ *$",
    re.MULTILINE,
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
ERRORS = FRONT_END_ERROR, PREPROCESSOR_ERROR, END_ERROR, PTX_ERROR, PTXAS_ERROR
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
        return self.ended.stopped is not Stopped.NO or signal_of(self.ended.code) == signal.SIGKILL or self.out_of_time

    @property
    def out_of_time(self) -> bool:
        stopped = self.ended.stopped is Stopped.PROCESSOR
        return stopped or signal_of(self.ended.code) == signal.SIGXCPU or HOST_OUT_OF_TIME.search(self.log) is not None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """The first error: where it starts in the log, the file it is in if the log names one, and the text."""

    at: int
    file: str
    line: int | None
    text: str


def first_diagnostic(log: str) -> Diagnostic | None:
    """The error that was printed first, whichever program printed it."""
    found = min(filter(None, (pattern.search(log) for pattern in ERRORS)), key=re.Match.start, default=None)
    if found is None:
        return None
    groups = found.groupdict()
    line = int(groups["line"]) if "file" in groups else None
    text = f"{found['text']} at the end of the file" if found.re is END_ERROR else found["text"]
    return Diagnostic(found.start(), groups.get("file", ""), line, text)


def finding(failure: Failure, name: str, limits: Limits, content: bytes = b"") -> diagnostics.CompileFinding:
    """Return why there is no kernel in the file `name` with this `content`."""
    log = failure.log
    if failure.limited:
        timed_out = failure.out_of_time or failure.ended.seconds >= limits.compile_seconds
        return diagnostics.CompilerStopped("time" if timed_out else "memory", log[:LOG_BYTES])
    if refused := REFUSED_FILE.search(log):
        return diagnostics.RefusedInclude(
            refused["path"][:MOST_QUOTED], int(refused["line"]) if is_file(refused["file"], name) else 0
        )
    if shared := TOO_MUCH_SHARED.search(log):
        return too_much_shared(int(shared[1], 16), log)
    first = first_diagnostic(log)
    if first is None and failure.ended.stopped is Stopped.OUTPUT:
        return diagnostics.CompilerStopped("output", log[:LOG_BYTES])
    if first is None:
        ended_by = signal_of(failure.ended.code)
        said = f"the compiler itself crashed ({signal.strsignal(ended_by)})" if ended_by in CRASHES else ""
        return diagnostics.CompilerError(said, 0, log[:LOG_BYTES])
    return _of_diagnostic(failure, first, name, content)


def _of_diagnostic(failure: Failure, first: Diagnostic, name: str, content: bytes) -> diagnostics.CompileFinding:
    log = failure.log
    line = first.line or 0 if is_file(first.file, name) else 0
    if assembler := PTX_ERROR.match(log, first.at):
        line = submission_line(failure.ptx, int(assembler["line"]), name)
    quoted, _, marker = log[first.at : first.at + MOST_QUOTED].partition("\n")[2].partition("\n")
    if line and (mistake := launch_mistake(content, line, first.text, quoted)):
        return mistake
    kind, symbol = error_kind(first.text[:MOST_QUOTED], quoted)
    has_open_brace = kind in {diagnostics.ErrorKind.INSIDE_FUNCTION, diagnostics.ErrorKind.UNCLOSED}
    return diagnostics.CompilerError(
        first.text[:MOST_QUOTED],
        line,
        in_own_words(log[:LOG_BYTES], name, content),
        kind=kind,
        symbol=symbol,
        similar=similar(symbol, content, line) if kind is diagnostics.ErrorKind.UNDEFINED else "",
        opened=unclosed_brace(content) if has_open_brace else 0,
        is_only=ONLY_ERROR.search(log) is not None,
        unfinished=missing_semicolon(content, line, first.text, quoted, marker.partition("\n")[0]),
        missing=first.text.removesuffix(NO_FILE)[:MOST_QUOTED] if first.text.endswith(NO_FILE) else "",
    )


def in_own_words(log: str, name: str, content: bytes) -> str:
    """The log with the lines that the student wrote where the compiler prints what macros make of them."""
    source = content.decode("utf-8", "replace").splitlines()

    def own(printed: re.Match[str]) -> str:
        number = int(printed["line"])
        if not is_file(printed["file"], name) or not 0 < number <= len(source):
            return printed[0]
        own_line = source[number - 1].strip()
        if "".join(own_line.split()) == "".join(printed["quoted"].split()):
            return printed[0]
        return f"{printed['message']}  {own_line}"

    return QUOTED_LINE.sub(own, log)


def is_file(path: str, name: str) -> bool:
    """Whether a path in a message or in PTX is that of the submission."""
    return path.rpartition("/")[2] == name


def signal_of(code: int) -> int:
    """Return the signal in an exit status: minus its number of a process, 128 plus its number of a shell and nvcc."""
    return -code if code < 0 else max(0, code - SHELL)


def submission_line(ptx: str, ptx_line: int, name: str) -> int:
    """The line of the file `name` that a line of PTX was compiled from; 0 where none is known."""
    own_files = {number for number, path in FILE.findall(ptx) if is_file(path, name)}
    before = "\n".join(ptx.split("\n")[:ptx_line])
    lines = [int(line) for number, line in LOCATION.findall(before) if number in own_files]
    return lines[-1] if lines else 0


def too_much_shared(used: int, log: str) -> diagnostics.TooMuchShared:
    """Return the finding of arrays that are too large, which ptxas refuses from CUDA 13 on and the driver before."""
    return diagnostics.TooMuchShared(used, STATIC_SHARED, log[:LOG_BYTES])
