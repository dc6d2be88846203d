"""Reports to score and to render, small enough to know every number in them."""

from dataclasses import replace
from typing import Any

from grader.advice.advise import advice_on
from grader.model import (
    Backend,
    Build,
    Case,
    CaseResult,
    Criterion,
    Demands,
    Element,
    Fault,
    Interface,
    Interval,
    Launch,
    Limits,
    Machine,
    Measurement,
    Mismatch,
    Region,
    Report,
    Resources,
    Rubric,
    Shape,
    Source,
    State,
    Telemetry,
    Timing,
    Verdict,
)
from grader.rubric.score import score

SMALL, LARGE = Shape(256, 256, 256), Shape(1024, 1024, 1024)
CURVE = ((1.0, 0.0), (3.0, 0.5), (5.0, 1.0))
HASH = "0123456789abcdef" * 4


def rubric(**changes: Any) -> Rubric:
    """A rubric of 100 points: 10 to compile, 50 to be right, 20 + 15 + 5 to be fast."""
    speed: dict[str, Any] = {"sizes": (LARGE,), "requires": ("correct",)}
    criteria = (
        Criterion("compiles", "Compiles", "compiles", 10.0),
        Criterion("correct", "Correct answers", "correct", 50.0, (SMALL, LARGE)),
        Criterion("speedup", "Speed-up", "speedup", 20.0, curve=CURVE, **speed),
        Criterion("library", "Fraction of cuBLAS", "library-fraction", 15.0, curve=((0.0, 0.0), (1.0, 1.0)), **speed),
        Criterion("gflops", "GFLOPS", "gflops", 5.0, curve=((0.0, 0.0), (1000.0, 1.0)), **speed),
    )
    whole = Rubric(
        title="Square lab",
        interface=Interface("matmul", ("A", "B", "C", "N")),
        launch=Launch((16, 16, 1), (16, 16)),
        flags=("-O3",),
        sizes=(SMALL, LARGE),
        quick_sizes=(SMALL,),
        timed_sizes=(LARGE,),
        limits=Limits(),
        timing=Timing(),
        naive="naive.cu",
        library="cublas",
        criteria=criteria,
        sha256=HASH,
    )
    return replace(whole, **changes)


def interval(median: float) -> Interval:
    return Interval(median, median * 0.99, median * 1.01)


def measurement(
    shape: Shape = LARGE, *, speedup: float = 3.0, fraction: float = 0.5, gflops: float = 500.0
) -> Measurement:
    return Measurement(
        shape=shape,
        seconds=interval(shape.flops / gflops / 1e9),
        gflops=interval(gflops),
        rounds=9,
        launches=40,
        speedup=interval(speedup),
        library_fraction=interval(fraction),
        transfer_seconds=0.002,
        telemetry=Telemetry(1980, 3201, 41, ()),
    )


def ok(shape: Shape, run: str, **fields: Any) -> CaseResult:
    return CaseResult(Case(shape, run, seed=7), Verdict.OK, 0.25, **fields)


def failed(
    shape: Shape, run: str, verdict: Verdict, sentence: str = "Something is wrong.", **fields: Any
) -> CaseResult:
    return CaseResult(Case(shape, run, seed=7), verdict, 0.25, Fault(verdict, sentence, "Look again."), **fields)


def wrong(shape: Shape, run: str) -> CaseResult:
    region = Region("the last row", 256, 65536, 0, 1)
    mismatch = Mismatch(region, Element(255, 0, 12.0, float("nan")), Element(255, 3, -4.0, float("inf")))
    return failed(shape, run, Verdict.WRONG_ANSWER, "The last row of C is wrong.", mismatch=mismatch)


def right() -> tuple[CaseResult, ...]:
    return tuple(ok(shape, run) for shape in (SMALL, LARGE) for run in ("first", "second"))


def report(**changes: Any) -> Report:
    """A finished CUDA run of a correct submission, with its score."""
    whole = Report(
        state=State.FINISHED,
        grader_version="1.0",
        started="2025-03-01T09:30:00+01:00",
        seed=42,
        source=Source("matmul.cu", HASH, 1234),
        rubric=rubric(),
        machine=Machine(
            Backend.CUDA, "a GPU is there", "Linux x86_64", "NVIDIA H200", "sm_90", 66900.0, {"nvcc": "13.0"}
        ),
        build=build(),
        results=right(),
        measurements=(measurement(),),
        baselines={"naive": (measurement(speedup=1.0),), "cublas": (measurement(fraction=1.0),)},
        stages={"compile": 1.5, "verify": 2.25},
        naive_sha256=HASH,
    )
    changed = replace(whole, **changes)
    return changed if "score" in changes else replace(changed, score=score(changed))


def build() -> Build:
    resources = Resources(32, 2048, 0, 0, 8, 1.0)
    launch = Launch((16, 16, 1), (16, 16))
    parameters = ("pointer", "pointer", "pointer", "integer")
    known = "nvcc 13.0", ("nvcc", "-cubin"), "", resources, (8, 8, 8, 4), Demands(2048, 256)
    return Build("kernel.cubin", "matmul", parameters, launch, *known)


def simulated(**changes: Any) -> Report:
    machine = Machine(Backend.SIMULATOR, "there is no GPU", "Linux x86_64")
    return report(**{"machine": machine, "measurements": (), "baselines": {}, "naive_sha256": "", **changes})


def with_advice(graded: Report, device: str = "") -> Report:
    return replace(graded, advice=advice_on(graded, device))


def not_compiled(**changes: Any) -> Report:
    fault = Fault(
        Verdict.COMPILE_ERROR, "Line 3 does not compile.", "A semicolon is missing.", 3, "matmul.cu(3): error"
    )
    return report(**{"build": None, "fault": fault, "results": (), "measurements": (), "baselines": {}, **changes})


def broken_machine(**changes: Any) -> Report:
    nothing: dict[str, Any] = {"build": None, "results": (), "measurements": (), "baselines": {}, "score": None}
    fault: dict[str, Any] = {
        "state": State.INFRASTRUCTURE_FAULT,
        "infrastructure": "There is no compiler on this machine.",
    }
    return report(**{**nothing, **fault, **changes})
