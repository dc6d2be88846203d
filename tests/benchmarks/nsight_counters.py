"""Nsight Compute's counters of the launches that `counters.py` has counted, and the figures of docs/measurements.md.

python3 tests/benchmarks/nsight_counters.py COUNTED RESULTS [SECONDS]

Needs a GPU, nvcc and ncu, and no package of Python. All kernels are in one program, and a start of ncu profiles several
of them. RESULTS has what was measured: a run that was stopped after SECONDS resumes there. Without a GPU, or with 0
SECONDS, it prints the tables of RESULTS.
"""

import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeAlias

from tests.corpus import content

ROOT = Path(__file__).parents[2]
NCU, NVCC = (shutil.which(name) or f"/usr/local/cuda/bin/{name}" for name in ("ncu", "nvcc"))
AT_A_TIME = 6  # kernels of a start of ncu
CLOSE = 0.02
_SASS = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared"  # from the addresses of each instruction
_PIPE = "l1tex__data_pipe_lsu_wavefronts_mem_shared"  # of the data stage: also cycles in which it waits for others
_THREADS = "smsp__sass_thread_inst_executed_op_{}_pred_on.sum"

Row: TypeAlias = dict[str, Any]

COUNTERS = {  # the metrics of one line are added
    "global loads, requests": ("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",),
    "global loads, sectors": ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",),
    "global stores, requests": ("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",),
    "global stores, sectors": ("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",),
    "global copies, requests": ("smsp__inst_executed_op_ldgsts.sum",),
    "shared loads, requests": ("smsp__inst_executed_op_shared_ld.sum",),
    "shared loads, wavefronts": (f"{_SASS}_op_ld.sum",),
    "shared loads, wavefronts with waits": (f"{_PIPE}_op_ld.sum",),
    "shared stores, requests": ("smsp__inst_executed_op_shared_st.sum",),
    "shared stores, wavefronts": (f"{_SASS}_op_st.sum",),
    "shared stores, wavefronts with waits": (f"{_PIPE}_op_st.sum",),
    "multiply-adds": tuple(_THREADS.format(name) for name in ("ffma", "fmul", "fadd", "dfma", "dmul", "dadd")),
    "half instructions": tuple(_THREADS.format(name) for name in ("hfma", "hmul", "hadd")),  # and HADD2 of conversions
    "tensor instructions": ("sm__inst_executed_pipe_tensor_op_hmma.sum",),
    "instructions": ("smsp__inst_executed.sum",),
}
UTILISATION = {  # per cent of the peak, for the limiter
    "arithmetic": "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_elapsed",
    "instruction issue": "sm__inst_issued.avg.pct_of_peak_sustained_elapsed",
    "shared memory": "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed",
    "barriers": "sm__inst_executed_pipe_adu.avg.pct_of_peak_sustained_elapsed",
    "double precision": "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed",
    "doubles": "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_elapsed",
    "halves": "sm__inst_executed_pipe_fp16.avg.pct_of_peak_sustained_elapsed",
    "tensor cores": "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "L1 cache": "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed",
    "L1 requests": "l1tex__lsuin_requests.avg.pct_of_peak_sustained_elapsed",
    "L1 sectors": "l1tex__t_sectors.avg.pct_of_peak_sustained_elapsed",
    "L2 cache": "lts__t_sectors.avg.pct_of_peak_sustained_elapsed",
    "memory": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
}
TIME = "gpu__time_duration.sum"
OF_SOME_DEVICES = {  # left out where --query-metrics does not list them
    *COUNTERS["half instructions"], *COUNTERS["tensor instructions"],
    *(UTILISATION[name] for name in ("doubles", "halves", "tensor cores")),
}  # fmt: skip
METRICS = (*(metric for several in COUNTERS.values() for metric in several), *UTILISATION.values(), TIME)
KERNEL = """
#define matmul matmul_{number}
#define __lab_launch __lab_launch_{number}
#include "{source}"
extern "C" void run_{number}(char *memory, size_t room)
{{
    if (room < sizeof(double) * {N} * {N})
        return;
    cudaFuncSetAttribute(matmul, cudaFuncAttributeMaxDynamicSharedMemorySize, {shared});
    matmul<<<dim3({grid}), dim3({block}), {shared}>>>({arguments});
}}
"""
HOST = """
#include <cstdio>
#include <cstdlib>
{declarations}
int main(int count, char **words)
{{
    void (*const runs[])(char *, size_t) = {{ {names} }};
    char *memory;
    const size_t room = sizeof(double) * {N} * {N};  // for each matrix
    if (cudaMalloc(&memory, 3 * room) != cudaSuccess)
        return 1;
    cudaMemset(memory, 0, 3 * room);
    for (int i = 1; i < count; ++i)
        runs[std::atoi(words[i])](memory, room);
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}}
"""


