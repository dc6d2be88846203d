from pathlib import Path

import pytest

from grader.errors import InfrastructureError
from grader.host.atomic_write import write_bytes, write_in_hostile_folder, write_text


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    for text in ("old", "neü"):
        write_text(tmp_path / "report.json", text)
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]
    assert (tmp_path / "report.json").read_bytes() == "neü".encode()


def test_a_secret_is_never_readable_by_others(tmp_path: Path) -> None:
    write_bytes(tmp_path / "key", b"secret", 0o600)
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600


def test_a_failed_write_names_the_file_and_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_text(tmp_path / "report.json", "old")
    monkeypatch.setattr("os.fsync", full_disk)
    with pytest.raises(InfrastructureError, match=r"report\.json could not be written: No space left"):
        write_text(tmp_path / "report.json", "new")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"report.json": "old"}


def full_disk(_descriptor: int) -> None:
    raise OSError(28, "No space left on device")


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("kept")
    (tmp_path / "request").symlink_to("kept")
    write_in_hostile_folder(tmp_path / "request", b"new", 0o644)
    assert (tmp_path / "kept").read_text() == "kept"
    assert (tmp_path / "request").read_text() == "new"
    assert not (tmp_path / "request").is_symlink()
    assert (tmp_path / "request").stat().st_mode & 0o777 == 0o644
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept", "request"]
