"""Compile errors in a worker's box, so that the same file is not compiled again to find the same mistake.

What the machine may be the reason for is not kept: a header that is missing now, a full disk, a limit of time.
"""

from __future__ import annotations

import re
from pathlib import Path

from grader.contract import box_cache
from grader.contract.encoding import decode_answer, encode_answer
from grader.contract.messages import Compiled
from grader.model.diagnostics import CompileFinding, CompilerError, LaunchMistake, TooMuchShared
from grader.worker.frontend.job import CompileJob

# A fatal error is about a file that cannot be read or written. One at an #include may be the header's.
FATAL = re.compile(r"\b(?:fatal|catastrophic) error\b")
INCLUDE = re.compile(rb"\s*#\s*include\b")


def find(box: Path, key: str) -> CompileFinding | None:
    """Return the error that was kept for a key; None if there is none, or it is damaged."""
    kept = box_cache.find(box, f"{key}.error")
    try:
        answer = decode_answer(kept.decode()) if kept else None
    except ValueError:
        return None
    return answer.finding if isinstance(answer, Compiled) else None


def add(box: Path, key: str, finding: CompileFinding, job: CompileJob) -> None:
    """Leave an error for the judge to keep, if the file's own lines are the reason for it."""
    if isinstance(finding, LaunchMistake | TooMuchShared) or _is_of_the_file(finding, job):
        box_cache.add(box, f"{key}.error", encode_answer(Compiled(finding=finding)).encode())


def _is_of_the_file(finding: CompileFinding, job: CompileJob) -> bool:
    lines = [b"", *job.content.splitlines()]
    if not isinstance(finding, CompilerError) or not 0 < finding.line < len(lines):
        return False
    return not INCLUDE.match(lines[finding.line]) and FATAL.search(finding.log) is None
