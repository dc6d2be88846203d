"""Run the README's commands and grade a few submissions, as a user of this system: the work of .ci/environments.

    .venv/bin/python .ci/environment_row.py RESULT.json

The toolkit and the host compiler are those that the environment chooses. What nvcc alone refuses as well is listed as
what this toolkit cannot compile; everything else that is not as expected makes the result red, and the exit status 1.
"""

from __future__ import annotations

import csv
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SMALL_LAB = ROOT / ".ci/small_lab.toml"
IN_HALF_PRECISION = (  # what makes it a lab of matrices in half precision
    ('"naive.cu"', '"tensor_cores/naive.cu"'),
    ('"C", "N"]', '"C", "M", "N", "K"]\ntypes = { A = "float16", B = "float16", C = "float32" }'),
)
# Submissions of tests/submissions. The honest ones have, together, the headers that students include.
SQUARE_KERNELS = (
    "honest/program_with_the_standard_library", "honest/program_with_threads_of_the_host",
    "honest/program_with_unused_libraries", "honest/cooperative_groups_reduce", "honest/block_barrier_object",
    "honest/last_block_with_atomic_ref", "honest/async_copies", "honest/warp_reduce_of_cub", "honest/mdspan",
    "wrong/k_one_short", "wrong/missing_first_barrier", "wrong/no_guard", "wrong/uninitialised_accumulator",
    "wrong/shuffle_mask_of_half_a_warp", "wrong/grid_sync_skipped_by_some_blocks", "broken/undeclared_name",
    "broken/static_shared_too_large", "broken/trap", "broken/size_as_float",
)  # fmt: skip
MORE_KERNELS = sorted((ROOT / ".ci/kernels").glob("*.cu"))
HALF_KERNELS = ("honest/mma_with_ldmatrix",)
FIRST_LINE = re.compile(r"// expect: (?:simulator )?([a-z-]+)")
SUMMARY = re.compile(r"(?:\d+ \w+, )*\d+ (?:passed|failed|error)[^\n]*?(?= in )")
LONGEST = 300  # characters of a message
LONGEST_END = 2000  # of the output of a command


@dataclass(frozen=True)
class Graded:
    """What the gradebook says of a submission."""

    file: Path
    expected: str
    verdict: str
    problem: str


