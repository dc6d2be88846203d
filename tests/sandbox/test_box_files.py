import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.batch.dask.clusters import scratch
from grader.sandbox import box_files


@pytest.mark.parametrize("put", [os.mkdir, os.mkfifo, lambda path: path.symlink_to("secret")])
def test_only_a_plain_file_is_read(tmp_path: Path, put: Callable[[Path], None]) -> None:
    (tmp_path / "secret").write_text("secret")
    put(tmp_path / "C-0")
    with pytest.raises(OSError, match=r"C-0|symbolic"):
        box_files.read_plain(tmp_path / "C-0", 100)


def test_no_more_is_read_than_requested(tmp_path: Path) -> None:
    (tmp_path / "C-0").write_bytes(b"12345")
    assert box_files.read_plain(tmp_path / "C-0", 3) == b"123"


def test_a_box_weighs_what_it_takes_on_the_disk(tmp_path: Path) -> None:
    (tmp_path / "full").write_bytes(bytes(1 << 20))
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    assert box_files.is_heavier(tmp_path, 1 << 19)
    assert not box_files.is_heavier(tmp_path, 1 << 21)


def test_files_without_content_weigh_something(tmp_path: Path) -> None:
    for number in range(10):
        (tmp_path / str(number)).touch()
    assert box_files.is_heavier(tmp_path, 9 * box_files.SMALLEST_FILE)
    assert not box_files.is_heavier(tmp_path, 10 * box_files.SMALLEST_FILE)


def test_a_box_can_be_removed_whatever_was_locked_in_it() -> None:
    made = box_files.make()
    (made / "locked" / "inner").mkdir(parents=True)
    (made / "locked" / "inner" / "file").touch()
    (made / "link").symlink_to("/")
    (made / "locked").chmod(0)
    box_files.remove(made)
    assert not made.exists()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(box_files, "IN_MEMORY", tmp_path / "no memory")
    monkeypatch.setattr(box_files, "STARTING_SECONDS", -1)
    return tmp_path


def test_a_box_is_found_from_every_folder(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With TMPDIR=. too, because a worker starts in its box."""
    monkeypatch.chdir(temporary)
    monkeypatch.setattr("tempfile.tempdir", ".")
    assert box_files.make().parent == temporary
    with scratch() as folder:
        assert folder.parent == temporary


@pytest.mark.parametrize(("least", "chosen", "used"), [(0, False, True), (1 << 60, False, False), (0, True, False)])
def test_boxes_are_in_memory_if_there_is_room_and_the_user_has_not_chosen_a_folder(
    temporary: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch,
    least: int, chosen: bool, used: bool,
) -> None:  # fmt: skip
    memory = tmp_path_factory.mktemp("memory")
    monkeypatch.setattr(box_files, "IN_MEMORY", memory)
    monkeypatch.setattr(box_files, "LEAST_IN_MEMORY", least)
    if chosen:
        monkeypatch.setenv("TMPDIR", str(temporary))
    assert box_files.make().parent == (memory if used else temporary)


def test_what_is_left_in_memory_is_removed_too(
    temporary: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = tmp_path_factory.mktemp("memory") / "grade-box-abcdefgh"
    left.mkdir()
    monkeypatch.setattr(box_files, "IN_MEMORY", left.parent)
    box_files.sweep()
    assert not left.exists()
    assert temporary.exists()


def test_a_box_without_a_living_owner_is_removed(temporary: Path) -> None:
    owned, left = box_files.make(), box_files.make()
    batch = temporary / "grade-batch-ab12_xyz"
    (batch / "grade-box-12345678" / "inner").mkdir(parents=True)
    with box_files.owned(owned):
        box_files.sweep()
        assert list(temporary.iterdir()) == [owned]
    assert not left.exists()
    box_files.sweep()
    assert list(temporary.iterdir()) == []


@pytest.mark.usefixtures("temporary")
def test_the_box_of_a_killed_process_has_no_owner() -> None:
    box = box_files.make()
    code = f"from pathlib import Path; from grader.sandbox.box_files import owned; import os; owned(Path({str(box)!r})).__enter__(); os.kill(os.getpid(), 9)"  # noqa: E501
    subprocess.run([sys.executable, "-c", code], check=False)
    box_files.sweep()
    assert not box.exists()


@pytest.mark.parametrize("name", ["grade-report", "grade-results", "grade-homework", "grade-box-ABCDEFGH", "mine"])
def test_folders_of_users_are_not_swept(temporary: Path, name: str) -> None:
    (temporary / name).mkdir()
    (temporary / "grade-box-abcdefgh").symlink_to(temporary / name)
    box_files.sweep()
    assert (temporary / name).is_dir()


def test_a_folder_that_was_just_made_is_not_swept(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(box_files, "STARTING_SECONDS", 10)
    box = box_files.make()
    box_files.sweep()
    assert box.parent == temporary
    assert box.exists()