def main(counted: str, results: str, seconds: str = "inf") -> None:
    """Profile what RESULTS lacks, and print the tables."""
    rows: list[Row] = json.loads(Path(counted).read_text())
    to, until = Path(results), time.monotonic() + float(seconds)
    known: dict[str, dict[str, float]] = json.loads(to.read_text()) if to.exists() else {}
    missing = [number for number, row in enumerate(rows) if _name(row) not in known]
    if missing and float(seconds):
        with tempfile.TemporaryDirectory() as folder:
            program = _built(rows, Path(folder))
            metrics = _available(program, min(missing, key=lambda number: rows[number]["size"]))
            while missing and time.monotonic() < until:
                several, missing = missing[:AT_A_TIME], missing[AT_A_TIME:]
                measured = _measured(program, several, metrics)
                known |= {_name(rows[number]): values for number, values in measured.items()}
                to.write_text(json.dumps(known, indent=1))
                print(f"{len(known)} of {len(rows)} kernels", file=sys.stderr, flush=True)
    for line in tables(rows, known):
        print(line)


def _name(row: Row) -> str:
    file = Path(row["file"])
    name = file.stem if file.parent.name in {"reference", "kernels"} else f"{file.parent.name}/{file.stem}"
    return name + (" (fixed)" if row["flag"] else "")


def _built(rows: list[Row], folder: Path) -> Path:
    """Compile the kernels, several at a time, and link them to one program."""
    numbers = range(len(rows))
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        objects = list(pool.map(lambda number: _object(rows[number], number, folder), numbers))
    host = folder / "host.cu"
    declarations = "\n".join(f'extern "C" void run_{number}(char *, size_t);' for number in numbers)
    names = ", ".join(f"run_{number}" for number in numbers)
    host.write_text(HOST.format(declarations=declarations, names=names, N=max(row["size"] for row in rows)))
    # Kernels may have functions of one name for the host too, which nothing calls.
    link = [NVCC, "-Xlinker", "--allow-multiple-definition"]
    _run([*link, str(host), *map(str, objects), "-o", str(folder / "host")])
    return folder / "host"


def _object(row: Row, number: int, folder: Path) -> Path:
    source, made = folder / f"{number}.cu", folder / f"{number}.o"
    kernel = folder / f"kernel_{number}.cu"
    kernel.write_bytes(content(ROOT / row["file"]))
    words = {key: ", ".join(map(str, row[key])) for key in ("grid", "block")}
    text = KERNEL.format(
        number=number,
        source=kernel,
        N=row["size"],
        shared=row["shared"],
        arguments=_arguments(row),
        **words,
    )
    source.write_text(text)
    flags = [row["flag"]] if row["flag"] else []
    include = ["-I", str(ROOT / "grader" / "include"), "-std=c++17", "-arch=sm_90", "-O3"]
    _run([NVCC, *include, *flags, "-c", str(source), "-o", str(made)])
    return made


