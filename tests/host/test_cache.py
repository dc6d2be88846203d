import os
import resource
import time
from concurrent.futures import ThreadPoolExecutor
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
    assert {path.name for path in (folder / "cache").iterdir()} == {"name", cache.LOOKED}
    assert cache.read("name") == b"new"


@pytest.mark.parametrize("place", ["/dev/null", "/proc/no-such-folder"])
def test_a_cache_that_cannot_be_written_is_no_error(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADER_CACHE", place)
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


def test_a_full_disk_is_no_error_and_leaves_the_old_content(folder: Path) -> None:
    cache.write("name", b"old")
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, most))
    try:
        cache.write("name", bytes(200))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    assert cache.read("name") == b"old"
    assert len(list((folder / "cache").iterdir())) == 2


@pytest.mark.parametrize("content", [b"", b"image", b"a file of a version that kept no hashes before its contents"])
def test_an_entry_of_another_version_is_not_found(content: bytes, folder: Path) -> None:
    cache.write("name", b"image")
    (folder / "cache" / "name").write_bytes(content)
    assert cache.read("name") is None


@pytest.mark.parametrize("left", [1, cache.HASH_BYTES, cache.HASH_BYTES + 4])
def test_an_entry_that_was_cut_off_is_not_found_and_kept_anew(left: int, folder: Path) -> None:
    cache.write("name", b"image")
    entry = folder / "cache" / "name"
    entry.write_bytes(entry.read_bytes()[:left])
    assert cache.read("name") is None
    cache.write("name", b"image")
    assert cache.read("name") == b"image"


def test_what_was_not_used_for_longest_is_removed_from_a_large_cache(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    began = time.time()
    for age, name in [(3, "a/written"), (9, "b/read"), (5, "c/oldest"), (4, "c/old")]:
        cache.write(name, bytes(1000))
        os.utime(folder / "cache" / name, (began, began - age))
    assert cache.read("b/read")
    monkeypatch.setattr(cache, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(cache, "MOST_BYTES", 3500)
    cache.write("new", bytes(1000))
    left = {str(path.relative_to(folder / "cache")) for path in (folder / "cache").rglob("*")}
    assert left == {"a", "a/written", "b", "b/read", "new", cache.LOOKED}


def test_who_reads_what_others_write_and_remove_gets_all_or_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(cache, "MOST_BYTES", 50_000)

    def use(number: int) -> bytes | None:
        cache.write(f"folder/{number % 3}", bytes([number % 3]) * 20_000)
        return cache.read(f"folder/{number % 3}")

    with ThreadPoolExecutor(4) as users:
        contents = set(users.map(use, range(60)))
    assert contents <= {None, *(bytes([number]) * 20_000 for number in range(3))}


def test_the_hash_of_a_package_changes_with_its_files_and_their_names(tmp_path: Path) -> None:
    packages = {
        "same": {"a.py": "1"},
        "edited": {"a.py": "2"},
        "renamed": {"b.py": "1"},
        "more": {"a.py": "1", "b.h": ""},
    }
    for package, files in {**packages, "again": packages["same"]}.items():
        (tmp_path / package / "__pycache__").mkdir(parents=True)
        (tmp_path / package / "__pycache__" / "a.pyc").write_text(package)
        for name, text in files.items():
            (tmp_path / package / name).write_text(text)
    assert cache.sources(tmp_path / "same") == cache.sources(tmp_path / "again")
    assert len({cache.sources(tmp_path / package) for package in packages}) == len(packages)


parts = st.lists(st.text(max_size=5), max_size=4)


@given(parts, parts)
def test_different_parts_have_different_keys(first: list[str], other: list[str]) -> None:
    assert (cache.key(*first) == cache.key(*other)) == (first == other)


def test_text_and_its_bytes_have_one_key() -> None:
    assert cache.key("größer") == cache.key("größer".encode())
