"""Limits, points, and where advice is shown, on counters small enough to know every number in them."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from grader.advice.compare import SAME, changes, why_no_speed
from grader.advice.counting import is_plausible
from grader.advice.devices import GPUS
from grader.advice.work import bounds, work
from grader.cli import main
from grader.export import feedback
from grader.model import AccessCount, Counters, Interface, Launch, LoopMix, Report, State
from grader.report import json_document
from grader.report.html import page
from grader.report.html.advice import totals
from grader.report.json_document import read_for_students
from tests.report import examples
from tests.report.examples import LARGE

STEPS = LARGE.flops // 2 // 32  # multiply-adds of warps


def access(space: Any = "global", kind: Any = "load", **changed: Any) -> AccessCount:
    whole = AccessCount(7, space, kind, 4, 2 * STEPS, 2 * STEPS * 4, 2 * STEPS, 32.0, 4, 0.0)
    return replace(whole, **changed)


def counters(*accesses: AccessCount, **changed: Any) -> Counters:
    """Of a kernel that computes one element in each thread, in blocks of 16 x 16."""
    whole = Counters(
        shape=LARGE, blocks=64 * 64, accesses=accesses, instructions=5 * STEPS, multiply_adds=STEPS,
        branches=STEPS // 4, double=0, divisions=0, global_waits=256, shared_waits=0, barriers=0, footprint=10**6,
        loop=None, registers=32, spilled=0, shared_bytes=0,
    )  # fmt: skip
    return replace(whole, **changed)


def report(counted: Counters | None, **changed: Any) -> Report:
    return examples.with_advice(examples.report(counters=counted, **changed))


NAIVE = counters(access())
UNCOALESCED = counters(access(sectors=2 * STEPS * 32, stride=4096))


@pytest.mark.parametrize(
    ("stride", "evidence", "change"),
    [
        (8192, "8,192 bytes apart", "threadIdx.x run along a row"),
        (16, "16 bytes apart", "blockDim.x"),
        (4, "short pieces of several rows", "at least 8 neighbouring threads"),
    ],
)
def test_the_change_for_uncoalesced_loads_depends_on_how_far_apart_they_are(stride: int, evidence: str, change: str):
    given = report(counters(access(sectors=2 * STEPS * 32, stride=stride))).advice
    assert evidence in given.items[0].evidence
    assert change in given.items[0].change


def test_one_thread_in_a_warp_is_not_uncoalesced():
    """Threads 0 and 16 load from two rows: they have no neighbours."""
    loads = access(), access(sectors=4 * STEPS, lanes=2.0, stride=0)
    given = report(counters(*loads)).advice
    assert "uncoalesced loads" not in [item.name for item in given.items]


def test_a_kernel_far_from_the_peak_is_not_called_good():
    """No problem shows, and the arithmetic takes a seventh of the time."""
    given = report(counters(access(width=16, requests=STEPS // 4, sectors=STEPS * 4))).advice
    assert not given.items
    assert given.conclusion.endswith("the arithmetic could take less time.")


def test_a_bound_is_work_over_rate():
    interface, gpu = Interface("matmul", ("A", "B", "C", "N")), GPUS["h200"]
    least = {
        bound.resource: bound.microseconds
        for bound in bounds(work(NAIVE, Launch((16, 16, 1), (16, 16)), interface, gpu), gpu)
    }
    share = -(-4096 // 132) / 4096
    assert least["arithmetic"] == pytest.approx(STEPS * share / 4 / 1980)
    assert least["L1 cache"] == pytest.approx(2 * STEPS * share / 1980)
    assert least["L2 cache"] == pytest.approx(32 * 10**6 / 10100e3)
    assert least["memory"] == pytest.approx(3 * 4 * 1024**2 / 4800e3)


def least(*accesses: AccessCount, **changed: Any) -> dict[str, float]:
    """The bounds of a launch on an H200, as cycles of a multiprocessor with 1/4096 of the blocks of 132."""
    gpu, counted = GPUS["h200"], counters(*accesses, **changed)
    share = -(-4096 // 132) / 4096
    return {
        bound.resource: bound.microseconds * 1980 / share
        for bound in bounds(
            work(counted, Launch((16, 16, 1), (16, 16)), Interface("matmul", ("A", "B", "C", "N")), gpu), gpu
        )
    }


@pytest.mark.parametrize(
    ("device", "registers", "rounds", "empty"),
    [
        ("h200", 32, 4096 / (132 * 8), 1 - 928 / 1056),  # 2,048 threads of a multiprocessor: 8 blocks
        ("h200", 128, 4096 / (132 * 2), 1 - 136 / 264),  # 65,536 registers: 2 blocks
        ("t4", 32, 4096 / (40 * 4), 1 - 96 / 160),
    ],
)
def test_waves_and_tail_follow_from_the_blocks_that_fit_on_the_device(device, registers, rounds, empty):
    given = examples.with_advice(examples.simulated(counters=counters(access(), registers=registers)), device).advice
    assert given.waves == pytest.approx(rounds)
    assert given.tail == pytest.approx(empty)


@pytest.mark.parametrize(("blocks", "empty"), [(1056, 0.0), (1057, 1055 / 1056), (1, 1055 / 1056)])
def test_the_tail_is_empty_only_where_the_last_block_fills_the_device(blocks: int, empty: float):
    given = report(counters(access(), blocks=blocks)).advice
    assert given.tail == pytest.approx(empty)


def test_a_report_without_waves_and_tail_is_still_read(tmp_path: Path):
    document = json.loads(json_document.REPORT.render(report(NAIVE)))
    for name in ("waves", "tail"):
        del document["advice"][name]
    older = tmp_path / "report.json"
    older.write_text(json.dumps(document), encoding="utf-8")
    read = read_for_students(older).advice
    assert (read.waves, read.tail) == (None, None)


def test_the_conclusion_says_of_which_time_each_resource_takes_how_much():
    given = report(counters(access()), measurements=(examples.measurement(gflops=1000.0),)).advice
    assert given.conclusion.startswith("Of 2,147 us at N=1024 on an NVIDIA H200: L1 cache at least 265 us, ")


def test_a_request_takes_l1_a_cycle_for_each_line():
    """On an H200, Nsight Compute counts 32 wavefronts for a request whose threads read 32 lines, although each of them
    is one sector."""
    assert least(access(sectors=2 * STEPS * 32, wavefronts=2 * STEPS * 32))["L1 cache"] == pytest.approx(64 * STEPS)


def test_shared_memory_and_l1_share_one_data_path():
    few, many = access(requests=STEPS, wavefronts=STEPS, sectors=STEPS), access("shared", sectors=0)
    assert least(few, many)["shared memory"] == pytest.approx(3 * STEPS)
    assert least(few, many)["L1 cache"] == pytest.approx(STEPS)


def test_conversions_are_slower_than_double_precision():
    given = [least(access(), double=STEPS, conversions=some)["double precision"] for some in (0, STEPS)]
    assert given == pytest.approx([STEPS / 2, 2 * STEPS])


def test_writes_take_twice_the_time_of_reads_in_l2():
    """A thread stores as many bytes as it loads; L2 gets data and requests in packets of 32 bytes."""
    stores = access(kind="store", sectors=4 * STEPS)
    ratio = least(stores)["L2 cache"] / least(access(), footprint=4 * STEPS)["L2 cache"]
    assert ratio == pytest.approx(2)


def test_spills_load_l1_and_l2_in_each_iteration_of_the_loop():
    loop = LoopMix(7, 20, 4, 2, 0, 0, 9, 0, 0, 1, 0)
    spilled = least(access(), loop=loop, spilled=16), least(access(), loop=loop)
    assert spilled[0]["L1 cache"] - spilled[1]["L1 cache"] == pytest.approx(STEPS)  # 4 for every 4 multiply-adds
    assert spilled[0]["L2 cache"] > spilled[1]["L2 cache"]
    first = report(counters(access(), loop=loop, spilled=400)).advice
    assert first.items[0].name == "spills to local memory"


def test_integer_instructions_of_a_loop_that_is_one_block_count_in_full():
    def issued(branches: int) -> float:
        loop = LoopMix(7, 20, 4, 2, 0, 0, 9, 0, 0, branches, 0)
        return least(access(), loop=loop, integer=STEPS, branches=0)["instruction issue"]

    assert issued(1) - issued(2) == pytest.approx(STEPS / 2 / 4)


def loop_with(**changed: Any) -> LoopMix:
    """A loop with 4 multiply-adds, and 2 loads from shared memory for each."""
    return replace(LoopMix(7, 20, 4, 0, 8, 0, 4, 0, 0, 1, 0), **changed)


def names(*accesses: AccessCount, **changed: Any) -> list[str]:
    given = report(counters(*accesses, **changed)).advice
    return [item.name for item in given.items] if given else []


@pytest.mark.parametrize(
    ("changed", "is_given"),
    [
        ({"branches": 5}, True),
        ({"branches": 2, "comparisons": 5}, True),
        ({"branches": 2, "comparisons": 2}, False),
        ({"branches": 5, "stores": 2}, False),
        ({"branches": 5, "divisions": 1}, False),
        ({"branches": 5, "global_loads": 8, "shared_loads": 0}, False),
    ],
)
def test_conditions_for_each_multiply_add_are_bounds_checks_in_the_inner_loop(changed: dict[str, int], is_given: bool):
    """Those of the loop itself and of the stores of a tile are not among them."""
    loads = access("shared", sectors=0)
    assert ("conditions in the inner loop" in names(loads, loop=loop_with(**changed))) is is_given


@pytest.mark.parametrize(
    ("changed", "reason"), [({"registers": 255}, "registers"), ({"shared_bytes": 100_000}, "shared memory")]
)
def test_occupancy_names_what_it_is_limited_by(changed: dict[str, int], reason: str):
    assert f"occupancy limited by {reason}" in names(access("shared", sectors=0), **changed)


def test_stores_that_are_not_coalesced_are_named_as_stores():
    stores = access(kind="store", requests=STEPS, sectors=STEPS * 32, wavefronts=STEPS * 32, stride=4096)
    assert "uncoalesced stores" in names(stores)


def test_the_advice_names_the_line_of_a_division_and_not_that_of_the_arithmetic():
    divides = loop_with(divisions=1, division_line=5)
    given = report(counters(access("shared", sectors=0), loop=divides, divisions=STEPS)).advice
    assert (given.items[0].name, given.items[0].line) == ("integer division in the inner loop", 5)


def test_a_kernel_that_chooses_its_tile_by_the_size_is_not_told_about_the_tile_of_its_launch():
    """64 of 4096 blocks compute 64 x 256 elements each."""
    given = report(counters(access(), working=64)).advice
    assert given.items[0].name == "too few blocks for the device"
    assert "64 blocks that compute" in given.items[0].evidence


def test_limits_that_are_about_equal_are_named_together():
    alike = report(counters(access(), barriers=1000)).advice
    assert "L1 cache and barriers limit it about equally." in alike.conclusion


def test_the_advice_names_line_evidence_factor_and_points():
    given = report(UNCOALESCED).advice
    assert not given.is_estimate
    first = given.items[0]
    assert (first.name, first.line) == ("uncoalesced loads", 7)
    assert "4,096 bytes apart: 32 sectors" in first.evidence
    assert 1 < first.low < first.high
    assert (first.points_low, first.points_high) == (20.0, 20.0), "all that are left, for either factor"


def test_without_a_measurement_the_advice_is_an_estimate_without_points():
    given = examples.with_advice(examples.simulated(counters=NAIVE), "t4").advice
    assert (given.is_estimate, given.device, given.microseconds) == (True, "Tesla T4", None)
    assert [item.points_high for item in given.items] == [None] * len(given.items)


def test_there_is_no_advice_without_counters_nor_for_other_types():
    rubric = examples.rubric(interface=Interface("matmul", ("A", "B", "C", "N"), type_c="float64"))
    assert report(None).advice is None
    assert report(NAIVE, rubric=rubric).advice is None


def test_counters_that_contradict_the_launch_are_not_used():
    launch = Launch((16, 16, 1), (16, 16))
    assert is_plausible(NAIVE, launch)
    assert not is_plausible(replace(NAIVE, multiply_adds=3 * STEPS // 2), launch)
    assert is_plausible(replace(NAIVE, multiply_adds=3 * STEPS // 2, products=STEPS), launch), "a * b + c * d"
    assert not is_plausible(replace(NAIVE, blocks=0), launch)
    assert not is_plausible(counters(access(requests=0)), launch)


def test_a_launch_that_names_too_small_a_tile_gets_another():
    item = report(replace(NAIVE, multiply_adds=4 * STEPS, products=4 * STEPS)).advice.items[0]
    assert ".tile = {32, 32}" in item.change


def test_the_advice_is_in_the_json_on_the_page_and_in_the_exports():
    graded = report(UNCOALESCED)
    assert json_document.REPORT.from_dict(json_document.REPORT.to_dict(graded)) == graded
    assert json_document.REPORT.schema().is_valid(json_document.REPORT.to_dict(graded))
    shown = page.render(graded)
    assert "What limits the speed" in shown
    assert "Uncoalesced loads" in shown
    assert "Uncoalesced loads (line 7)" in feedback.explanation(graded)


def shown_totals(counted: Counters) -> dict[str, str]:
    return {total.name: total.value for total in totals(report(counted))}


def test_the_page_shows_waste_integer_work_and_waves_of_the_whole_launch():
    wasteful = counters(access(), multiply_adds=STEPS + STEPS // 4, loop=loop_with(integer=9))
    totals = shown_totals(wasteful)
    assert totals == {
        "multiply-adds of warps": "41,943,040, of which 8,388,608 (20.0%) more than the product needs",
        "integer instructions in the innermost loop": "9 in each iteration: 2.2 for each multiply-add",
        "blocks": "4,096",
        "waves": "3.88 (NVIDIA H200)",
        "idle in the last wave": "12% of the places for blocks",
    }
    shown = page.render(report(wasteful))
    assert all(value in shown for value in totals.values())


def test_the_page_claims_no_waste_for_a_kernel_that_computes_only_the_product():
    assert shown_totals(NAIVE)["multiply-adds of warps"] == "33,554,432: the product needs all"


def test_the_page_says_how_many_blocks_compute_where_the_others_return_at_once():
    assert shown_totals(counters(access(), working=64))["blocks"] == "4,096, of which 64 compute"


def test_a_comparison_says_what_changed_and_whether_the_intervals_show_it():
    before, after = report(UNCOALESCED), report(NAIVE, measurements=(examples.measurement(gflops=1000.0),))
    compared = {change.quantity: change for change in changes(before, after)}
    assert compared["us at N=1024"].verdict == "2.00 times as fast (1.96 to 2.04)"
    assert compared["global load sectors at N=1024"].verdict == "-87.5%"
    assert (compared["first advice"].before, compared["registers"].verdict) == ("uncoalesced loads", "")
    same = {change.quantity: change for change in changes(before, before)}
    assert same["us at N=1024"].verdict == SAME


NOT_TIMED: dict[str, Any] = {"measurements": (), "baselines": {}}


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (
            examples.simulated(), examples.simulated(),
            "Speed is not compared. Before: not measured, because that needs a GPU. "
            "After: not measured, because that needs a GPU.",
        ),
        (
            examples.report(), examples.simulated(),
            "Speed is not compared. After: not measured, because that needs a GPU.",
        ),
        (
            examples.report(**NOT_TIMED), examples.report(),
            "Speed is not compared. Before: not measured, because only correct kernels are timed.",
        ),
        (
            examples.report(), examples.report(**NOT_TIMED, state=State.INTERRUPTED),
            "Speed is not compared. After: not measured, because the grade did not finish.",
        ),
        (
            examples.report(), examples.report(measurements=(examples.measurement(examples.SMALL),)),
            "Speed is not compared. No size was timed both before and after.",
        ),
        (examples.report(), examples.report(), ""),
    ],
    ids=["no GPU", "no GPU after", "wrong before", "interrupted after", "other sizes", "timed"],
)  # fmt: skip
def test_a_comparison_without_speeds_says_why(before: Report, after: Report, said: str):
    assert why_no_speed(before, after) == said


def test_the_command_says_that_speed_was_not_measured(tmp_path: Path):
    mine = tmp_path / "report.json"
    mine.write_text(json_document.REPORT.render(examples.simulated()), encoding="utf-8")
    shown = CliRunner().invoke(main, ["compare", str(mine), str(mine)])
    assert shown.exit_code == 0
    assert "Speed is not compared." in shown.output


def test_the_command_says_at_which_sizes_the_verdict_has_changed(tmp_path: Path):
    wrong = examples.report(results=(*examples.right()[:-1], examples.wrong(LARGE, "second")), measurements=())
    for name, report in {"before": examples.report(), "after": wrong}.items():
        (tmp_path / name).write_text(json_document.REPORT.render(report), encoding="utf-8")
    shown = CliRunner().invoke(main, ["compare", str(tmp_path / "before"), str(tmp_path / "after")])
    assert shown.output.startswith("N=1024: correct, now wrong answer.\n")


def test_a_wrong_name_is_reported_before_the_other_kernel_is_graded(tmp_path: Path):
    (kernel := tmp_path / "kernel.cu").write_text("int x;")
    shown = CliRunner().invoke(main, ["compare", str(kernel), str(tmp_path / "other.cu")])
    assert shown.exit_code == 2
    assert shown.output.startswith("There is no file")


def test_points_are_compared_only_if_both_grades_measured_as_many():
    timed, faster = examples.report(), examples.report(measurements=(examples.measurement(gflops=1000.0),))
    gained = next(changes(timed, faster))
    assert (gained.before, gained.after, gained.verdict) == ("80.0 / 100", "82.5 / 100", "+2.5")
    untimed = next(changes(timed, examples.simulated()))
    assert (untimed.before, untimed.after, untimed.verdict) == ("80.0 / 100", "60.0 / 60", "")