def main(result: Path) -> int:
    """Run and grade everything, write the result, and print it in a few lines."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["GRADER_CACHE"] = str(folder / "cache")  # what another version of the grader compiled is of no use
        ends = commands(folder)
        red = [f"{words}: {ended.stdout[-LONGEST_END:]}" for words, ended in ends.items() if ended.returncode]
        square, half = [*handed_in(SQUARE_KERNELS, folder), *MORE_KERNELS], handed_in(HALF_KERNELS, folder)
        every = [*a_class(folder / "square", square), *a_class(folder / "half", half)] if starter(folder) else []
        row = versions(folder) | readme(folder, ends["make test-fast"].stdout) | sorted_out(every, folder, red)
    result.write_text(json.dumps(row, indent=1) + "\n")
    print(json.dumps(row, indent=1))
    return 1 if row["red"] else 0


def commands(folder: Path) -> dict[str, subprocess.CompletedProcess[str]]:
    """Run doctor and the commands of the README; the report on the starter stays in the folder."""
    return {
        "doctor": grade(folder, "doctor"),
        "make grade": run(["make", "grade", f"OUTPUT={folder}/starter"], ROOT),
        "make test-fast": run(["make", "test-fast"], ROOT),
    }


def starter(folder: Path) -> dict[str, Any]:
    """Return the report on the starter, which is empty if it was not graded."""
    report = folder / "starter/report.json"
    return json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}


def readme(folder: Path, tests: str) -> dict[str, str]:
    """Return how the commands of the README ended."""
    score = starter(folder).get("score") or {"earned": 0, "points": 0}
    summary = SUMMARY.search(tests)
    return {
        "grade": f"{score['earned']:g} of {score['points']:g} points",
        "tests": summary[0] if summary else "no result",
    }


def handed_in(names: Sequence[str], folder: Path) -> list[Path]:
    """Write submissions of the tests to files of their names; some are the changes of another."""
    for name in names:
        path = folder / f"{name}.cu"
        path.parent.mkdir(exist_ok=True)
        path.write_text(run([sys.executable, "-m", "tests.corpus", name], ROOT).stdout, encoding="utf-8")
    return [folder / f"{name}.cu" for name in names]


def a_class(folder: Path, kernels: Sequence[Path]) -> Iterator[Graded]:
    """Grade the kernels as those of a class, and yield each line of its gradebook."""
    for kernel in kernels:
        student = folder / "class" / kernel.stem
        student.mkdir(parents=True)
        shutil.copy(kernel, student / "matmul.cu")
    rubric(folder / "lab.toml", halved=folder.name == "half")
    ended = grade(folder, "batch", "class", "--rubric", "lab.toml", "--backend", "simulator")
    gradebook = folder / "grade-results/gradebook.csv"
    lines = list(csv.DictReader(gradebook.open(encoding="utf-8"))) if gradebook.exists() else []
    said = {line["student"]: (line["verdict"] or line["state"], line["problem"]) for line in lines}
    for kernel in kernels:
        verdict, problem = said.get(kernel.stem, ("not graded", ended.stdout[-LONGEST:]))
        yield Graded(kernel, expected(kernel), verdict, problem[:LONGEST])


def rubric(path: Path, *, halved: bool) -> None:
    """Write the small lab, or the same with factors in half precision."""
    text = SMALL_LAB.read_text(encoding="utf-8")
    for word, other in IN_HALF_PRECISION if halved else ():
        text = text.replace(word, other)
    path.write_text(text, encoding="utf-8")


def expected(kernel: Path) -> str:
    """Return the verdict that the first line of a kernel names."""
    read = FIRST_LINE.match(kernel.read_text(encoding="utf-8"))
    return read[1] if read else "unknown"


def sorted_out(every: Sequence[Graded], folder: Path, red: list[str]) -> dict[str, object]:
    """Count what is as expected, and tell what the toolkit cannot compile from what the grader gets wrong."""
    other = [graded for graded in every if graded.verdict != graded.expected]
    cannot = [graded for graded in other if graded.expected == "ok" and not compiles(graded.file, folder)]
    wrong = [f"{graded.file.stem}: {graded.verdict}: {graded.problem}" for graded in other if graded not in cannot]
    right = [graded for graded in every if graded.verdict == graded.expected]
    return {
        "honest": sum(graded.expected == "ok" for graded in right),
        "wrong": sum(graded.expected != "ok" for graded in right),
        "cannot": {graded.file.stem: graded.problem for graded in cannot},
        "red": red + wrong,
    }


def compiles(kernel: Path, folder: Path) -> bool:
    """Whether nvcc alone compiles the file, with the words that compiled the starter and the grader's own headers."""
    words = [word for word in starter(folder)["build"]["command"][1:] if word != "matmul.cu"]
    headers = f"-I{ROOT}/grader/include", f"-Xcompiler=-idirafter,{ROOT}/grader/worker/frontend/standins"
    return run([nvcc(), *words, *headers, str(kernel), "-o", str(folder / "alone.cubin")], folder).returncode == 0


def nvcc() -> str:
    """Return the compiler that the environment chooses."""
    return f"{os.environ['CUDA_ROOT']}/bin/nvcc" if "CUDA_ROOT" in os.environ else "nvcc"


def versions(folder: Path) -> dict[str, object]:
    """Return what this environment consists of; the preprocessor tells which host compiler nvcc starts."""
    (folder / "host.cu").write_text("host __VERSION__\n")
    release = re.search(r"V([\d.]+)", run([nvcc(), "--version"], ROOT).stdout)
    host = re.search(r'host "(?:\w+ )?(Clang )?([\d.]+)', run([nvcc(), "-E", "host.cu"], folder).stdout)
    return {
        "system": platform.freedesktop_os_release()["PRETTY_NAME"],
        "glibc": platform.libc_ver()[1],
        "python": platform.python_version(),
        "nvcc": release[1] if release else "?",
        "host": f"{'clang' if host[1] else 'g++'} {host[2]}" if host else "?",
        "measured": date.today().isoformat(),
    }


def grade(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the grader."""
    return run([sys.executable, "-m", "grader", *words], folder)


def run(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command, with both of its outputs in one."""
    return subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
