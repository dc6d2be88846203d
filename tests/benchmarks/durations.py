"""How long commands take on a machine with a GPU, from start to end.

python tests/benchmarks/durations.py [RUNS [FOLDER]]

Each command has RUNS (3). With a FOLDER, one more run of each grade and check saves its timeline there; it does not
count, because a timeline costs a little time. Packages are expected to have their bytecode, as pip installs them:
`python -m compileall` makes it where they do not.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
BROKEN, WRONG = "tests/submissions/broken/infinite_loop.cu", "tests/submissions/wrong/a_transposed.cu"
COMMANDS = {
    "grade_tiled": ("run", "reference/tiled_16.cu"),
    "grade_pipelined": ("run", "reference/pipelined.cu"),
    "grade_wrong": ("run", WRONG),
    "grade_endless": ("run", BROKEN),
    "check_tiled": ("check", "reference/tiled_16.cu"),
    "doctor": ("doctor",),
    "help": ("--help",),
}
TRACED = {"run", "check"}
KEEPS_BYTECODE = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def seconds(words: Sequence[str]) -> float:
    """Return the seconds of one command."""
    with tempfile.TemporaryDirectory() as output:
        saved = ("--output", output) if words[0] == "run" else ()
        line = [sys.executable, "-m", "grader", *words, *saved]
        began = time.monotonic()
        ended = subprocess.run(line, check=False, capture_output=True, text=True, cwd=ROOT, env=KEEPS_BYTECODE)
    if ended.returncode not in (0, 1):
        sys.exit(ended.stdout + ended.stderr)
    return time.monotonic() - began


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    traces = Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
    print(
        f"The very first grade: {seconds(COMMANDS['grade_tiled']):.1f} s\n\n| command | seconds |\n|---|---|",
        flush=True,
    )
    for name, words in COMMANDS.items():
        each = ", ".join(f"{seconds(words):.2f}" for _ in range(runs))
        print(f"| `grade {' '.join(words)}` | {each} |", flush=True)
        if traces and words[0] in TRACED:
            seconds((*words, "--trace", str(traces / f"{name}.json")))


if __name__ == "__main__":
    main()