def _arguments(row: Row) -> str:
    """Return the arguments of a launch: the matrices, each with room of its own, and the size for all others."""
    places = enumerate(zip("ABC", row["types"], strict=True))
    pointers = {name: f"({kind} *)(memory + {place} * room)" for place, (name, kind) in places}
    return ", ".join(pointers.get(name, str(row["size"])) for name in row["parameters"])


def _available(program: Path, number: int) -> list[str]:
    """Return the metrics that this Nsight Compute has on this GPU; one that it lacks would end the others' run."""
    listed = _run([NCU, "--query-metrics"])
    metrics = [name for name in METRICS if name not in OF_SOME_DEVICES or name.partition(".")[0] in listed]
    if _measured(program, [number], metrics):
        return metrics
    return [metric for metric in metrics if _measured(program, [number], [metric])]


def _measured(program: Path, numbers: list[int], metrics: list[str]) -> dict[int, dict[str, float]]:
    """Return the metrics of one launch of each kernel."""
    command = [NCU, "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base", "--metrics",
               ",".join(metrics), str(program), *map(str, numbers)]  # fmt: skip
    output = _run(command)
    rows = list(csv.DictReader(line for line in output.splitlines() if line.startswith('"')))[1:]  # units come first
    launches = {int(row["Kernel Name"].partition("(")[0].rpartition("_")[2]): row for row in rows}
    if not launches:
        print(output[-600:], file=sys.stderr)
    return {number: _numbers(row, metrics) for number, row in launches.items()}


def _numbers(row: dict[str, str], metrics: list[str]) -> dict[str, float]:
    cells = {metric: row.get(metric, "").replace(",", "") for metric in metrics}
    return {metric: float(cell) for metric, cell in cells.items() if cell and cell[0].isdigit()}


def _run(command: list[str]) -> str:
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode:
        print(ended.stdout[-600:], ended.stderr[-600:], file=sys.stderr)
    return ended.stdout


def tables(rows: list[Row], known: dict[str, dict[str, float]]) -> list[str]:
    """Return the grader's counters beside Nsight Compute's, how many are close, and the limiters."""
    rows = [row for row in rows if _name(row) in known]
    lines = [f"| kernel | {' | '.join(COUNTERS)} |", "|---|" + "---|" * len(COUNTERS)]
    close: dict[str, list[bool]] = {name: [] for name in COUNTERS}
    for row in rows:
        cells = []
        for name, metrics in COUNTERS.items():
            own, values = row["counters"][name.removesuffix(" with waits")], known[_name(row)]
            theirs = sum(values[metric] for metric in metrics) if set(metrics) <= set(values) else None
            cells.append(_compared(own, theirs))
            if theirs is not None and (own or theirs):
                close[name].append(abs(own - theirs) <= CLOSE * theirs)
        lines.append(f"| {_name(row)} | {' | '.join(cells)} |")
    lines += [f"| within 2 % | {' | '.join(f'{sum(every)} of {len(every)}' for every in close.values())} |", ""]
    lines.append("| kernel | limiter | Nsight Compute, % of peak | time, us | largest bound, us | first advice |")
    return [*lines, "|---|---|---|---|---|---|", *(_limits(row, known[_name(row)]) for row in rows)]


def _compared(own: int, theirs: float | None) -> str:
    if theirs is None:
        return "-"
    if not theirs:
        return "0" if not own else f"{own:,} / 0"
    return f"{own:,} / {theirs:,.0f} ({own / theirs - 1:+.1%})"


def _limits(row: Row, values: dict[str, float]) -> str:
    used = sorted(((values[metric], name) for name, metric in UTILISATION.items() if metric in values), reverse=True)
    words = ", ".join(f"{name} {value:.0f}" for value, name in used[:3])
    largest = max(row["bounds"].values())
    cells = row["limiter"], words, f"{values.get(TIME, 0) / 1e3:.1f}", f"{largest:.1f}", row["advice"]
    return f"| {_name(row)} | {' | '.join(cells)} |"


if __name__ == "__main__":
    main(*sys.argv[1:])
