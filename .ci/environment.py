"""Make .venv, and say in plain lines what is done, what is left, and about how long it takes.

    python3 .ci/environment.py [--compiler] [--cuda]

Uses the standard library only, because it runs before anything is installed.
"""

from __future__ import annotations

import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

PYTHON = ".venv/bin/python"
PIP = (PYTHON, "-u", "-m", "pip", "install", "--disable-pip-version-check", "--progress-bar=off")
# nvcc 13.0 to 13.2 do not compile the headers of glibc 2.42 and later, nor start g++ 16.
NEW_GLIBC = (2, 42)
PINNED = re.compile(r"^[\w.-]+(\[[\w,]+\])?==", re.MULTILINE)
FETCHED = re.compile(r"(?:Collecting|Requirement already satisfied:) ")
IN_MINUTES = 90  # seconds, from which on a duration is said in minutes
LOUD_EVERY = 10.0  # seconds between two lines on one step
NETWORK = " Without a network connection, make one and run the same command again."
KEPT_LINES = 25  # of the output, to show if a step fails


@dataclass(frozen=True)
class Step:
    """A command, what it does, and the seconds that it takes on a machine with two CPU cores and 100 Mbit/s.

    `packages` is their number in the lock file; `optional` is the sentence for a step that may fail.
    """

    words: str
    seconds: int
    command: tuple[str, ...]
    packages: int = 0
    optional: str = ""


def steps(options: Sequence[str], root: Path, extra: str = "cuda") -> list[Step]:
    """Return the steps for these options. `root` is the folder of the lock files, `extra` the libraries for the GPU."""
    packages = _locked("requirements.lock", root)
    every = [
        Step("creating .venv", 5, (sys.executable, "-m", "venv", ".venv")),
        _install("Python packages", 75, "requirements.lock", packages),
        Step("installing the grader", 5, (*PIP, "--no-deps", "--no-build-isolation", "--editable", ".")),
    ]
    if "--compiler" in options:
        words = "NVIDIA's compiler from PyPI, under the CUDA Toolkit EULA (105 to 130 MB)"
        lock = compiler_lock(platform.libc_ver()[1])
        every.append(_install(words, 20, lock, _locked(lock, root)))
    if "--cuda" in options and extra:
        optional = "That failed, so grades run on the simulator; `.venv/bin/grade doctor` says what is missing."
        lock = f"requirements-{extra}.lock"
        words = f"PyCUDA, built for the GPU of this machine, and cuBLAS (the extra {extra})"
        every.append(_install(words, 150, lock, _locked(lock, root), optional))
    return every


def compiler_lock(glibc: str) -> str:
    """Return the lock file of the compiler for this version of glibc, which is empty where the C library is another."""
    is_new = tuple(int(part) for part in glibc.split(".") if part.isdigit()) >= NEW_GLIBC
    return f"requirements-compiler{'-newest' if is_new else ''}.lock"


def run(every: Sequence[Step], say: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> int:
    """Run the steps, and return the exit status of the first that fails and is not optional."""
    total = sum(step.seconds for step in every)
    say(f"Setting up .venv, once: {len(every)} steps, about {duration(total)}.")
    start = clock()
    for number, step in enumerate(every, 1):
        left = sum(later.seconds for later in every[number - 1 :])
        pace = max(1.0, (clock() - start) / (total - left)) if number > 1 else 1.0  # of this machine
        say(f"[{number}/{len(every)}] {step.words}; about {duration(pace * left)} left")
        began = clock()
        status = _show(step, say, clock)
        if status and not step.optional:
            say(f"That failed, and the lines above say why.{NETWORK if step.packages else ''}")
            return status
        say(f"      {step.optional if status else f'done in {clock() - began:.0f} s'}")
    return 0


def duration(seconds: float) -> str:
    """Return the time in words, rounded up to ten seconds or to a whole minute."""
    if seconds < IN_MINUTES:
        return f"{-(-seconds // 10) * 10:.0f} s"
    return f"{-(-seconds // 60):.0f} minutes"


def _install(words: str, seconds: int, lock: str, packages: int, optional: str = "") -> Step:
    return Step(f"installing {words}", seconds, (*PIP, "--require-hashes", "-r", lock), packages, optional)


def _locked(lock: str, root: Path) -> int:
    """Return the number of packages that a lock file pins; some are for other systems."""
    return len(PINNED.findall((root / lock).read_text()))


def _show(step: Step, say: Callable[[str], None], clock: Callable[[], float]) -> int:
    """Run the command of a step with a line every ten seconds, and its last lines if it fails."""
    with subprocess.Popen(step.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        last = _follow(process.stdout or (), step, say, clock)
    if process.returncode:
        say("\n".join(last))
    return process.returncode


def _follow(output: Iterable[str], step: Step, say: Callable[[str], None], clock: Callable[[], float]) -> list[str]:
    """Say how far a step is, and return the last lines of its output."""
    lines: list[str] = []
    fetched, said, unpacking = 0, clock(), False
    for line in output:
        lines = [*lines[1 - KEPT_LINES :], line.rstrip()]
        fetched += FETCHED.match(line) is not None
        unpacking = unpacking or line.startswith("Installing collected")
        if clock() - said >= LOUD_EVERY and step.packages:
            said = clock()
            say("      unpacking" if unpacking else f"      {fetched} of at most {step.packages} packages fetched")
    return lines


def main() -> int:
    """Make the environment, and return the exit status."""
    if sys.version_info < (3, 11):  # noqa: UP036 - it runs before anything requires a version
        sys.stderr.write(
            f"Python 3.11 or newer is needed, and this is {sys.version.split()[0]}. "
            "If you have one, name it: make grade PYTHON=python3.12\n"
        )
        return 2
    sys.path.insert(0, str(Path.cwd()))
    from grader.host import cuda_versions  # of the standard library only

    gpu = cuda_versions.read() if "--cuda" in sys.argv else None
    extra = cuda_versions.fitting_extra(gpu)
    if gpu and not extra:
        fits = cuda_versions.fitting(gpu)
        say(f"Grades run on the simulator: the GPU ({gpu.architecture}) and its driver take {fits}.")
    return run(steps(sys.argv[1:], Path(), extra), say)


def say(line: str) -> None:
    """Print a line at once."""
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
