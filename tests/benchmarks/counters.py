"""The grader's counters beside those of Nsight Compute, for the ladder and the kernels with a planted problem.

python -m tests.benchmarks.counters count counted.json     counts on the simulator; needs no GPU
python tests/benchmarks/counters.py profile counted.json ncu.json
                                                           profiles the same launches; needs a GPU, nvcc and ncu only
python -m tests.benchmarks.counters table counted.json ncu.json
                                                           prints the tables of docs/measurements.md
"""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SIZE = 2048  # where the file of a planted problem names none
OWN_SIZE = re.compile(r"^// size: (\d+)", re.MULTILINE)
LADDER = ("naive_uncoalesced", "naive", "tiled_16", "tiled_32", "block_tile_1d", "register_blocked", "block_tile_2d",
          "vectorised", "warp_tiled")  # fmt: skip
PLANTED = ROOT / "tests" / "advice" / "kernels"
NCU, NVCC = (shutil.which(name) or f"/usr/local/cuda/bin/{name}" for name in ("ncu", "nvcc"))

COUNTERS = {
    "global loads, requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "global loads, sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global stores, requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "global stores, sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "shared loads, wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared stores, wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "multiply-adds": "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
    "instructions": "smsp__inst_executed.sum",
}
UTILISATION = {  # per cent of the peak, for the limiter
    "arithmetic": "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_elapsed",
    "instruction issue": "sm__inst_issued.avg.pct_of_peak_sustained_elapsed",
    "shared memory": "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed",
    "barriers": "sm__inst_executed_pipe_adu.avg.pct_of_peak_sustained_elapsed",
    "double precision": "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed",
    "L1 cache": "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed",
    "L1 requests": "l1tex__lsuin_requests.avg.pct_of_peak_sustained_elapsed",
    "L1 sectors": "l1tex__t_sectors.avg.pct_of_peak_sustained_elapsed",
    "L2 cache": "lts__t_sectors.avg.pct_of_peak_sustained_elapsed",
    "memory": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "time": "gpu__time_duration.sum",
}
HOST = """
#include "{source}"
#include <cstdio>
int main()
{{
    float *memory;
    const size_t count = size_t({N}) * {N};
    if (cudaMalloc(&memory, 3 * count * sizeof(float)) != cudaSuccess)
        return 1;
    cudaMemset(memory, 0, 3 * count * sizeof(float));
    cudaFuncSetAttribute(matmul, cudaFuncAttributeMaxDynamicSharedMemorySize, {shared});
    for (int i = 0; i < 2; ++i)
        matmul<<<dim3({grid}), dim3({block}), {shared}>>>(memory, memory + count, memory + 2 * count, {N});
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}}
"""


def count(path: Path) -> None:
    """Count every kernel, with its launch and the limiter on an H200."""
    from grader.advice.advise import advice
    from grader.advice.devices import GPUS
    from grader.model import Shape
    from tests.advice.counted import SQUARE, counted

    rows = []
    files = [(ROOT / "reference" / f"{name}.cu", "") for name in LADDER]
    files += [(file, flag) for file in sorted(PLANTED.glob("*.cu")) for flag in ("", "-DFIXED")]
    for file, flag in files:
        size = size_of(file)
        counters, launch = counted(file, size, (flag,) if flag else ())
        given = advice(counters, launch, SQUARE.interface, GPUS["h200"])
        rows.append(
            {
                "file": str(file.relative_to(ROOT)),
                "flag": flag,
                "size": size,
                "block": launch.block,
                "grid": launch.grid(Shape(size, size, size)),
                "shared": launch.shared,
                "limiter": given.bounds[0].resource,
                "advice": given.items[0].name if given.items else "",
                "bounds": {bound.resource: bound.microseconds for bound in given.bounds},
                "counters": _comparable(counters),
            }
        )
    path.write_text(json.dumps(rows, indent=1))


def size_of(file: Path) -> int:
    """Return the size at which a kernel is counted."""
    named = OWN_SIZE.search(file.read_text())
    return int(named[1]) if named else SIZE


