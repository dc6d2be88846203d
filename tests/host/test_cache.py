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


def test_a_kept_entry_is_found() -> None:
    cache.write("folder/name", b"image")
    assert cache.read("folder/name") == b"image"
    assert cache.names("folder") == ["name"]


def test_an_entry_that_was_not_kept_is_not_found() -> None:
    assert cache.read("name") is None
    assert cache.names("folder") == []


def test_keeping_again_replaces_and_leaves_no_parts(folder: Path) -> None:
    for content in (b"old", b"new"):
        cache.write("name", content)
    assert {path.name: path.read_bytes() for path in (folder / "cache").iterdir()} == {"name": b"new"}


def test_a_cache_that_cannot_be_written_is_no_error(folder: Path) -> None:
    (folder / "cache").write_text("a file where the folder should be")
    cache.write("name", b"image")
    assert cache.read("name") is None


def test_without_a_home_nothing_is_kept_and_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for the user of a container who is a number only: `~` would become the name of a folder."""
    for name in ("GRADER_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", {}.__getitem__)
    monkeypatch.chdir(tmp_path)
    cache.write("name", b"image")
    assert cache.read("name") is None
    assert cache.names("folder") == []
    assert list(tmp_path.iterdir()) == []


parts = st.lists(st.text(max_size=5), max_size=4)


@given(parts, parts)
def test_different_parts_have_different_keys(first: list[str], other: list[str]) -> None:
    assert (cache.key(*first) == cache.key(*other)) == (first == other)


def test_text_and_its_bytes_have_one_key() -> None:
    assert cache.key("größer") == cache.key("größer".encode())
