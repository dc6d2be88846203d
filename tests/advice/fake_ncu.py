"""A program in place of ncu: it takes its options, runs the command, and writes recorded results when that has ended.

`GRADER_FAKE_NCU` names the file with the results.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path


def main(words: list[str]) -> int:
    if words == ["--version"]:
        sys.stdout.write("NVIDIA (R) Nsight Compute Command Line Profiler\nVersion 2025.3.1.0 (build 36398880)\n")
        return 0
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--csv", action="store_true", required=True)
    parser.add_argument("--page", choices=["raw"], required=True)
    parser.add_argument("--print-units", choices=["base"], required=True)
    parser.add_argument("--clock-control", choices=["none"], required=True)  # anything else changes the clocks
    parser.add_argument("--kernel-name-base", choices=["mangled"], required=True)
    parser.add_argument("--kernel-name", required=True)
    parser.add_argument("--launch-count", choices=["1"], required=True)
    parser.add_argument("--metrics", required=True)
    parser.add_argument("--log-file", type=Path, required=True)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args(words)
    recorded = Path(os.environ["GRADER_FAKE_NCU"]).read_text(encoding="utf-8")
    status = subprocess.run(options.command, check=False).returncode
    options.log_file.write_text(recorded, encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
