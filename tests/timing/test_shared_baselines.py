"""When baselines that were measured once may be used again, and how a ratio to them is computed."""

from __future__ import annotations

import math
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader import pipeline
from grader.host import cache, gpu_lock
from grader.host.gpu_lock import GpuLock
from grader.judge.conditions import Conditions, GradePlan
from grader.judge.worker_pool import LIBRARY, NAIVE, SUBMISSION
from grader.model import Machine, Shape, SharedBaselines, Telemetry, Timing
from grader.timing import baselines, shared_baselines, statistics
from grader.timing.baselines import GradeBaselines
from grader.timing.rounds import Samples
from grader.timing.shared_baselines import Baselines, DriftCheck, Rounds
from tests import lab
from tests.host.gpu_waits import may_check
from tests.report import examples

if TYPE_CHECKING:
    from grader.sandbox.client import Worker

SHAPE = examples.LARGE
NOW = datetime(2025, 3, 1, 9, 30, tzinfo=UTC)
NAMES = (NAIVE, LIBRARY)
OPEN = cast("Worker", SimpleNamespace(open_beside=lambda _: None))


def rounds(*seconds: float, shape: Shape = SHAPE) -> Rounds:
    return Rounds(shape, seconds, 10 * len(seconds), Telemetry(1980, 2619, 41, ()))


def kept(taken: datetime = NOW) -> Baselines:
    return Baselines(taken.isoformat(), {NAIVE: (rounds(4.0, 4.1, 3.9),), LIBRARY: (rounds(1.0, 1.1, 0.9),)})


@pytest.mark.parametrize(("minutes", "recent"), [(0, True), (29, True), (31, False), (-1, False)])
def test_baselines_hold_for_half_an_hour(minutes: int, recent: bool):
    now = NOW + timedelta(minutes=minutes)
    assert shared_baselines.is_recent(kept().taken, now, shared_baselines.VALID_FOR) is recent


@pytest.mark.parametrize(
    ("again", "holds"), [([1.009], True), ([0.991], True), ([1.011], False), ([0.98], False), ([float("nan")], False)]
)
def test_a_baseline_that_is_measured_again_must_agree_within_one_percent(again: list[float], holds: bool):
    assert shared_baselines.holds(shared_baselines.drift(rounds(1.0), again)) is holds


def test_one_slow_round_is_no_drift():
    assert shared_baselines.holds(shared_baselines.drift(rounds(1.0, 1.0, 1.0), [1.0, 1.0, 9.0, 1.001, 1.0]))


def test_baselines_that_were_never_measured_again_do_not_hold():
    assert not shared_baselines.holds(None)


@pytest.mark.parametrize("check", [None, DriftCheck(NOW.isoformat(), SharedBaselines(NOW.isoformat(), "library", 0.0))])
def test_what_is_written_is_read_back(check: DriftCheck | None):
    written = replace(kept(), check=check)
    assert shared_baselines.decode(shared_baselines.encode(written), NAMES, [SHAPE]) == written


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "null", '{"taken": 1, "rounds": 2}', "[" * 100_000])
def test_a_file_of_other_bytes_gives_no_baseline(text: str):
    assert shared_baselines.decode(text.encode(), NAMES, [SHAPE]) is None


@given(st.binary(max_size=60), st.integers(0, 500))
def test_a_damaged_file_gives_no_baseline_or_the_same_one(noise: bytes, place: int):
    whole = shared_baselines.encode(kept())
    decoded = shared_baselines.decode(whole[:place] + noise, NAMES, [SHAPE])
    assert decoded is None or decoded == kept()


@pytest.mark.parametrize("seconds", [(), (0.0,), (-1.0,), (float("nan"),), (float("inf"),)])
def test_impossible_seconds_give_no_baseline(seconds: tuple[float, ...]):
    broken = replace(kept(), rounds={**kept().rounds, NAIVE: (rounds(*seconds),)})
    assert shared_baselines.decode(shared_baselines.encode(broken), NAMES, [SHAPE]) is None


@pytest.mark.parametrize("changes", [{"taken": "2025-03-01"}, {"check": DriftCheck("2025-03-01", SharedBaselines(""))}])
def test_a_time_without_a_zone_is_refused(changes: Any):
    written = shared_baselines.encode(replace(kept(), **changes))
    assert shared_baselines.decode(written, NAMES, [SHAPE]) is None


