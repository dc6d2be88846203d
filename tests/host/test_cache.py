from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.host import cache


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRADER_CACHE", str(tmp_path / "cache"))
    return tmp_path


def test_what_is_kept_is_fetched(folder: Path) -> None:
    (folder / "built").write_bytes(b"image")
    cache.keep("name", folder / "built")
    assert cache.fetch("name", folder / "copy")
    assert (folder / "copy").read_bytes() == b"image"


def test_what_is_not_kept_is_not_fetched(folder: Path) -> None:
    assert not cache.fetch("name", folder / "copy")
    assert not (folder / "copy").exists()


def test_keeping_again_replaces_and_leaves_no_parts(folder: Path) -> None:
    for content in (b"old", b"new"):
        (folder / "built").write_bytes(content)
        cache.keep("name", folder / "built")
    assert {path.name: path.read_bytes() for path in (folder / "cache").iterdir()} == {"name": b"new"}


def test_a_cache_that_cannot_be_written_is_no_fault(folder: Path) -> None:
    (folder / "cache").write_text("a file where the folder should be")
    (folder / "built").write_bytes(b"image")
    cache.keep("name", folder / "built")
    assert not cache.fetch("name", folder / "copy")


def test_a_failed_copy_leaves_no_part_behind(folder: Path) -> None:
    cache.keep("name", folder / "missing")
    assert list(folder.rglob("*")) == []


parts = st.lists(st.text(max_size=5), max_size=4)


@given(parts, parts)
def test_different_parts_have_different_keys(one: list[str], other: list[str]) -> None:
    assert (cache.key(*one) == cache.key(*other)) == (one == other)


def test_text_and_its_bytes_have_one_key() -> None:
    assert cache.key("größer") == cache.key("größer".encode())


def test_a_program_can_still_be_run_when_it_is_fetched(folder: Path) -> None:
    (folder / "built").write_bytes(b"program")
    (folder / "built").chmod(0o755)
    cache.keep("name", folder / "built")
    assert cache.fetch("name", folder / "copy")
    assert (folder / "copy").stat().st_mode & 0o777 == 0o755


def test_a_target_that_cannot_be_written_is_not_a_missing_entry(folder: Path) -> None:
    (folder / "built").write_bytes(b"image")
    cache.keep("name", folder / "built")
    with pytest.raises(OSError, match="No such file"):
        cache.fetch("name", folder / "no" / "copy")
