"""A plugin for tests under emulation: the processes that they start, such as compilers, run natively.

An emulator of one process cannot start another program of the emulated kind, unless the kernel knows how to.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
NATIVE = str(ROOT / ".venv/bin/python")


class NativeProcess(subprocess.Popen[Any]):
    """A process whose Python is that of the machine."""

    def __init__(self, command: Any, *more: Any, **options: Any) -> None:
        if not isinstance(command, str):
            command = [NATIVE if word == sys.executable else word for word in map(os.fspath, command)]
        given = os.environ if options.get("env") is None else options["env"]
        own = {name: value for name, value in given.items() if name != "PYTHONHOME"}
        super().__init__(command, *more, **{**options, "env": {**own, "PYTHONPATH": str(ROOT)}})


subprocess.Popen = NativeProcess  # type: ignore[assignment, misc]
