"""Nsight Compute's results in the grader's words. It wrote golden/ncu.csv on an H200 for tiled_16 at N = 1024."""

from pathlib import Path

import pytest

from grader.advice import nsight_compute
from grader.advice.nsight_compute import METRICS, profile
from grader.model import Profile, ResourceUse, Shape
from tests.advice.counted import ROOT, counted

LOG = (Path(__file__).parent / "golden" / "ncu.csv").read_text(encoding="utf-8")
SHAPE = Shape(1024, 1024, 1024)


def test_the_counters_are_beside_those_of_the_grader():
    counters, _ = counted(ROOT / "reference" / "tiled_16.cu", 1024)
    recorded = profile(LOG, SHAPE, counters, "")
    assert {count.name: (count.profiled, count.counted) for count in recorded.counts} == {
        "global load requests": (4194304, 4194304),
        "global load sectors": (16777216, 16777216),
        "global store requests": (32768, 32768),
        "global store sectors": (131104, 131072),
        "shared load requests": (41943040, 41943040),
        "shared load wavefronts": (50380584, 50331648),
        "shared store requests": (4194304, 4194304),
        "shared store wavefronts": (4484624, 4194304),
        "instructions": (125009920, 143425536),
    }


def test_the_speed_of_light_and_the_busiest_resource_are_those_of_nsight_compute():
    recorded = profile(LOG, SHAPE, None, "")
    assert (recorded.microseconds, recorded.compute, recorded.memory) == (277.376, 69.9, 89.31)
    assert recorded.uses[:2] == (ResourceUse("shared memory", 76.85), ResourceUse("instruction issue", 43.32))
    assert {count.counted for count in recorded.counts} == {None}


def test_the_wavefronts_of_shared_memory_do_not_count_for_the_cache():
    uses = {use.resource: use.percent for use in profile(LOG, SHAPE, None, "").uses}
    assert uses["L1 cache"] == pytest.approx(89.31 - 76.85)


def test_counters_of_another_size_are_not_beside_them():
    counters, _ = counted(ROOT / "reference" / "tiled_16.cu", 1024)
    recorded = profile(LOG, Shape(512, 512, 512), counters, "")
    assert {count.counted for count in recorded.counts} == {None}


def test_a_count_that_another_profiler_prevented_is_left_out():
    recorded = profile(LOG.replace('"125,009,920"', '"nan"'), SHAPE, None, "")
    assert "instructions" not in {count.name for count in recorded.counts}


@pytest.mark.parametrize("text", ["", "no table", '"ID","gpu__time_duration.sum"\n', '"a"\n"b"\n"c"\n', '\0"\n"\n'])
def test_a_log_without_results_is_a_problem(text: str):
    assert profile(text, SHAPE, None, "").problem == "Nsight Compute measured nothing. It gave no reason."


def test_the_reason_of_nsight_compute_is_repeated():
    text = "==PROF== Connected\n==ERROR== The target process terminated.\n"
    assert profile(text, SHAPE, None, "") == Profile(
        SHAPE, "Nsight Compute measured nothing. Its reason: The target process terminated."
    )


def test_a_metric_that_a_device_lacks_is_left_out():
    text = LOG.replace("lts__t_sectors.avg", "lts__t_other.avg")
    assert "L2 cache" not in {use.resource for use in profile(text, SHAPE, None, "").uses}


def test_the_clocks_stay_as_they_are_and_the_results_go_to_a_file():
    words = nsight_compute.prefix("ncu", "_Z6matmulPf")
    assert words[words.index("--clock-control") + 1] == "none"
    assert words[words.index("--kernel-name") + 1] == "_Z6matmulPf"
    assert words[words.index("--log-file") + 1] == nsight_compute.LOG
    assert words[words.index("--metrics") + 1].split(",") == list(METRICS)
