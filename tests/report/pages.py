"""Reports to look at: what a page has to show, with speeds as an H200 has them."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from grader.host import installation
from grader.model import (
    AccessCount,
    Accuracy,
    Backend,
    Build,
    CaseResult,
    Counters,
    Element,
    Fault,
    Interval,
    Launch,
    LoopMix,
    Machine,
    Measurement,
    Mismatch,
    Region,
    Report,
    Resources,
    Rubric,
    Shape,
    State,
    Telemetry,
    Verdict,
    WrongPart,
)
from grader.rubric import load
from grader.rubric.score import score
from tests.report import examples

SCRIPT = "<script>alert(1)</script>.cu"
RUNS = ("first", "second", "first", "second")
# Microseconds at 256, 512, 1024, 1025, 2047 and 2048: the naive kernel, a register-blocked one, cuBLAS.
NAIVE = (13.1, 39.4, 214.0, 246.0, 1640.0, 1612.0)
BLOCKED = (12.4, 23.6, 71.0, 79.5, 451.0, 436.0)
LIBRARY = (8.2, 13.9, 49.6, 60.1, 352.0, 345.0)


def square(size: int) -> Shape:
    return Shape(size, size, size)


def kernel() -> bytes:
    return (installation.folder("reference") / "register_blocked.cu").read_bytes()


@cache
def graded() -> Report:
    """A right and fast kernel on a GPU, in the square lab."""
    lab = _larger_sizes(load.load(installation.folder("rubrics") / "square.toml"))
    accuracy = Accuracy(0.97, 0.36, 8.0)
    results = tuple(
        examples.ok(shape, run, accuracy=accuracy if run == "second" else None) for shape in lab.sizes for run in RUNS
    )
    versions = {"nvcc": "13.0.88", "driver": "580.95.05", "cuBLAS": "13.1.0", "python": "3.11.7", "numpy": "2.4.6"}
    report = examples.report(
        rubric=lab,
        source=replace(examples.report().source, name="register_blocked.cu"),
        results=results,
        machine=Machine(Backend.CUDA, "a GPU is there", "Linux x86_64", "NVIDIA H200", "sm_90", 66900.0, versions),
        build=_build(),
        measurements=tuple(_measured(place, BLOCKED) for place in range(len(BLOCKED))),
        baselines={
            "naive": tuple(_measured(place, NAIVE) for place in range(len(NAIVE))),
            "library": tuple(_measured(place, LIBRARY) for place in range(len(LIBRARY))),
        },
        stages={"compile": 2.31, "check": 5.6, "time": 9.84},
    )
    return replace(report, score=score(report))


def _larger_sizes(lab: Rubric) -> Rubric:
    """The lab without its size of a single element, at which mistakes have no pattern."""
    criteria = tuple(
        replace(criterion, sizes=tuple(size for size in criterion.sizes if size.N > 1)) for criterion in lab.criteria
    )
    return replace(lab, sizes=tuple(size for size in lab.sizes if size.N > 1), criteria=criteria)


@cache
def wrong() -> Report:
    """A kernel that drops the last tile, writes a corner wrongly, and is out of time at one size."""
    lab = graded().rubric
    slow = examples.failed(square(2049), "first", Verdict.TIMEOUT, "At N=2049 the kernel did not end within 20 s.")
    results = (_at(shape, run) for shape in lab.sizes[:-1] for run in RUNS)
    return _without_speed(graded(), results=(*results, slow))


def barrier() -> Report:
    """A kernel whose fault has a line, on the simulator."""
    fault = Fault(
        Verdict.BARRIER,
        "At N=33: the barrier at line 21 was reached by 16 of 256 threads of block (2, 0, 0).",
        "Do not return before the barrier: put the bounds check around the loads and the store instead.",
        21,
    )
    case = examples.ok(square(33), "first").case
    return simulated(results=(CaseResult(case, Verdict.BARRIER, 0.2, fault),))


def advised() -> Report:
    """A kernel with uncoalesced loads and a tile that computes more than C has, timed on a GPU."""
    shape, steps = square(2048), 2048**3 // 32
    loads = AccessCount(21, "global", "load", 4, steps // 256, steps // 8, steps // 8, 32.0, 8192, 0.0)
    shared = AccessCount(27, "shared", "load", 4, steps // 4, 0, steps // 4, 32.0, 4, 0.0)
    counted = Counters(
        shape, 1024, (loads, shared), 3 * steps, steps + steps // 8, steps // 16, 0, 0, 128, 128, 256, 4 * 10**6,
        LoopMix(27, 20, 16, 0, 8, 0, 4, 0, 0, 1, 0), 72, 0, 8448,
    )  # fmt: skip
    return examples.with_advice(replace(graded(), counters=counted))


def simulated(**changes: Any) -> Report:
    machine = Machine(Backend.SIMULATOR, "no NVIDIA driver is installed", "Linux x86_64", "2 x x86_64")
    build = replace(
        _build(), resources=None, compiler="g++ 12.2.0", command=("g++", "-O2", "-c", "register_blocked.cu")
    )
    return _without_speed(replace(graded(), machine=machine, build=build), **changes)


def not_compiled() -> Report:
    log = (
        'mine.cu(17): warning #177-D: variable "tile" was declared but never referenced\n      int tile = 0;\n\n'
        'mine.cu(24): error: expected a ";"\n      sum += a * b\n                  ^\n\n'
        '1 error detected in the compilation of "mine.cu".\n'
    )
    fault = Fault(
        Verdict.COMPILE_ERROR,
        'The file does not compile in line 24: expected a ";"',
        "Later errors often follow from the first; fix that one and compile again.",
        24,
        log,
    )
    return _without_speed(graded(), build=None, fault=fault, results=())


def not_finished(state: State) -> Report:
    broken = "The GPU does not answer. Is another program using it? nvidia-smi shows which."
    why = broken if state is State.INFRASTRUCTURE_FAULT else ""
    return replace(_without_speed(graded(), results=graded().results[:4]), state=state, infrastructure=why, score=None)


def hostile() -> tuple[Report, bytes]:
    """A report in which all texts of a student are markup, and the source has characters that reverse text."""
    ends, bad = "\u202e</code></li></ol></main>", "<img src=x onerror=alert(2)><style>*{display:none}</style>"
    evil = f"{ends}<script>alert(1)</script>{bad}"
    fault = Fault(Verdict.COMPILE_ERROR, evil, evil, 2, f"{SCRIPT}:2:1: error: {evil}\n" + "W" * 5000)
    source = f"// {evil}\n// \u202e{evil}\n" + "x" * 100_000 + "\n\x1b[31mred\x00\n"
    report = _without_speed(graded(), build=None, fault=fault, results=())
    lab = replace(report.rubric, title=evil)
    return replace(report, source=replace(report.source, name=SCRIPT), rubric=lab), source.encode()


def save(folder: Path) -> None:
    """Write all pages to a folder, for a look in a browser."""
    from grader.report.html import page

    evil, source = hostile()
    pages = {
        "right": page.render(graded(), kernel()),
        "wrong": page.render(wrong(), kernel()),
        "advised": page.render(advised(), kernel()),
        "barrier": page.render(barrier(), kernel()),
        "simulated": page.render(simulated(), kernel()),
        "not_compiled": page.render(not_compiled(), kernel()),
        "infrastructure": page.render(not_finished(State.INFRASTRUCTURE_FAULT), kernel()),
        "interrupted": page.render(not_finished(State.INTERRUPTED)),
        "hostile": page.render(evil, source),
    }
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")


def _without_speed(report: Report, **changes: Any) -> Report:
    changed = replace(report, **{"measurements": (), "baselines": {}, **changes})
    return replace(changed, score=score(changed))


def _build() -> Build:
    used = Resources(72, 8448, 0, 0, 3, 0.375)
    command = ("nvcc", "-cubin", "-arch=sm_90", "-std=c++17", "-O3", "register_blocked.cu")
    parameters = ("pointer", "pointer", "pointer", "integer")
    return Build("kernel.cubin", "matmul", parameters, Launch((16, 16, 1), (64, 64)), "nvcc 13.0.88", command, "", used)


def _at(shape: Shape, run: str) -> CaseResult:
    """Right where a tile of 64 fits, and wrong at the edge where it does not."""
    ragged = shape.N % 64
    if not ragged:
        return examples.ok(shape, run)
    count, last = shape.M * ragged + shape.N * ragged - ragged**2, shape.N - 1
    lines = ("row", "column") if ragged == 1 else (f"{ragged} rows", f"{ragged} columns")
    where = f"in the last {lines[0]} and the last {lines[1]}"
    sentence = f"{count} of {shape.M * shape.N} elements of C are wrong at {shape}, {where}."
    hint = "Only the edge is wrong: look at how the last tile, which is not full, is loaded and stored."
    first, worst = Element(0, shape.N - ragged, 31751.0, -18683.0), Element(last, last, -59742.0, float("nan"))
    edge = shape.N - ragged
    parts = (WrongPart(0, edge, edge, shape.N), WrongPart(edge, shape.M, 0, shape.N))
    region = Region(where, count, shape.M * shape.N, 0, 0, parts)
    fault = Fault(Verdict.WRONG_ANSWER, sentence, hint)
    case = examples.ok(shape, run).case
    return CaseResult(case, Verdict.WRONG_ANSWER, 0.2, fault, Mismatch(region, first, worst))


def _measured(place: int, microseconds: tuple[float, ...]) -> Measurement:
    shape, mine = square((256, 512, 1024, 1025, 2047, 2048)[place]), microseconds[place] * 1e-6
    return Measurement(
        shape,
        _about(mine),
        _about(shape.flops / mine / 1e9),
        rounds=14,
        launches=40,
        speedup=_about(NAIVE[place] * 1e-6 / mine),
        library_fraction=_about(LIBRARY[place] * 1e-6 / mine),
        transfer_seconds=mine + 12 * shape.M * shape.N / 11e9,
        telemetry=Telemetry(1980, 3201, 41 + place, ()),
    )


def _about(median: float) -> Interval:
    return Interval(median, median * 0.985, median * 1.02)
