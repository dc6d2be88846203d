"""Which files a submission makes nvcc read, checked before any of the compiler's output is shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from grader.contract.limit_faults import compiler_stopped
from grader.errors import SubmissionError
from grader.host.process import Exit, run
from grader.model import Fault, Limits, Verdict

PREPROCESSOR_ERROR = re.compile(r"^(?P<file>[^\s:]+):(?P<line>\d+):\d+: (?:fatal )?error: (?P<text>.*)$", re.MULTILINE)
LINE_DIRECTIVE = re.compile(r"^[ \t]*(?:#|%:)[ \t]*(?:line\b|\d)", re.MULTILINE)
SYSTEM_INCLUDES = (Path("/usr/include"), Path("/usr/lib"), Path("/usr/local/include"))


def refuse_foreign_includes(
    source: Path, base: Sequence[str | Path], headers: list[Path], limits: Limits, box: Path
) -> None:
    """Refuse files other than the headers in `headers` and the system's. Raises SubmissionError.

    `base` is the compiler's command without input and output. An error message quotes the file that it is about, so
    this comes before any of the compiler's output is shown.
    """
    if directive := LINE_DIRECTIVE.search(source.read_text("utf-8")):
        line = source.read_text("utf-8").count("\n", 0, directive.start()) + 1
        raise _fault("A #line directive is not allowed: messages would name the wrong lines.", "Remove it.", line)
    command = [*base, "-M", "-Xcompiler", "-fno-diagnostics-show-caret", source]
    ended = run(command, cwd=box, seconds=limits.compile_seconds, memory_mib=limits.memory_mib)
    output = ended.text
    if ended.code != 0:
        raise _preprocessor_fault(ended, output, source, limits)
    roots = [*headers, *SYSTEM_INCLUDES, source.resolve()]
    for word in output.replace("\\\n", " ").split(":", 1)[-1].split():
        path = (box / word).resolve()
        if not any(path.is_relative_to(root) for root in roots):
            raise _fault(f'It includes "{path}", which is not a header that a kernel may use.',
                         "Include lab.h and the headers of CUDA and C++ only.")  # fmt: skip


def _preprocessor_fault(ended: Exit, output: str, source: Path, limits: Limits) -> SubmissionError:
    """The first error in the submission's own lines, and nothing of the content of other files."""
    if ended.stopped:
        return SubmissionError(compiler_stopped(ended.stopped, limits))
    for match in PREPROCESSOR_ERROR.finditer(output):
        if Path(match["file"]) == source:
            sentence = f"It does not compile: {match['text']}"
            return _fault(sentence, "Submit one file that includes none of your other files.", int(match["line"]))
    return _fault("It does not compile: an include or a macro is wrong.", "Include lab.h and standard headers only.")


def _fault(sentence: str, hint: str, line: int | None = None) -> SubmissionError:
    return SubmissionError(Fault(Verdict.COMPILE_ERROR, sentence, hint, line))
