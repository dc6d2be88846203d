"""Runs the command as a user does, and returns its output, its exit status and the files that it writes.

In this process and with workers in it, which takes a tenth of the time, or else in a process of its own.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import psutil
import pytest
from click.testing import CliRunner

from grader.batch.run import job
from grader.batch.run.engine import OnStart
from grader.batch.run.job import Job, JobOutcome
from grader.cli import batch, early_start, main
from grader.errors import InfrastructureError
from grader.host import interpreter, interrupts
from grader.judge.conditions import Conditions
from grader.model import Report
from grader.report import json_document
from grader.sandbox import launchers
from grader.study.measure import sweep
from tests import lab
from tests.kept_answers import start_kept

PROGRAM = "grade"
OF_A_TERMINAL = ("COLUMNS", "FORCE_COLOR")
COMMAND = (sys.executable, "-m", "grader")

PATIENCE = 100  # seconds to wait for what comes soon, except on a machine with other work
# An interrupt can fall between the opening of a file and the `with` that closes it, of which Python may warn then.
INTERRUPTIBLE = "error,ignore::ResourceWarning"
COMPUTES_SECONDS = 1.5  # more than a worker needs to start, to compile and to check a kernel that ends


@dataclass(frozen=True)
class Ended:
    status: int
    stdout: str
    stderr: str

    @property
    def words(self) -> str:
        """All output, without the line breaks of tables and terminals."""
        return " ".join(f"{self.stdout} {self.stderr}".split())


@dataclass(frozen=True)
class Desk:
    folder: Path

    @property
    def temporary(self) -> Path:
        return self.folder / "tmp"

    @property
    def output(self) -> Path:
        return self.folder / "report"

    def write(self, text: str | bytes, name: str = "mine.cu") -> Path:
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def grade(self, *words: str | Path, **environment: str) -> Ended:
        """Run the command in this process. What it remembers of the machine is not read again for an environment."""
        with self._here(environment):
            ended = CliRunner().invoke(main, list(map(str, words)), prog_name=PROGRAM, catch_exceptions=False)
        return Ended(ended.exit_code, ended.stdout, ended.stderr)

    def grade_apart(self, *words: str | Path, **environment: str) -> Ended:
        """Run the command in a process of its own, with confined workers."""
        process = self.start(*words, **environment)
        stdout, stderr = process.communicate(timeout=2 * PATIENCE)
        ended = Ended(process.returncode, stdout, stderr)
        assert "Traceback" not in ended.words
        return ended

    def start(self, *words: str | Path, **environment: str) -> subprocess.Popen[str]:
        inherited = {name: value for name, value in os.environ.items() if name not in OF_A_TERMINAL}
        return subprocess.Popen(
            [*COMMAND, *words],
            cwd=self.folder,
            env={**inherited, "TMPDIR": str(self.temporary), "PYTHONWARNINGS": "error", **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            preexec_fn=heed_signals,  # noqa: PLW1509 - the tests start no threads
        )

    def run(self, submission: Path, *words: str | Path, **limits: Any) -> Ended:
        """Grade on the simulator in the small lab."""
        return self.grade(*self.run_words(submission, *words, **limits))

    @contextmanager
    def _here(self, environment: dict[str, str]) -> Iterator[None]:
        temporary = str(self.temporary)
        with patch.dict(os.environ, TMPDIR=temporary, **environment), pytest.MonkeyPatch.context() as patched:
            patched.chdir(self.folder)
            for name in OF_A_TERMINAL:
                patched.delenv(name, raising=False)
            patched.setattr(tempfile, "tempdir", temporary)
            patched.setattr(interrupts, "handle", lambda: None)
            patched.setattr(interpreter, "shorten_switch_interval", lambda: None)
            patched.setattr(early_start, "begin", lambda _: None)
            patched.setattr(launchers, "start_process", start_kept)
            patched.setattr(sweep, "Conditions", partial(Conditions, start=start_kept))
            patched.setattr(batch, "_grade_all", lambda _backend, _workers, _scheduler, *given: _grade_all_here(*given))
            yield

    def run_words(self, submission: Path, *words: str | Path, **limits: Any) -> tuple[str | Path, ...]:
        small = lab.write_rubric(self.folder, **limits)
        return ("run", submission, "--rubric", small, "--backend", "simulator", "--output", self.output, *words)

    def report(self) -> Report | None:
        """The report, which must keep to its schema, if there is one."""
        path = self.output / "report.json"
        return json_document.REPORT.read(path) if path.exists() else None

    def strays(self) -> list[str]:
        """The command lines of the grader's processes that still run after a while: each is in a box."""
        wait_until(lambda: not self._command_lines())
        return self._command_lines()

    def boxes(self) -> list[Path]:
        return list(self.temporary.iterdir())

    def runs_a_kernel(self) -> bool:
        return bool(self.kernels())

    def kernels(self) -> list[psutil.Process]:
        """The workers that have computed for some seconds, because their kernels do not end."""
        return [process for process in psutil.process_iter() if self._computes_long(process)]

    def _computes_long(self, process: psutil.Process) -> bool:
        line = self._command(process)
        if "grader.worker" not in line:
            return False
        try:
            return process.cpu_times().user > COMPUTES_SECONDS
        except psutil.Error:
            return False

    def _command(self, process: psutil.Process) -> str:
        try:
            line = " ".join([*process.cmdline(), f"{process.cwd()}/"])
        except psutil.Error:
            return ""
        return line if f"{self.temporary}/" in line else ""

    def _command_lines(self) -> list[str]:
        return [line for line in map(self._command, psutil.process_iter()) if line]


def _grade_all_here(jobs: Sequence[Job], on_start: OnStart) -> Iterator[tuple[Job, JobOutcome]]:
    job._worker_host.cache_clear()
    for asked in jobs:
        on_start(asked, "worker 1")
        try:
            yield asked, job.grade_job(asked)
        except InfrastructureError as error:
            yield asked, error
    job._worker_host.cache_clear()


def wait_until(condition: Callable[[], object], seconds: float = PATIENCE) -> bool:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return bool(condition())


def heed_signals() -> None:
    """Restore the default signals, which tests in the background or under nohup would pass on as ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
