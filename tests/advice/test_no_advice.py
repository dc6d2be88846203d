"""Where there is no advice: wrong kernels, what a rubric excludes, and kernels in which nothing is left to improve."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader import pipeline
from grader.advice.advise import advice
from grader.advice.devices import GPUS
from grader.model import Interface, Machine, State, Verdict
from tests import lab
from tests.advice.counted import ROOT, SQUARE, counted, planted
from tests.advice.test_advice import STEPS, UNCOALESCED, access, counters, report
from tests.report import examples
from tests.report.examples import LARGE

FLOAT = Interface("matmul", ("A", "B", "C", "N"))


def test_a_wrong_kernel_is_not_counted_and_gets_no_advice(tmp_path: Path, simulator: Machine):
    source = tmp_path / "mine.cu"
    source.write_text(lab.NAIVE.replace("k < N", "k < N - 1"))
    plan = lab.plan(source, lab.write_rubric(tmp_path, timed=(33,)))
    graded = pipeline.grade(plan, simulator, lambda *_: None)
    assert graded.state is State.FINISHED
    assert Verdict.WRONG_ANSWER in {result.verdict for result in graded.results}
    assert (graded.counters, graded.advice) == (None, None)


def test_a_kernel_with_one_wrong_answer_gets_no_advice_even_with_counters():
    results = (*examples.right(), examples.wrong(examples.SMALL, "second"))
    assert report(UNCOALESCED).advice is not None
    assert report(UNCOALESCED, results=results).advice is None


@pytest.mark.parametrize(
    "changed",
    [{"type_a": "float16"}, {"type_c": "float64"}, {"type_a": "float64", "type_b": "float64"}, {"type_a": "int8"}],
)
def test_a_rubric_with_other_arithmetic_gets_no_advice(changed: dict[str, Any]):
    rubric = examples.rubric(interface=replace(FLOAT, **changed))
    assert report(UNCOALESCED, rubric=rubric).advice is None


def test_no_advice_proposes_a_precision_or_a_flag_that_a_rubric_decides():
    """Rounding of the elements is `math` in [kernel], and the flags of the compiler are those of [compile]."""
    folder = Path(__file__).parents[2] / "grader" / "advice"
    texts = "".join(path.read_text() for path in folder.glob("*_problems.py")).lower()
    for words in ("tensor core", "wmma", "tf32", "half precision", "fast_math", "maxrregcount", "cublas"):
        assert words not in texts


def test_nothing_is_left_close_to_the_peak_of_the_arithmetic():
    """A kernel whose multiply-adds take 90 % of its time, although its loads are not coalesced."""
    arithmetic = STEPS / 4 / 132 / 1980  # microseconds
    measurement = examples.measurement(gflops=0.9 * LARGE.flops / arithmetic / 1e3)
    given = report(UNCOALESCED, measurements=(measurement,)).advice
    assert not given.items
    assert given.conclusion.endswith("These counters show nothing left to improve.")


def test_nothing_is_left_for_a_kernel_that_copies_the_next_tile_while_it_computes():
    tiled, launch = counted(planted("overlap"), 2048, ("-DFIXED",))
    assert not advice(tiled, launch, SQUARE.interface, GPUS["h200"]).items


def test_nothing_is_left_for_the_last_kernel_of_the_ladder():
    """Its tiles at this size are larger than those of its LAUNCH line."""
    pipelined, launch = counted(ROOT / "reference" / "pipelined.cu", 2048)
    given = advice(pipelined, launch, SQUARE.interface, GPUS["h200"])
    assert (given.items, given.bounds[0].resource) == ((), "instruction issue")


def test_a_gain_below_one_in_twenty_is_no_advice():
    """A few loads are not coalesced, and take little of the time of L1."""
    loads = access(), access(requests=STEPS // 1024, sectors=STEPS // 64, wavefronts=STEPS // 64)
    given = report(counters(*loads)).advice
    assert "uncoalesced loads" not in [item.name for item in given.items]
