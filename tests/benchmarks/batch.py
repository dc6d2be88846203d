"""How long a class takes, compared with single grades and with more GPUs, and whether the ratios agree.

python tests/benchmarks/batch.py overhead [SUBMISSIONS [RUBRIC]]  `grade batch` beside `grade run`, on this machine
python tests/benchmarks/batch.py mixed [SUBMISSIONS [RUBRIC]]  `grade batch` on 1, 2, 4, … GPUs, with mistakes
python tests/benchmarks/batch.py agreement [SUBMISSIONS [RUBRIC]]  ratios of `grade batch` beside those of `grade run`

The submissions are the reference kernels in turn, each with a comment of its own, so that none is kept from before. Of
32 submissions in a mixed class, 20 are correct, 8 wrong, 2 endless, and 2 do not compile.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from grader.host import machine, nvml
from grader.model import Backend
from tests.corpus import content

ROOT = Path(__file__).parents[2]
KERNELS = ("naive", "tiled_16", "tiled_32", "register_blocked")
CORRECT = tuple(f"reference/{kernel}" for kernel in KERNELS)
WRONG = tuple(
    f"tests/submissions/wrong/{mistake}"
    for mistake in ("a_transposed", "missing_first_barrier", "no_guard", "k_one_short")
)
ENDLESS, NOT_COMPILED = "tests/submissions/broken/infinite_loop", "tests/submissions/broken/missing_semicolon"
MIXED = (*CORRECT, *WRONG[:2], *CORRECT[:2], ENDLESS, *CORRECT[2:], NOT_COMPILED, *WRONG[2:], *CORRECT[:2])
RUBRIC = Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else ROOT / "rubrics" / "square.toml"


def submissions(folder: Path, count: int, files: Sequence[str] = CORRECT) -> Path:
    """A class of so many students, who hand in the files in turn."""
    for number in range(count):
        mine = folder / f"student{number:03}"
        mine.mkdir(parents=True)
        source = content(next(ROOT.glob(f"{files[number % len(files)]}.*"))).decode()
        (mine / "matmul.cu").write_text(f"{source}\n// student {number}\n")
    return folder


def command(*words: str | Path, gpus: Sequence[str] = ()) -> float:
    """Seconds of one command from its start to its end, on all GPUs or on some."""
    began = time.monotonic()
    environment = os.environ | ({"CUDA_VISIBLE_DEVICES": ",".join(gpus)} if gpus else {})
    line = [sys.executable, "-m", "grader", *map(str, words)]
    ended = subprocess.run(line, check=False, capture_output=True, text=True, cwd=ROOT, env=environment)
    if ended.returncode not in (0, 1):
        sys.exit(ended.stderr)
    return time.monotonic() - began


def batch(students: Path, output: Path, *words: str, gpus: Sequence[str] = ()) -> float:
    return command("batch", students, "--rubric", RUBRIC, "--output", output, *words, gpus=gpus)


def reports(output: Path) -> dict[str, Any]:
    return {path.parent.name: json.loads(path.read_text()) for path in sorted(output.glob("student*/report.json"))}


def overhead(place: Path, count: int) -> None:
    students = submissions(place / "class", count)
    alone = [
        command("run", student / "matmul.cu", "--rubric", RUBRIC, "--output", place / "alone" / student.name)
        for student in sorted(students.iterdir())
    ]
    print(f"{count} submissions by `grade run`, one after the other: {sum(alone):.1f} s, {median(alone):.2f} s each")
    for workers in (1, 2):
        seconds = batch(students, place / f"batch{workers}", "--workers", str(workers))
        print(f"`grade batch --workers {workers}`: {seconds:.1f} s, {seconds / sum(alone) - 1:+.1%}", flush=True)


def mixed(place: Path, count: int) -> None:
    """Every GPU grades one submission first, and measures its baselines for that: a class of hundreds pays it once."""
    visible = nvml.visible_gpus()
    for gpu in visible:
        seconds = batch(submissions(place / f"first{gpu}", 1), place / f"warm{gpu}", gpus=(gpu,))
        print(f"One submission on GPU {gpu}, with its baselines measured: {seconds:.1f} s", flush=True)
    students = submissions(place / "class", count, MIXED)
    print("\n| GPUs | workers for each | seconds | submissions a minute | speed-up | compile, check, time: s |")
    print("|---|---|---|---|---|---|")
    alone = 0.0
    for gpus, each in [(visible[:1], 1), (visible[:1], 2), *((visible[:number], 4) for number in steps(len(visible)))]:
        output = place / f"with{len(gpus)}-{each}"
        seconds = batch(students, output, "--workers", str(each * len(gpus)), gpus=gpus)
        alone = alone or seconds
        cells = f"{seconds:.1f} | {60 * count / seconds:.1f} | {alone / seconds:.2f} | {stages(output)}"
        print(f"| {len(gpus)} | {each} | {cells} |", flush=True)


def stages(output: Path) -> str:
    """The median seconds of each stage over the submissions."""
    timings = [report["stages"] for report in reports(output).values()]
    known = {stage: [timing[stage] for timing in timings if stage in timing] for stage in ("compile", "check", "time")}
    return ", ".join(f"{median(seconds):.1f}" for seconds in known.values())


def steps(gpus: int) -> Iterator[int]:
    workers = 1
    while workers <= gpus:
        yield workers
        workers *= 2


def agreement(place: Path, count: int) -> None:
    """The ratios of a class, whose baselines are shared, beside those of a grade by itself."""
    students, output = submissions(place / "class", count), place / "batch"
    batch(students, output, "--workers", "1")
    shared = reports(output)
    print("\n| kernel | N | times naive, alone | in a class | % of cuBLAS, alone | in a class |")
    print("|---|---|---|---|---|---|")
    for number, kernel in enumerate(KERNELS):
        command("run", students / f"student{number:03}" / "matmul.cu", "--rubric", RUBRIC, "--output", place / kernel)
        alone = json.loads((place / kernel / "report.json").read_text())
        same = [report for student, report in shared.items() if int(student[-3:]) % len(KERNELS) == number]
        for index, mine in enumerate(alone["measurements"]):
            others = [report["measurements"][index] for report in same if len(report["measurements"]) > index]
            cells = (shown(mine, others, "speedup", 1), shown(mine, others, "library_fraction", 100))
            print(f"| {kernel} | {mine['shape']['N']} | {' | '.join(cells)} |")
    drifts = [report["shared_baselines"]["drift"] for report in shared.values() if report["shared_baselines"]]
    checked = [f"{drift:+.2%}" for drift in drifts if drift is not None]
    print(f"\nBaselines measured {len(drifts) - len(checked)} times; drift when checked: {', '.join(checked)}")


def shown(mine: dict[str, Any], others: Sequence[dict[str, Any]], what: str, times: float) -> str:
    values = [times * other[what]["median"] for other in others]
    return f"{times * mine[what]['median']:.2f} | {min(values):.2f} to {max(values):.2f}" if values else "- | -"


WHAT = {"overhead": (overhead, 8), "mixed": (mixed, 32), "agreement": (agreement, 8)}


def main() -> None:
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    if what not in WHAT:
        sys.exit(__doc__)
    if what != "overhead":
        machine.choose(Backend.CUDA)
    measure, usual = WHAT[what]
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), int(sys.argv[2]) if len(sys.argv) > 2 else usual)


if __name__ == "__main__":
    main()
