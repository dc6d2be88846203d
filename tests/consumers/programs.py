"""Other people's programs that read our files. `make test-consumers` installs them, from npm and PyPI."""

import os
import subprocess
from pathlib import Path

import pytest

from grader.host.installation import CHECKOUT

INSTALLED = CHECKOUT / ".venv" / "consumers"
FOLDERS = (INSTALLED / "node_modules" / ".bin", INSTALLED / "python" / "bin")


def run(name: str, *words: str | Path, folder: Path, status: int = 0) -> str:
    """Run a program in a folder, and return what it prints. Its exit status must be `status`."""
    program = next((path / name for path in FOLDERS if (path / name).exists()), None)
    if program is None:
        (pytest.fail if os.environ.get("CONSUMERS_REQUIRED") else pytest.skip)(f"make test-consumers installs {name}")
    ended = subprocess.run(
        [program, *words], cwd=folder, capture_output=True, text=True, check=False, env={**os.environ, "NO_COLOR": "1"}
    )
    assert ended.returncode == status, f"{ended.stdout[-3000:]}{ended.stderr[-3000:]}"
    return ended.stdout + ended.stderr
