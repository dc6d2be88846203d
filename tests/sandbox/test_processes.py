"""What is done before the first worker of a command starts."""

import compileall
import sys
from pathlib import Path

import pytest

from grader.sandbox import processes


def test_bytecode_of_workers_is_written_once_and_for_new_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "package_of_a_test"
    package.mkdir()
    monkeypatch.setenv("GRADER_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(processes, "PACKAGES", ("package_of_a_test",))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    for name in ("__init__", "later"):
        (package / f"{name}.py").touch()
        processes.keep_bytecode.__wrapped__()
        assert list(package.glob(f"__pycache__/{name}.*"))
    monkeypatch.setattr(compileall, "compile_dir", lambda *_, **__: pytest.fail("looked at every file"))
    processes.keep_bytecode.__wrapped__()