def test_every_baseline_must_be_there_at_every_size():
    text = shared_baselines.encode(kept())
    assert shared_baselines.decode(text, (*NAMES, "another"), [SHAPE]) is None
    assert shared_baselines.decode(text, NAMES, [SHAPE, examples.SMALL]) is None


def key(gpu: str = "GPU-1", naive: bytes = b"naive", versions: dict[str, str] | None = None, **rubric: Any) -> str:
    machine = replace(examples.report().machine, versions=versions or {"driver": "580"})
    return shared_baselines.key(gpu, machine, examples.rubric(**rubric), naive)


def test_baselines_belong_to_a_device_its_software_a_kernel_and_a_way_to_measure():
    others = [
        key(gpu="GPU-2"),
        key(naive=b"another"),
        key(versions={"driver": "581"}),
        key(timing=Timing(seconds_per_size=1.0)),
        key(timed_sizes=(examples.SMALL,)),
        key(flags=("-O1",)),
    ]
    assert key() == key(title="The same lab next year")
    assert len({key(), *others}) == 1 + len(others)


def test_a_lost_or_damaged_cache_is_measured_anew():
    rubric = examples.rubric()
    now = kept(datetime.now(UTC))
    assert baselines.cached("baselines-test", rubric) is None
    baselines.keep("baselines-test", now)
    assert baselines.cached("baselines-test", rubric) == now
    cache._directory().joinpath("baselines-test").write_bytes(b"half of")
    assert baselines.cached("baselines-test", rubric) is None
    baselines.keep("baselines-test", kept())  # of years ago
    assert baselines.cached("baselines-test", rubric) is None


def test_a_check_counts_for_seconds():
    now, shared = datetime.now(UTC), SharedBaselines(NOW.isoformat(), "library at N=1024", 0.002)
    assert baselines._recently_checked(kept()) is None
    recent = replace(kept(), check=DriftCheck(now.isoformat(), shared))
    assert baselines._recently_checked(recent) == GradeBaselines((), recent, shared)
    before = now - shared_baselines.CHECK_VALID_FOR - timedelta(seconds=1)
    assert baselines._recently_checked(replace(kept(), check=DriftCheck(before.isoformat(), shared))) is None


def test_a_ratio_to_kept_rounds_is_that_of_the_medians_and_wider_than_a_paired_one():
    mine, base = [1.0, 1.02, 0.98] * 5, [4.0, 4.08, 3.92] * 5
    paired, unpaired = statistics.ratio(base, mine), statistics.unpaired_ratio(base, mine)
    assert unpaired.median == pytest.approx(4)
    assert unpaired.low < paired.low <= paired.high < unpaired.high


def test_rounds_of_different_runs_may_differ_in_number():
    kept_samples = statistics.kept_samples(kept(), SHAPE)
    taken = {SUBMISSION: Samples([2.0] * 7, 70), **kept_samples}
    measurements = {name: statistics.measurement_of(name, SHAPE, taken) for name in taken}
    assert measurements[SUBMISSION].speedup.median == 2
    assert measurements[SUBMISSION].library_fraction.median == 0.5
    assert (measurements[NAIVE].rounds, measurements[NAIVE].launches) == (3, 30)
    assert measurements[NAIVE].speedup.median == 1


