"""Checks cases in a worker: what a lost worker means, and how long a case may take."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.contract.inputs import CHECKED, RUNS
from grader.contract.messages import Check
from grader.errors import InfrastructureError, SubmissionError
from grader.explain.several_cases import CheckedCase
from grader.explain.timed_launches import Settled
from grader.host import cache
from grader.host.stopped import Stopped
from grader.judge import checking, one_case
from grader.judge.cases import SoFar
from grader.judge.checking import check
from grader.judge.compiling import Artifact, check_signature, compile_source
from grader.judge.conditions import Conditions
from grader.judge.kernel_setup import KernelSetup
from grader.judge.one_case import RanCase
from grader.model import (
    Backend,
    Build,
    Case,
    CaseResult,
    Fault,
    Interface,
    Launch,
    Limits,
    Machine,
    Shape,
    Undefined,
    Verdict,
)
from grader.sandbox.client import Worker, WorkerLostError
from grader.sandbox.starting import worker
from tests import lab
from tests.kept_answers import start_kept
from tests.launcher import conditions_of, rubric_of

INTERFACE = Interface("matmul", ("A", "B", "C", "N"))
LAUNCH = Launch((16, 16, 1), (16, 16))
SMALL, LARGE = (Case(Shape(n, n, n), "first", seed=1) for n in (33, 1025))
LIMITS = Limits(case_seconds=5)


@pytest.fixture
def setup(simulator: Machine) -> Callable[[str], KernelSetup]:
    def compiled(source: str) -> KernelSetup:
        conditions = Conditions(rubric_of(INTERFACE, (), LIMITS), simulator, 1, start_kept)
        return KernelSetup(compile_source(conditions, source.encode(), "mine.cu"), LAUNCH, conditions)

    return compiled


@pytest.mark.parametrize("judges", [1, 3])
def test_the_outcomes_come_in_the_order_of_the_cases(
    setup: Callable[[str], KernelSetup], judges: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(checking, "_judges", lambda _: judges)
    cases = [Case(Shape(n, n, n), run, seed=1) for n in (1, 17) for run in ("second", "first")]
    outcomes = list(check(setup(lab.NAIVE), cases))
    assert [outcome.result.case for outcome in outcomes] == cases
    assert {outcome.result.verdict for outcome in outcomes} == {Verdict.OK}


@pytest.mark.parametrize(
    ("waiting", "elements", "full"), [(4, 1, False), (4, 1 << 25, False), (6, 1, False), (6, 1 << 25, True)]
)
def test_small_cases_wait_for_a_judge_and_large_ones_only_for_a_free_one(waiting: int, elements: int, full: bool):
    ran = RanCase(SMALL.shape, lambda: CheckedCase(CaseResult(SMALL, Verdict.OK)), elements=elements)
    assert checking._is_full([(ran, Future())] * waiting, at_a_time=4) is full


BACKWARDS = lab.NAIVE.replace("blockIdx.y * blockDim.y", "(gridDim.y - 1 - blockIdx.y) * blockDim.y")
HALF_LEFT_OUT = lab.NAIVE.replace("if (row", "if ((blockIdx.x + blockIdx.y) % 2) return;\n    if (row")


def test_blocks_that_choose_their_tiles_are_all_run(setup: Callable[[str], KernelSetup]):
    shared = [Case(Shape(n, n, n), "first", seed=1, shared_out=True) for n in (200, 210, 220)]
    results = [outcome.result for outcome in check(setup(BACKWARDS), shared)]
    assert [(result.verdict, result.case.shared_out) for result in results] == [(Verdict.OK, False)] * 3


def test_what_no_block_writes_is_wrong_however_many_run(setup: Callable[[str], KernelSetup]):
    shared = [Case(Shape(n, n, n), "first", seed=1, shared_out=True) for n in (200, 210)]
    results = [outcome.result for outcome in check(setup(HALF_LEFT_OUT), shared)]
    assert [result.verdict for result in results] == [Verdict.WRONG_ANSWER] * 2


def test_a_kernel_that_is_stopped_at_a_limit_twice_is_not_tried_again(setup: Callable[[str], KernelSetup]):
    cases = [Case(Shape(n, n, n), "first", seed=1) for n in (33, 34, 35, 36)]
    chatter = setup(lab.naive_with('for (;;) printf("again and again ");'))
    verdicts = [outcome.result.verdict for outcome in check(chatter, cases)]
    assert verdicts == [Verdict.OUTPUT] * 2 + [Verdict.SKIPPED] * 2


ENDLESS_AT_34 = "if (N == 34) for (volatile int i = 0; i == 0;) { }"
HALF_WAITS_AT_34 = "if (N == 34 && threadIdx.x) for (volatile int i = 0; i == 0;) { }\n    __syncthreads();"


def within(setup: KernelSetup, case_seconds: float) -> KernelSetup:
    return replace(setup, conditions=setup.conditions.within(replace(LIMITS, case_seconds=case_seconds)))


def verdicts_by_size(setup: KernelSetup, sizes: tuple[int, ...]) -> list[tuple[int, Verdict]]:
    runs = (CHECKED, "first", "second")
    cases = [Case(Shape(n, n, n), run, seed=1) for n in sizes for run in runs]
    results = [outcome.result for outcome in check(within(setup, 0.5), cases)]
    assert [result.case for result in results] == cases
    return [(result.case.shape.N, result.verdict) for result in results]


@pytest.mark.parametrize("sizes", [(34, 35), (35, 34)])
def test_a_size_with_a_timeout_is_not_run_again(setup: Callable[[str], KernelSetup], sizes: tuple[int, ...]):
    verdicts = verdicts_by_size(setup(lab.naive_with(ENDLESS_AT_34)), (33, *sizes))
    assert [verdict for n, verdict in verdicts if n == 34] == [Verdict.TIMEOUT, Verdict.SKIPPED, Verdict.SKIPPED]
    assert {verdict for n, verdict in verdicts if n != 34} == {Verdict.OK}


def test_a_barrier_that_a_thread_has_not_reached_at_the_limit_is_a_timeout_too(setup: Callable[[str], KernelSetup]):
    verdicts = verdicts_by_size(setup(lab.naive_with(HALF_WAITS_AT_34)), (34, 35))
    assert [verdict for _, verdict in verdicts] == [Verdict.BARRIER] + [Verdict.SKIPPED] * 5


@pytest.mark.parametrize("sizes", [(34, 35), (35, 34)])
def test_a_timeout_at_the_smallest_size_ends_all(setup: Callable[[str], KernelSetup], sizes: tuple[int, ...]):
    verdicts = verdicts_by_size(setup(lab.naive_with(ENDLESS_AT_34)), sizes)
    behind = verdicts[verdicts.index((34, Verdict.TIMEOUT)) + 1 :]
    assert len(behind) == (5 if sizes[0] == 34 else 2)
    assert {verdict for _, verdict in behind} == {Verdict.SKIPPED}


def test_sizes_that_finish_are_checked_although_others_do_not(setup: Callable[[str], KernelSetup]):
    endless_at_large = setup(lab.naive_with("if (N > 33) for (volatile int i = 0; i == 0;) { }"))
    cases = [Case(Shape(n, n, n), run, seed=1) for n in (17, 34, 35, 36) for run in RUNS]
    verdicts = [outcome.result.verdict for outcome in check(within(endless_at_large, 0.2), cases)]
    skipped = [Verdict.SKIPPED]
    assert verdicts == [Verdict.OK] * 2 + [Verdict.TIMEOUT, *skipped] * 2 + skipped * 2


def test_a_worker_that_a_launch_has_spent_ends_and_is_not_timed(
    setup: Callable[[str], KernelSetup], monkeypatch: pytest.MonkeyPatch
):
    crashed = CheckedCase(CaseResult(SMALL, Verdict.CRASHED, fault=Fault(Verdict.CRASHED, "It crashed.")))
    monkeypatch.setattr(checking, "run_case", lambda *_: RanCase(SMALL.shape, lambda: crashed, spent=True))
    with worker(Backend.SIMULATOR, LIMITS, start_kept) as first:
        assert list(check(setup(lab.NAIVE), [SMALL], first)) == [crashed]
        assert first.running.poll() is not None


def test_the_code_that_a_worker_generates_is_kept(
    setup: Callable[[str], KernelSetup], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    kernel = setup(lab.NAIVE)
    monkeypatch.setenv("GRADER_CACHE", str(tmp_path))
    assert len(list(check(kernel, [SMALL]))) == 1
    assert cache.names(kernel.artifact.bundle().key)


def endless(case: Case) -> CheckedCase:
    fault = Fault(Verdict.TIMEOUT, "It does not end.")
    return CheckedCase(CaseResult(case, fault.verdict, fault=fault), timed_out=True)


def test_what_did_not_run_says_why():
    at = {n: Case(Shape(n, n, n), "first", seed=1) for n in (33, 34, 35)}
    so_far = SoFar(at[33].shape)
    so_far.add(endless(at[34]))
    assert so_far.settles(at[34]) is Settled.ENDLESS_HERE
    assert (so_far.settles(at[33]), so_far.settles(at[35]), so_far.settles_others) == (None, None, False)
    so_far.add(endless(at[33]))
    assert so_far.settles(at[35]) is Settled.ENDLESS_EVERYWHERE
    assert so_far.settles_others


WHOLE = "bool whole = true; for (int i = 0; i < N; ++i) whole &= A[i * N] == rintf(A[i * N]);"
WRONG_ON_INTEGERS = lab.naive_with(f"{WHOLE} if (whole) return;")


def test_a_size_that_failed_twice_is_not_run_again(setup: Callable[[str], KernelSetup]):
    runs = ("first", "second", "first", "second", "first")
    cases = [Case(Shape(n, n, n), run, seed=1) for n in (33, 34) for run in runs]
    outcomes = list(check(setup(WRONG_ON_INTEGERS), cases))
    assert [outcome.result.case for outcome in outcomes] == cases
    of_a_size = [Verdict.WRONG_ANSWER, Verdict.OK, Verdict.WRONG_ANSWER, Verdict.SKIPPED, Verdict.SKIPPED]
    assert [outcome.result.verdict for outcome in outcomes] == of_a_size * 2


WAITS_AT_UNSET_OBJECT = "#include <cuda/barrier>\n" + lab.naive_with(
    "__shared__ cuda::barrier<cuda::thread_scope_block> bar; bar.arrive_and_wait();"
)


@pytest.mark.parametrize("undefined", ["fails", "remark"])
def test_a_launch_that_does_not_end_is_not_tolerated(setup: Callable[[str], KernelSetup], undefined: Undefined):
    cases = [replace(SMALL, run=run) for run in (CHECKED, "first")]
    kernel = setup(WAITS_AT_UNSET_OBJECT)
    rubric = replace(kernel.conditions.rubric, undefined=undefined)
    outcomes = check(replace(kernel, conditions=replace(kernel.conditions, rubric=rubric)), cases)
    assert [outcome.result.verdict for outcome in outcomes] == [Verdict.UNSET_MEMORY] * 2


def test_without_cases_there_are_no_outcomes(setup: Callable[[str], KernelSetup]):
    assert list(check(setup(lab.NAIVE), [])) == []


def test_a_fault_names_its_size(setup: Callable[[str], KernelSetup]):
    (outcome,) = check(setup(lab.naive_with("__trap();")), [SMALL])
    assert outcome.result.fault.sentence.startswith("At N=33: ")


def test_what_a_kernel_prints_is_kept(setup: Callable[[str], KernelSetup]):
    (outcome,) = check(setup(lab.naive_with('if (row + col == 0) printf("%d\\n", N);')), [SMALL])
    assert outcome.result.printed == "33\n"


TRAPS_ON_INTEGERS = lab.naive_with(f"{WHOLE} if (whole) __trap();")


def families_that_fail(machine: Machine) -> set[str]:
    conditions = Conditions(rubric_of(INTERFACE, (), LIMITS), machine, 1)
    setup = KernelSetup(compile_source(conditions, TRAPS_ON_INTEGERS.encode(), "mine.cu"), LAUNCH, conditions)
    cases = [Case(Shape(n, n, n), run, seed=1) for n in (33, 34) for run in ("first", "second", "first")]
    outcomes = list(check(setup, cases))
    assert len(outcomes) == len(cases)
    return {outcome.result.case.run for outcome in outcomes if outcome.result.verdict is not Verdict.OK}


def test_a_crash_costs_its_own_case(simulator: Machine):
    assert families_that_fail(simulator) == {"first"}


@pytest.mark.gpu
def test_a_crash_on_the_gpu_costs_its_own_case(gpu: Machine):
    assert families_that_fail(gpu) == {"first"}


@pytest.mark.parametrize(
    ("parameters", "words"),
    [("float *C, int N", "(pointer, integer)"), ("const float *A, const float *B, float *C, float N", "real")],
)
@pytest.mark.usefixtures("simulator")
def test_other_parameters_are_named_beside_those_of_the_lab(parameters: str, words: str):
    source = f'#include <lab.h>\nextern "C" __global__ void matmul({parameters}) {{}}'
    built = compile_source(conditions_of(INTERFACE, (), LIMITS, start_kept), source.encode(), "mine.cu")
    with pytest.raises(SubmissionError) as caught:
        check_signature(built.build, INTERFACE)
    fault = caught.value.fault
    assert fault.verdict is Verdict.WRONG_SIGNATURE
    assert words in fault.sentence
    assert "matmul(A, B, C, N)" in fault.sentence


@pytest.mark.parametrize(
    ("stopped", "code", "verdict"),
    [
        (Stopped.TIME, None, Verdict.TIMEOUT),
        (Stopped.MEMORY, None, Verdict.MEMORY),
        (Stopped.OUTPUT, None, Verdict.OUTPUT),
        (Stopped.NO, -11, Verdict.CRASHED),
    ],
)
def test_a_worker_that_the_kernel_crashed_is_the_kernels_fault(stopped: Stopped, code: int | None, verdict: Verdict):
    fault = one_case.lost_fault(WorkerLostError(stopped, code, ""), SMALL, LIMITS)
    assert fault.verdict is verdict
    assert ("N=33" in fault.sentence) == (verdict is Verdict.CRASHED)
    assert fault.hint


def test_a_worker_that_fails_by_itself_is_a_grader_error_in_one_line():
    lost = WorkerLostError(Stopped.NO, 1, "Traceback:\n  many lines\nOSError: No space left on device\n")
    with pytest.raises(InfrastructureError, match="checking N=33: OSError: No space left on device") as caught:
        one_case.lost_fault(lost, SMALL, LIMITS)
    assert "Traceback" not in str(caught.value)


def simulated_kernel() -> KernelSetup:
    artifact = Artifact(Build("mine", "matmul", (), None, "", ()), b"")
    return KernelSetup(artifact, LAUNCH, conditions_of(INTERFACE, (), LIMITS))


def test_the_simulator_gives_large_sizes_more_time():
    assert simulated_kernel().seconds_of(SMALL) == pytest.approx(5, abs=0.1)
    assert simulated_kernel().seconds_of(LARGE) > 15


@pytest.mark.parametrize(
    ("n", "limit", "seconds"), [(1, 20, 5), (512, 20, 5), (1536, 20, 8.4375), (2048, 20, 20), (8192, 20, 20), (1, 2, 2)]
)
def test_a_gpu_gives_small_sizes_less_time(n: int, limit: float, seconds: float):
    simulated = simulated_kernel()
    on_gpu = replace(simulated, conditions=simulated.conditions.on(Backend.CUDA).within(Limits(case_seconds=limit)))
    assert on_gpu.seconds_of(Case(Shape(n, n, n), "first", seed=1)) == seconds


def test_a_library_is_asked_for_what_a_class_does_not_know(monkeypatch: pytest.MonkeyPatch):
    asked: list[Case] = []

    def computed(_library: Worker, _setup: KernelSetup, request: Check) -> NDArray[np.uint8]:
        asked.append(request.case)
        return np.zeros(4, np.uint8)

    def small_known(case: Case, compute: Callable[[], NDArray[np.uint8]]) -> NDArray[np.uint8]:
        return np.ones(4, np.uint8) if case == SMALL else compute()

    monkeypatch.setattr(one_case, "_library_product", computed)
    request = Check(None, LAUNCH, SMALL, INTERFACE, LIMITS, (LARGE,))
    library, alone = cast(Worker, None), simulated_kernel()
    one_case.library_product(library, alone, request)
    assert asked == [SMALL]
    of_class = replace(alone, conditions=replace(alone.conditions, product=small_known))
    assert one_case.library_product(library, of_class, request).all()
    one_case.library_product(library, of_class, replace(request, case=LARGE))
    assert asked[1:] == [LARGE]