def _comparable(counters: Any) -> dict[str, int]:
    def total(space: str, kind: str, quantity: str) -> int:
        some = (access for access in counters.accesses if (access.space, access.kind) == (space, kind))
        return sum(getattr(access, quantity) for access in some)

    return {
        **{
            f"global {kind}s, {quantity}": total("global", kind, quantity)
            for kind in ("load", "store")
            for quantity in ("requests", "sectors")
        },
        **{f"shared {kind}s, wavefronts": total("shared", kind, "wavefronts") for kind in ("load", "store")},
        "multiply-adds": counters.multiply_adds * 32,
        "instructions": counters.instructions,
    }


def profile(path: Path, to: Path) -> None:
    """Add what Nsight Compute counts to each row; it is written after each kernel."""
    rows = json.loads(path.read_text())
    for row in rows:
        row["ncu"] = _profiled(row)
        to.write_text(json.dumps(rows, indent=1))
        print(row["file"], row["flag"], len(row["ncu"]), "metrics", flush=True)


def _profiled(row: dict[str, Any]) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        words = {key: ", ".join(map(str, row[key])) for key in ("grid", "block")}
        text = HOST.format(source=ROOT / row["file"], N=row["size"], shared=row["shared"], **words)
        source, program = Path(folder) / "host.cu", Path(folder) / "host"
        source.write_text(text)
        flags = [row["flag"]] if row["flag"] else []
        include = ["-I", str(ROOT / "grader" / "include"), "-std=c++17", "-arch=native", "-O3"]
        _run([NVCC, *include, *flags, str(source), "-o", str(program)])
        counts: dict[str, float] = {}
        for names in (COUNTERS, UTILISATION):
            counts |= _metrics(program, names) or {
                key: value for name in names for key, value in _metrics(program, {name: names[name]}).items()
            }
        return counts


def _metrics(program: Path, names: dict[str, str]) -> dict[str, float]:
    """The metrics of the second launch; none if Nsight Compute lacks one of them."""
    command = [NCU, "--clock-control", "none", "--launch-skip", "1", "--launch-count", "1", "--csv", "--page", "raw",
               "--print-units", "base", "--metrics", ",".join(names.values()), str(program)]  # fmt: skip
    output = _run(command)
    table = list(csv.DictReader(line for line in output.splitlines() if line.startswith('"')))
    if not table:
        print(output[-600:], file=sys.stderr)
        return {}
    values = table[-1]
    known = {name: values.get(metric, "") for name, metric in names.items()}
    return {name: float(value.replace(",", "")) for name, value in known.items() if value and value[0].isdigit()}


def _run(command: list[str]) -> str:
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode:
        print(ended.stdout[-600:], ended.stderr[-600:], file=sys.stderr)
    return ended.stdout


def table(path: Path, profiled: Path) -> None:
    """Print the grader's counters / Nsight Compute's, and the limiters."""
    fresh = {(row["file"], row["flag"]): row for row in json.loads(path.read_text())}
    kernels = (row for row in json.loads(profiled.read_text()) if "ncu" in row)  # a run may have been stopped
    rows = [{**row, **fresh[row["file"], row["flag"]]} for row in kernels]
    print("| kernel |", " | ".join(COUNTERS), "|\n|---|" + "---|" * len(COUNTERS))
    for row in rows:
        cells = (_compared(row["counters"].get(name, 0), row["ncu"].get(name)) for name in COUNTERS)
        print(f"| {_name(row)} |", " | ".join(cells), "|")
    print("\n| kernel | limiter | Nsight Compute, % of peak | time, us | largest bound, us | first advice |")
    print("|---|---|---|---|---|---|")
    for row in rows:
        used = sorted((row["ncu"][name], name) for name in UTILISATION if name in row["ncu"] and name != "time")[::-1]
        words = ", ".join(f"{name} {value:.0f}" for value, name in used[:3])
        time = row["ncu"].get("time", 0) / 1e3
        largest = max(row["bounds"].values())
        print(f"| {_name(row)} | {row['limiter']} | {words} | {time:.1f} | {largest:.1f} | {row['advice']} |")


def _name(row: dict[str, Any]) -> str:
    return Path(row["file"]).stem + (" (fixed)" if row["flag"] else "")


def _compared(own: int, theirs: float | None) -> str:
    if theirs is None:
        return "-"
    if not theirs:
        return "0" if not own else f"{own:,} / 0"
    return f"{own:,} / {theirs:,.0f} ({own / theirs - 1:+.1%})"


if __name__ == "__main__":
    {"count": count, "profile": profile, "table": table}[sys.argv[1]](*map(Path, sys.argv[2:]))