@pytest.mark.parametrize(("drift", "measured_again"), [(0.002, False), (0.05, True), (None, True)])
def test_baselines_that_drifted_are_measured_again_and_kept(
    drift: float | None, measured_again: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The parts that need a GPU replaced by what they return."""
    kept_again: list[Baselines] = []
    old, fresh = kept(datetime.now(UTC)), kept(datetime.now(UTC) + timedelta(seconds=1))
    checked = SharedBaselines(old.taken, "library at N=1024", drift)
    monkeypatch.setattr(baselines, "gpu_id", lambda: "GPU-1")
    monkeypatch.setattr(baselines, "cached", lambda *_: old)
    monkeypatch.setattr(baselines, "measured_drift", lambda *_: checked)
    monkeypatch.setattr(baselines, "_calibrate", lambda *_: fresh)
    monkeypatch.setattr(baselines, "keep", lambda _key, rounds_: kept_again.append(rounds_))
    plan, conditions = class_plan(tmp_path)
    found = baselines.comparison(plan, conditions, lambda: (), {LIBRARY: OPEN})
    assert found == GradeBaselines((), *((fresh, SharedBaselines(fresh.taken)) if measured_again else (old, checked)))
    (last,) = kept_again
    assert last == fresh if measured_again else last.check.shared == checked


@pytest.mark.parametrize("was_known", [True, False])
def test_baselines_are_measured_and_checked_once_by_grades_that_wait_for_the_same_gpu(
    was_known: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Another grade has checked or measured them when it is this one's turn."""
    old = kept(datetime.now(UTC))
    checked = SharedBaselines(old.taken, "library at N=1024", 0.002)
    recent = replace(old, check=DriftCheck(datetime.now(UTC).isoformat(), checked))
    found = iter((old, recent) if was_known else (None, old))
    monkeypatch.setattr(baselines, "gpu_id", lambda: "GPU-1")
    monkeypatch.setattr(baselines, "cached", lambda *_: next(found))
    plan, conditions = class_plan(tmp_path)
    shared = baselines.comparison(plan, conditions, lambda: pytest.fail("measured again"), {})
    assert shared == GradeBaselines((), *((recent, checked) if was_known else (old, SharedBaselines(old.taken))))


@pytest.mark.parametrize("begun_elsewhere", [True, False])
def test_the_first_grade_on_a_gpu_checks_the_baselines_before_its_kernel(
    begun_elsewhere: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    checks: list[str] = []
    monkeypatch.setattr(baselines, "gpu_id", lambda: "GPU-1")
    monkeypatch.setattr(baselines, "cached", lambda *_: kept(datetime.now(UTC)))
    monkeypatch.setattr(baselines, "_checked", lambda key, *_: checks.append(key))
    plan, conditions = class_plan(tmp_path)
    key = baselines._key(plan, conditions)
    with cache.lock(f"{key}.lock", 0) if begun_elsewhere else nullcontext():
        baselines.check_baselines_first(plan, conditions, {SUBMISSION: OPEN, LIBRARY: OPEN})
    assert checks == ([] if begun_elsewhere else [key])


def test_others_may_check_while_the_library_is_prepared_but_not_while_it_is_timed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(gpu_lock, "FOLDER", tmp_path)
    free: list[bool] = []

    def look(*given: Any) -> None:
        free.append(may_check(GpuLock("gpu")))
        for samples in (part[LIBRARY] for part in given if isinstance(part, dict) and LIBRARY in part):
            samples.seconds.append(1.01)

    monkeypatch.setattr(baselines, "install", lambda *_: None)
    monkeypatch.setattr(baselines, "prepare", lambda *_: look())
    monkeypatch.setattr(baselines, "take_rounds", lambda *given: look(*given[1:]))
    rubric = replace(examples.rubric(), timed_sizes=(SHAPE,))
    conditions = Conditions(rubric, examples.report().machine, 1, gpu=GpuLock("gpu"))
    shared = baselines.measured_drift(kept(), {LIBRARY: OPEN}, conditions)
    assert free == [True, False]
    assert shared.drift == pytest.approx(0.01)


def class_plan(folder: Path) -> tuple[GradePlan, Conditions]:
    plan = lab.plan(folder / "mine.cu", lab.write_rubric(folder))
    plan = replace(plan, rubric=replace(plan.rubric, naive=""), share_baselines=True)
    return plan, Conditions(plan.rubric, examples.report().machine, 1)


@pytest.mark.gpu
def test_the_second_submission_on_a_gpu_is_compared_with_the_baselines_of_the_first(
    tmp_path: Path, gpu: Machine, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(shared_baselines, "MOST_DRIFT", math.inf)  # tests beside this one may use the same GPU
    mine = tmp_path / "mine.cu"
    mine.write_text(lab.NAIVE)
    plan = replace(lab.plan(mine, lab.write_rubric(tmp_path, sizes=(33, 512), timed=(512,))), share_baselines=True)
    alone = pipeline.grade(replace(plan, share_baselines=False), gpu, lambda *_: None)
    first, second = (pipeline.grade(plan, gpu, lambda *_: None) for _ in range(2))
    assert (alone.shared_baselines, first.shared_baselines.drift) == (None, None)
    assert second.shared_baselines.checked == "library at N=512"
    assert second.shared_baselines.drift is not None
    assert second.baselines[NAIVE] == first.baselines[NAIVE]
    assert second.baselines.keys() == alone.baselines.keys() == {NAIVE, LIBRARY}
