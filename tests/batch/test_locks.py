import errno
import fcntl
from pathlib import Path

import pytest

from grader.batch.results.class_folder import lock
from grader.errors import InfrastructureError


def test_a_folder_on_a_file_system_without_locks_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", without_locks)
    with pytest.raises(InfrastructureError, match=f"{tmp_path} cannot be locked: No locks available"), lock(tmp_path):
        pass
