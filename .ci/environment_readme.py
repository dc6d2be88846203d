"""Run the README's `make grade` and `make test-fast` in a clone, on this system, and note how they end.

    python3 .ci/environment_readme.py RESULT.json

The compiler is the system's, or the one that make installs where there is none. The exit status is 1 if a command
fails.
"""

from __future__ import annotations

import json
import platform
import re
import subprocess
import sys
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
SUMMARY = re.compile(r"(?:\d+ \w+, )*\d+ (?:passed|failed|error)[^\n]*?(?= in )")
LONGEST = 2000  # characters of the end of an output


def main(result: Path) -> int:
    """Write the result, print it, and return the exit status."""
    with TemporaryDirectory(dir=Path.home()) as folder:
        # The checkout belongs to another user, which git refuses by default.
        subprocess.run(["git", "config", "--global", "safe.directory", "*"], check=True)
        subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)
        grade, tests = make("grade", folder), make("test-fast", folder)
        report = Path(folder, "grade-report/report.json")
        earned = json.loads(report.read_text(encoding="utf-8"))["score"] if report.exists() else None
    summary = SUMMARY.search(tests.stdout)
    row = {
        "python": platform.python_version(),
        "grade": "passed" if grade.returncode == 0 else "failed",
        "score": earned,
        "tests": summary[0] if summary else "no result",
        "measured": date.today().isoformat(),
        "red": [ended.stdout[-LONGEST:] for ended in (grade, tests) if ended.returncode],
    }
    result.write_text(json.dumps(row, indent=1) + "\n")
    print(json.dumps(row, indent=1))
    return 1 if row["red"] else 0


def make(target: str, folder: str) -> subprocess.CompletedProcess[str]:
    """Run make, with both of its outputs in one."""
    command = ["make", target]
    return subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
