"""Studies for figures and tables, with invented numbers like those of a large GPU."""

from dataclasses import replace
from typing import Any

from grader.contract.timing_messages import Transfer
from grader.model import (
    Backend,
    Interval,
    Launch,
    Machine,
    Measurement,
    Resources,
    Shape,
    Telemetry,
    Verdict,
)
from grader.study.measure.records import Roof, Row, Study

SIZES = (256, 512, 1024, 1025, 2047, 2048)
TOP = {"naive": 6800.0, "cublas": 51000.0, "blas": 820.0}
BLOCKS = {"8": (5200.0, 40), "16": (8200.0, 38), "32": (8900.0, 34)}
HASH = "0123456789abcdef" * 4
VERSIONS = {"driver": "580.1", "cuda": "13.0", "nvcc": "13.0.88", "nvidia-cublas": "13.1.0", "numpy": "2.1.0"}
GPU = Machine(Backend.CUDA, "there is a GPU", "Linux x86_64", "NVIDIA H200", "sm_90", 66908.0, VERSIONS)
ROOF = Roof(
    66908.0, 4916.0, Interval(4210.0, 4190.0, 4222.0),
    {"MULTIPROCESSOR_COUNT": 132, "TOTAL_MEMORY": 150_000_000_000, "L2_CACHE_SIZE": 62_914_560,
     "CLOCK_RATE": 1_980_000, "MEMORY_CLOCK_RATE": 3_201_000, "GLOBAL_MEMORY_BUS_WIDTH": 6144,
     "WARP_SIZE": 32, "MAX_THREADS_PER_BLOCK": 1024},
)  # fmt: skip


def square(n: int) -> Shape:
    return Shape(n, n, n)


def about(value: float, width: float = 0.004) -> Interval:
    return Interval(value, value * (1 - width), value * (1 + width))


def speed(top: float, n: int) -> float:
    """Rising with the size, lower beside a multiple of 32."""
    return top * n / (n + 500) * (1.0 if n % 32 == 0 else 0.92)


def measured(subject: str, gflops: float, n: int) -> Measurement:
    seconds = square(n).flops / gflops / 1e9
    on_device = subject != "blas"
    return Measurement(
        square(n),
        about(seconds),
        about(gflops),
        9,
        120,
        speedup=about(gflops / speed(TOP["naive"], n)) if on_device else None,
        library_fraction=about(gflops / speed(TOP["cublas"], n)) if on_device else None,
        telemetry=Telemetry(1980, 3201, 41, ()) if on_device else None,
    )


def kernel(file: str, defines: dict[str, str], top: float, n: int, side: int, registers: int = 32) -> Row:
    name = " ".join([file.removesuffix(".cu"), *(f"{key}={value}" for key, value in defines.items())])
    measurement = measured("kernel", speed(top, n), n)
    return Row(
        "kernel",
        name,
        file,
        defines,
        square(n),
        Verdict.OK,
        launch=Launch((min(side, 32), min(side, 32), 1), (side, side)),
        resources=Resources(registers, 8 * side * side, 0, 0, 4, 0.75),
        measurement=measurement,
        transfer=Transfer(n * n / 1.25e9, measurement.seconds.median + 6e-6, n * n / 2.4e9),
    )


def beside(row: Row) -> list[Row]:
    """The baselines that were measured in the same rounds."""
    n = row.shape.N
    base = replace(row, resources=None, transfer=None, launch=None)
    return [
        replace(base, subject="naive", launch=Launch((16, 16, 1), (16, 16)),
                measurement=measured("naive", speed(TOP["naive"], n), n)),
        replace(base, subject="cublas", implementation="cuBLAS 13.1.0",
                measurement=measured("cublas", speed(TOP["cublas"], n), n)),
    ]  # fmt: skip


def blas(n: int) -> Row:
    measurement = measured("blas", speed(TOP["blas"], n), n)
    return Row(
        "blas", "", "", {}, square(n), Verdict.OK, measurement=measurement, implementation="openblas, 16 threads"
    )


def failed(file: str, verdict: Verdict, reason: str, n: int | None = None) -> Row:
    return Row("kernel", file.removesuffix(".cu"), file, {}, square(n) if n else None, verdict, reason)


def study(rows: list[Row], **changes: Any) -> Study:
    whole = Study(
        grader_version="0.1.0",
        started="2025-03-01T09:30:00+00:00",
        command="grade sweep tiled.cu --define BLOCK=8,16,32",
        rubric="Square matrix multiplication, float32",
        rubric_sha256=HASH,
        types=("float32", "float32", "float32"),
        machine=GPU,
        roof=ROOF,
        rows=tuple(rows),
    )
    return replace(whole, **changes)


def blocks(sizes: tuple[int, ...] = SIZES) -> Study:
    """One file with three block sizes, and two kernels that fail."""
    kernels = [
        kernel("tiled.cu", {"BLOCK": block}, top, n, int(block), registers)
        for block, (top, registers) in BLOCKS.items()
        for n in sizes
    ]
    rows = [line for row in kernels for line in (row, *beside(row))]
    wrong = failed("early.cu", Verdict.WRONG_ANSWER, "32 of 65025 elements of C are wrong.", 255)
    broken = failed("typo.cu", Verdict.COMPILE_ERROR, "The file does not compile in line 3: a ; is missing.")
    return study([*rows, wrong, broken, *(blas(n) for n in sizes)])


def ladder(sizes: tuple[int, ...] = SIZES) -> Study:
    """Six kernels, each faster than the one before."""
    tops = {"naive_uncoalesced": 700, "naive": 6800, "tiled_16": 8200, "tiled_32": 8900, "register_blocked": 27000,
            "warp_tiled": 48000}  # fmt: skip
    sides = {"tiled_32": 32, "register_blocked": 64, "warp_tiled": 128}
    rows = [
        line
        for name, top in tops.items()
        for n in sizes
        for row in [kernel(f"{name}.cu", {}, top, n, sides.get(name, 16))]
        for line in (row, *beside(row))
    ]
    return study([*rows, *(blas(n) for n in sizes)])


def simulated() -> Study:
    """Right and wrong, and no speed."""
    row = replace(kernel("tiled.cu", {"BLOCK": "8"}, 1.0, 64, 8), measurement=None, transfer=None, resources=None)
    machine = Machine(Backend.SIMULATOR, "there is no GPU", "Linux x86_64", "2 x x86_64")
    return study([row, failed("early.cu", Verdict.WRONG_ANSWER, "C is wrong.", 64)], machine=machine, roof=Roof())
