"""The same kernel graded several times in fresh processes: the spread of GFLOPS and points, and where the time goes.

python tests/benchmarks/repeatability.py [KERNEL.cu …]      prints the tables of docs/measurements.md
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
KERNELS = ("tiled_16", "register_blocked")
GRADES = 5


def grade(kernel: Path, output: Path, *, check: bool = False) -> tuple[dict[str, Any], float]:
    """One grade by the real command, and its seconds from start to end."""
    words = ["check", str(kernel)] if check else ["run", str(kernel), "--output", str(output)]
    began = time.monotonic()
    subprocess.run([sys.executable, "-m", "grader", *words], check=True, capture_output=True)
    seconds = time.monotonic() - began
    return ({} if check else json.loads((output / "report.json").read_text())), seconds


def spread(values: list[float]) -> float:
    return (max(values) - min(values)) / (sum(values) / len(values))


def table(kernel: Path, output: Path) -> None:
    grades = [grade(kernel, output) for _ in range(GRADES)]
    reports = [report for report, _ in grades]
    print(f"\n{kernel.name}: {GRADES} grades\n\n| N | GFLOPS | spread |\n|---|---|---|")
    for number, first in enumerate(reports[0]["measurements"]):
        speeds = [report["measurements"][number]["gflops"]["median"] for report in reports]
        print(f"| {first['shape']['N']} | {min(speeds):.0f} to {max(speeds):.0f} | {spread(speeds):.2%} |")
    points = [report["score"]["earned"] for report in reports]
    print(f"\npoints {min(points):.3f} to {max(points):.3f}")
    for stage in reports[0]["stages"]:
        seconds = ", ".join(f"{report['stages'][stage]:.1f}" for report in reports)
        print(f"{stage}: {seconds} s")
    print(f"whole command: {', '.join(f'{seconds:.1f}' for _, seconds in grades)} s")
    checks = [grade(kernel, output, check=True)[1] for _ in range(GRADES)]
    print(f"grade check: {', '.join(f'{seconds:.1f}' for seconds in checks)} s")


def main() -> None:
    kernels = [Path(word) for word in sys.argv[1:]] or [ROOT / "reference" / f"{name}.cu" for name in KERNELS]
    with tempfile.TemporaryDirectory() as folder:
        for kernel in kernels:
            table(kernel, Path(folder))


if __name__ == "__main__":
    main()
