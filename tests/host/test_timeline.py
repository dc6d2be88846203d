"""The trace of a grade: spans of judge and workers, and the processes that ran."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from grader.host import timeline


def events(path: Path, kind: str = "X") -> dict[str, dict[str, Any]]:
    return {event["name"]: event for event in json.loads(path.read_text())["traceEvents"] if event["ph"] == kind}


def test_spans_and_processes_lie_on_one_clock(tmp_path: Path):
    with timeline.recorded(tmp_path / "trace.json"), timeline.span("wait"):
        subprocess.run(["/bin/sleep", "0.2"], check=True)
    spans = events(tmp_path / "trace.json")
    (process,) = [span for name, span in spans.items() if re.fullmatch(r"sleep, 0.0\d s of CPU time", name)]
    assert spans["wait"]["dur"] >= process["dur"] > 50_000
    assert spans["wait"]["ts"] <= process["ts"]
    assert events(tmp_path / "trace.json", "C")["processors in use"]["args"]["busy"] >= 0


def test_spans_of_a_worker_are_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(timeline.VARIABLE, "1")
    monkeypatch.setattr(timeline, "_sinks", [])
    timeline.record_in_box(tmp_path)
    with timeline.span("launch"):
        pass
    monkeypatch.setattr(timeline, "_sinks", [])
    with timeline.recorded(tmp_path / "trace.json"):
        timeline.add_untrusted((tmp_path / timeline.IN_BOX).read_bytes())
    assert events(tmp_path / "trace.json")["launch"]["dur"] >= 0


@pytest.mark.parametrize(
    "line", [b"", b"{", b"[" * 100_000, b"3", b'["name", 1, 2, 3, "row"]', b'["name", NaN, 2.0, 3, "row"]', b"\xff"]
)
def test_a_line_that_is_no_span_is_dropped(line: bytes, tmp_path: Path):
    with timeline.recorded(tmp_path / "trace.json"):
        timeline.add_untrusted(line + b'\n["right", 1.0, 2.0, 3, "row"]\n')
    assert "name" not in events(tmp_path / "trace.json")
    assert "right" in events(tmp_path / "trace.json")


def test_nothing_is_kept_where_nothing_is_recorded(tmp_path: Path):
    timeline.add("lost", time.monotonic(), "row")
    with timeline.recorded(tmp_path / "trace.json"):
        pass
    assert "lost" not in events(tmp_path / "trace.json")


PART = """
from grader.host import timeline
with timeline.part("ada"), timeline.span("wait to share the GPU"):
    pass
"""


def test_parts_of_other_processes_are_in_the_trace_with_their_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(timeline, "LEAST_WAIT", 0.0)
    with timeline.recorded(tmp_path / "trace.json") as spans:
        subprocess.run([sys.executable, "-c", PART], check=True)
    assert set(events(tmp_path / "trace.json")) >= {"ada", "wait to share the GPU"}
    assert timeline.longest_waits(spans) == "wait to share the GPU 0.0 s (1)"
