"""Checked launches under compute-sanitizer: each tool watches a process of its own, all of them concurrently."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from grader.contract import encoding
from grader.contract.messages import SEARCH_SECONDS, Check, Checked
from grader.host import timeline
from grader.host.atomic_write import write_in_hostile_folder
from grader.host.process import Exit, run
from grader.host.stopped import Stopped
from grader.model.watched import NotWatched, Tolerated, Watched
from grader.ptxsim.records.traced import NotSearched
from grader.worker.backend import Runner
from grader.worker.cuda.sanitizer_records import (
    REQUEST,
    Matrices,
    Record,
    RecordKind,
    Tool,
    is_unset_c,
    pointers_file,
    read_records,
    watched,
)

MOST_RECORDS = 40  # of a tool, which needs some 15 ms for each
MOST_PRINTED = 2 << 20  # bytes: the device's buffer for printf holds 1 MiB
OPTIONS = ("--xml", f"--print-limit={MOST_RECORDS}", "--show-backtrace=device",
           "--target-processes=application-only")  # fmt: skip
OF_TOOL = {
    Tool.MEMCHECK: ("--padding=1048576",),  # bytes between two matrices: an access beside one is not in the next
    Tool.RACECHECK: ("--racecheck-report=hazard",),  # which names the threads
}
NOT_WATCHED = b"Internal Sanitizer Error"  # in the log of a tool that could not watch the launch
# In the PTX that a cubin has with its lines. After such a barrier, racecheck reports races of threads that wait for it.
ARRIVES = re.compile(rb"\bbar(rier(\.cta)?)?\.arrive\b")


@dataclass(frozen=True, slots=True)
class Ran:
    """What a tool has recorded. `problem` says why it watched no launch; None if it did.

    `finished` says whether the kernel ran to its end. `pointers` are those of `pointers_file`.
    """

    records: Sequence[Record]
    pointers: Mapping[str, int]
    finished: bool
    problem: NotWatched | None


class Sanitizer(Runner):
    """Runs checked launches. `program` is compute-sanitizer."""

    def __init__(self, program: Path) -> None:
        self.program = program

    def check(self, request: Check, box: Path) -> Checked:
        """Run a case under every tool."""
        write_in_hostile_folder(box / REQUEST, encoding.encode(request).encode(), 0o644)
        arrives = request.build is not None and ARRIVES.search((box / request.build.artifact).read_bytes())
        tools = [tool for tool in Tool if not (arrives and tool is Tool.RACECHECK)]
        with ThreadPoolExecutor(len(tools)) as pool:
            ran = dict(zip(tools, pool.map(partial(self._watch, box), tools), strict=True))
        answer = _answer(request, ran)
        return replace(answer, remarks=(*answer.remarks, NotSearched())) if arrives else answer

    def _watch(self, box: Path, tool: Tool) -> Ran:
        saved, log = box / f"{tool}.xml", box / f"{tool}.log"
        for path in (saved, log):
            path.unlink(missing_ok=True)
        files = ["--save", saved, "--log-file", log]
        launch = [sys.executable, "-m", "grader.worker.cuda.sanitizer_launch", box, tool]
        command = [self.program, f"--tool={tool}", *OPTIONS, *OF_TOOL.get(tool, ()), *files, *launch]
        with timeline.span(str(tool)):
            ended = run(command, cwd=box, seconds=SEARCH_SECONDS, output_bytes=MOST_PRINTED)
        try:
            records, pointers = read_records(saved), json.loads(pointers_file(box, tool).read_text())
            not_watched = NOT_WATCHED in log.read_bytes()
        except (OSError, ValueError):  # it ended before it saved anything
            records, pointers, not_watched = [], {}, True
        finished = ended.code == 0 and not ended.stopped
        searched = not not_watched and (finished or bool(records))
        return Ran(records, pointers, finished, None if searched else _problem(tool, ended))


def _answer(request: Check, ran: Mapping[Tool, Ran]) -> Checked:
    """Return the worst finding. A barrier that not all threads reach is a remark if the kernel ended nevertheless.

    Where memcheck finds nothing and could not search, nothing is known.
    """
    memcheck, found = ran[Tool.MEMCHECK], list(_found(request, ran, in_c=False))
    tolerated = [Tolerated(each) for each in found if each.is_of_barrier and memcheck.finished]
    if len(tolerated) < len(found):
        first = next(each for each in found if not (each.is_of_barrier and memcheck.finished))
        return Checked(first, spent=not memcheck.finished)
    if not memcheck.finished:
        return Checked(memcheck.problem, spent=True)
    problems = [each.problem for each in ran.values() if each.problem]
    return Checked(remarks=(*tolerated, *problems), if_wrong=next(_found(request, ran, in_c=True), None))


def _found(request: Check, ran: Mapping[Tool, Ran], *, in_c: bool) -> Iterator[Watched]:
    """Yield a finding for each kind of records: of reads of C before it is written if `in_c`, or else of all others."""
    for each in ran.values():
        matrices = Matrices(request.interface, request.case.shape, each.pointers)
        for kind in RecordKind:
            of_kind = [record for record in each.records if record.kind is kind]
            if chosen := [record for record in of_kind if is_unset_c(record, matrices) == in_c]:
                yield watched(chosen, matrices)


def _problem(tool: Tool, ended: Exit) -> NotWatched:
    last = ended.text.strip().rpartition("\n")[2][:200]
    return NotWatched(tool.value, ended.stopped is Stopped.TIME, last)
