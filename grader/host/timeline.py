"""Record when the parts of a grade begin and end, for Perfetto (ui.perfetto.dev) and chrome://tracing.

The file has the format of https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU ("Trace
Event Format"). Unless `recorded` is active, a span records nothing.
"""

import json
import math
import os
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import astuple, dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.host.atomic_write import write_text
from grader.host.process_samples import ProcessSamples

VARIABLE = "GRADER_TIMELINE"  # set by a judge that records; its workers then write their spans into their boxes
LONGEST_NAME = 80
PARTS = "GRADE_BATCH_TIMELINE"  # a folder, for the spans of the processes that grade a class
IN_BOX = "spans"  # the file of a box to which its worker appends
MOST_SPANS = 20_000  # of a worker, which may write anything
LIFE = "process"  # the row that shows how long a process ran
# The spans in which a grade waits for the driver or for others. Each device that is opened has one of the last two.
LEAST_WAIT = 0.05  # seconds of a kind of wait that is worth a word
WAITS = ("wait to ", "initialise the driver", "create the context")
MICRO = 1e6  # the format counts microseconds

Event = dict[str, object]


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a grade. `began` and `ended` are seconds of the monotonic clock, which all processes share."""

    name: str
    began: float
    ended: float
    process: int
    row: str


_sinks: list[Callable[[Span], None]] = []  # one while something is recorded


@contextmanager
def recorded(path: Path) -> Iterator[list[Span]]:
    """Record inside the block, and then write the trace to `path`. The list is complete after the block."""
    spans: list[Span] = []
    samples = ProcessSamples(os.getpid())
    _sinks.append(spans.append)
    os.environ[VARIABLE] = "1"
    with TemporaryDirectory() as parts:
        os.environ[PARTS] = parts
        try:
            with samples.taken():
                yield spans
        finally:
            for part in sorted(Path(parts).iterdir()):
                add_untrusted(part.read_bytes())
            del os.environ[VARIABLE], os.environ[PARTS]
            _sinks.clear()
            write_text(path, json.dumps({"traceEvents": _events(spans, samples)}))


@contextmanager
def part(name: str) -> Iterator[None]:
    """Record the block, in a process that grades a class, as a span, and all spans inside, if the command records."""
    folder = os.environ.get(PARTS)
    sinks = [partial(_append, Path(folder, secrets.token_hex(8)))] if folder and not _sinks else []
    _sinks.extend(sinks)
    try:
        with span(name):
            yield
    finally:
        if sinks:
            _sinks.clear()


def longest_waits(spans: Iterable[Span]) -> str:
    """Return each kind of wait that was noticed, with its seconds and its number, the longest first."""
    seconds: dict[str, list[float]] = {}
    for span in spans:
        if span.name.startswith(WAITS):
            seconds.setdefault(span.name, []).append(span.ended - span.began)
    ordered = sorted(seconds.items(), key=lambda item: -sum(item[1]))
    noticed = ((name, sum(times), len(times)) for name, times in ordered if sum(times) >= LEAST_WAIT)
    return ", ".join(f"{name} {total:.1f} s ({number})" for name, total, number in noticed)


def record_in_box(box: Path) -> None:
    """Let a worker append its spans to a file of its box if its judge records."""
    if os.environ.get(VARIABLE):
        _sinks.append(lambda span: _append(box / IN_BOX, span))


@contextmanager
def span(name: str) -> Iterator[None]:
    """Record what runs inside as one span of this thread."""
    began = time.monotonic()
    try:
        yield
    finally:
        add(name, began, threading.current_thread().name)


def add(name: str, began: float, row: str) -> None:
    """Record a span that ends now, in the row of this process that has this name."""
    for sink in _sinks:
        sink(Span(name, began, time.monotonic(), os.getpid(), row))


def add_untrusted(content: bytes) -> None:
    """Record the spans that a worker left in its box; anything else is dropped."""
    for line in content.splitlines()[:MOST_SPANS]:
        match _decoded(line):
            case [str(name), float(began), float(ended), int(process), str(row)] if math.isfinite(began + ended):
                for sink in _sinks:
                    sink(Span(name[:LONGEST_NAME], began, ended, process, row[:LONGEST_NAME]))


def _append(path: Path, span: Span) -> None:
    with suppress(OSError), path.open("ab") as file:  # the box is full, which the grade itself reports
        file.write(json.dumps(astuple(span)).encode() + b"\n")


def _decoded(line: bytes) -> object:
    try:
        decoded: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return decoded


def _events(spans: Iterable[Span], samples: ProcessSamples) -> list[Event]:
    judge = os.getpid()
    names = {judge: "judge", **{process.number: process.name for process in samples.processes()}}
    lives = [
        Span(f"{each.name}, {each.seconds:.2f} s of CPU time", each.first_seen, each.last_seen, each.number, LIFE)
        for each in samples.processes()
    ]
    places = dict.fromkeys((span.process, span.row) for span in (*lives, *spans))
    rows = {place: number for number, place in enumerate(places)}
    return [
        *(_named("process_name", process, 0, name) for process, name in names.items()),
        *(_named("thread_name", process, number, row) for (process, row), number in rows.items()),
        *(_complete(span, rows[span.process, span.row]) for span in (*lives, *spans)),
        *({"name": "processors in use", "ph": "C", "pid": judge, "ts": at * MICRO, "args": {"busy": round(busy, 3)}}
          for at, busy in samples.load),
    ]  # fmt: skip


def _named(kind: str, process: int, row: int, name: str) -> Event:
    return {"name": kind, "ph": "M", "pid": process, "tid": row, "args": {"name": name}}


def _complete(span: Span, row: int) -> Event:
    times = {"ts": span.began * MICRO, "dur": (span.ended - span.began) * MICRO}
    return {"name": span.name, "ph": "X", "pid": span.process, "tid": row, **times}
