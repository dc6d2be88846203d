"""Workers in this process that repeat what the same code answered to the same requests, kept in the grader's cache.

An answer depends on all requests and files that the worker has had, and on the modules that a worker may import. So an
edit of these runs every kernel again, and an edit elsewhere, of the judge or an explanation, runs none.
"""

import os
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np

import grader
from grader.contract import files
from grader.contract.messages import Answerable, Check, CountAccesses
from grader.host import cache as host_cache
from grader.host.process import Running
from grader.model import Backend, Limits, Purpose
from grader.ptxsim.engine import native
from grader.worker.main import Service
from tests.launcher import Here

PACKAGE = Path(grader.__file__).parent
OF_WORKERS = ("contract", "host", "include", "model", "ptxsim", "worker")  # and errors.py: tests/test_architecture.py
OF_TIME = ("OutOfTime", "TooSlow", '"timed_out": true', "Broken")  # what another run may answer differently
MOST_BYTES = 4 << 20  # of an answer with its matrices, compressed; a larger one is computed each time


@cache
def code() -> str:
    """The hash of all that answers."""
    folders = [host_cache.sources(PACKAGE / name) for name in OF_WORKERS]
    return host_cache.key(*folders, (PACKAGE / "errors.py").read_bytes(), native.identity(), np.__version__)


@dataclass
class KeptAnswers(Here):
    """A worker whose answers are kept. `passed` are the requests that it has not carried out itself."""

    passed: list[Answerable] = field(default_factory=list)
    left: set[str] = field(default_factory=set)  # names of what it has answered, which the judge removes
    known: str = ""  # the hash of all that it was given

    def answer(self, request: Answerable) -> None:
        """Repeat a kept answer, or carry out the request and keep the answer."""
        before = self._files()
        given = (part for name, content in before.items() if name not in self.left for part in (name, content))
        self.known = host_cache.key(self.known or code(), *given)
        if not isinstance(request, Check | CountAccesses):
            self._carry_out(request)
        elif kept := host_cache.read(f"{self.known}/answer"):
            self._repeat(kept, request)
        else:
            self._carry_out(request)
            self._keep({name: content for name, content in self._files().items() if before.get(name) != content})

    def _files(self) -> dict[str, bytes]:
        """What is in the box, but for folders of compiled code."""
        found: dict[str, bytes] = {}
        for folder, inner, names in os.walk(self.service.box):
            inner[:] = [name for name in inner if name not in (files.GIVEN, files.ADDED)]
            below = Path(folder).relative_to(self.service.box)
            found |= {str(below / name): Path(folder, name).read_bytes() for name in names}
        return dict(sorted(found.items()))

    def _carry_out(self, request: Answerable) -> None:
        """Answer, after what was passed before: a kernel may leave something for the next launch."""
        self.service.answered -= len(self.passed)
        for each in (*self.passed, request):
            self.service.answer(each)
        self.passed.clear()

    def _repeat(self, kept: bytes, request: Answerable) -> None:
        self.passed.append(request)
        self.service.answered += 1
        archive = ZipFile(BytesIO(kept))
        archive.extractall(self.service.box)
        self.left.update(archive.namelist())

    def _keep(self, left: dict[str, bytes]) -> None:
        self.left.update(left)
        said = left[f"answer-{self.service.answered}.json"].decode()
        if any(word in said for word in OF_TIME):
            return
        archive = BytesIO()
        with ZipFile(archive, "w", ZIP_DEFLATED, compresslevel=1) as writing:
            for name, content in left.items():
                writing.writestr(name, content)
        if archive.tell() <= MOST_BYTES:
            host_cache.write(f"{self.known}/answer", archive.getvalue())


def start_kept(box: Path, backend: Backend, _limits: Limits, purpose: Purpose) -> Running:
    return KeptAnswers(Service.begun(box, backend, purpose))
