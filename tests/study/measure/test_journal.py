"""What was measured survives a crash, and nothing else is believed."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import InfrastructureError
from grader.study.measure.journal import open_journal


def test_what_is_kept_is_found_by_the_next_run(tmp_path: Path):
    path = tmp_path / "sweep.jsonl"
    open_journal(path).keep("a", [1.5, None])
    again = open_journal(path)
    again.keep("b", "two\nlines")
    assert {key: open_journal(path).find(key) for key in "abc"} == {"a": [1.5, None], "b": "two\nlines", "c": None}


@given(st.integers(0, 10_000))
def test_a_file_that_is_cut_anywhere_loses_only_what_was_cut(tmp_path_factory: pytest.TempPathFactory, cut: int):
    path = tmp_path_factory.mktemp("cut") / "sweep.jsonl"
    journal = open_journal(path)
    for number in range(5):
        journal.keep(str(number), "x" * number)
    content = path.read_bytes()[: cut % (path.stat().st_size + 1)]
    path.write_bytes(content)
    mended = open_journal(path)
    assert list(mended.known) == [str(number) for number in range(content.count(b"\n"))]
    mended.keep("new", 1)
    assert open_journal(path).known == mended.known


@pytest.mark.parametrize(
    "line", [b"no json", b"[]", b"{}", b'{"key": "a"}', b"\xff\xfe", b"[" * 100_000, b"3", b"null"]
)
def test_a_line_that_is_no_entry_is_skipped(line: bytes, tmp_path: Path):
    path = tmp_path / "sweep.jsonl"
    path.write_bytes(line + b'\n{"key": "good", "value": 1}\n')
    assert open_journal(path).known == {"good": 1}


def test_a_journal_that_cannot_be_written_is_a_grader_error(tmp_path: Path):
    journal = open_journal(tmp_path / "nowhere" / "sweep.jsonl")
    with pytest.raises(InfrastructureError, match="cannot be written"):
        journal.keep("a", 1)
    assert journal.find("a") is None
