"""The judge alone reads and writes the cache: a worker gets the files of one submission, and may add to them."""

import os
from pathlib import Path

import pytest

from grader.contract import files
from grader.host import cache
from grader.sandbox import bundles
from grader.sandbox.bundles import TRUSTED, bundle

NAME = f"{'a' * 64}.o"


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRADER_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def boxes(tmp_path: Path) -> tuple[Path, Path]:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
    return tmp_path / "first", tmp_path / "second"


def test_what_a_worker_adds_the_next_one_finds(boxes: tuple[Path, Path]) -> None:
    first, second = boxes
    files.add(first, NAME, b"code")
    assert files.find(first, NAME) == b"code"
    bundles.keep(bundle("mine"), first)
    bundles.give(bundle("mine"), second)
    assert files.find(second, NAME) == b"code"


def test_nothing_of_another_submission_is_found(boxes: tuple[Path, Path]) -> None:
    first, second = boxes
    files.add(first, NAME, b"code")
    bundles.keep(bundle("mine"), first)
    bundles.give(bundle("another"), second)
    bundles.give(TRUSTED, second)
    assert files.find(second, NAME) is None
    assert files.find(second, NAME, files.GIVEN_TRUSTED, files.ADDED_TRUSTED) is None


@pytest.mark.parametrize("name", ["../../escaped.o", "name.o", f"{'a' * 64}", f"{'A' * 64}.o", ".part-1"])
def test_a_file_whose_name_is_no_key_is_not_kept(name: str, boxes: tuple[Path, Path], kept: Path) -> None:
    folder = boxes[0] / files.ADDED
    folder.mkdir()
    (folder / Path(name).name).write_bytes(b"code")
    bundles.keep(bundle("mine"), boxes[0])
    assert not list(kept.rglob("*.o"))


@pytest.mark.parametrize("trick", ["link to a file", "link to a folder", "pipe", "folder"])
def test_only_plain_files_are_kept(trick: str, boxes: tuple[Path, Path], kept: Path) -> None:
    first, second = boxes
    cache.write(f"{bundle('another').key}/{NAME}", b"of another student")
    folder = first / files.ADDED
    if trick == "link to a folder":
        folder.symlink_to(kept / bundle("another").key)
    else:
        folder.mkdir()
        {
            "link to a file": lambda: (folder / NAME).symlink_to(kept / bundle("another").key / NAME),
            "pipe": lambda: os.mkfifo(folder / NAME),
            "folder": (folder / NAME).mkdir,
        }[trick]()
    bundles.keep(bundle("mine"), first)
    bundles.give(bundle("mine"), second)
    assert files.find(second, NAME) is None
