"""What a checked launch says of kernels with races or unset memory, and of honest ones that come close to one."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.contract.inputs import CHECKED
from grader.contract.messages import Check, Checked
from grader.explain.answers import Explained, explained
from grader.explain.finding import Asked
from grader.model import AccessKind, Case, Fault, Interface, Launch, Limits, Shape, ThreadAccess, Verdict
from grader.model.findings import NotSupported
from grader.ptxsim.checked import lost_additions, run, vector_clocks
from grader.ptxsim.engine import trace
from grader.sandbox.processes import Start
from tests import lab
from tests.corpus import named
from tests.kept_answers import start_kept
from tests.launcher import answer_here, compiled_here, start_here

SQUARE = Interface("matmul", ("A", "B", "C", "N"))
SMALL = Case(Shape(33, 33, 33), CHECKED, 1)
EDGES = Case(Shape(520, 520, 520), CHECKED, 1, shared_out=True)
AT_THE_EDGES = {
    "barrier_for_the_last_step_only": "between line 18 and line 20, and another one behind line 20",
    "tiles_overlap": "Two threads write to the same element",
}
NOTHING_ODD = (
    "compare_and_swap_sum", "volatile_view_of_sums", "loader_and_two_groups", "last_block_with_one_fence",
    "persistent_work_counter",
)  # fmt: skip


def answered(path: Path, case: Case = SMALL, start: Start = start_kept) -> Checked:
    artifact = compiled_here(path, SQUARE)
    launch = artifact.build.launch or Launch((16, 16, 1), (16, 16))
    answer = answer_here(artifact, Check(artifact.build, launch, case, SQUARE, Limits()), start)
    assert isinstance(answer, Checked)
    return answer


def launched(path: Path, case: Case = SMALL, start: Start = start_kept) -> Explained:
    return explained(answered(path, case, start), Asked(SQUARE, case.shape, Limits()))


def launched_as_patched(path: Path, case: Case = SMALL) -> Explained:
    """What is kept is of the code as it is in the files."""
    return launched(path, case, start_here)


def checked(path: Path) -> Fault | None:
    return launched(path).fault


OVERLAP = """
#include <cuda_pipeline.h>
#include <lab.h>
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ __align__(16) float tile[4];
    if (threadIdx.x == 0)
        __pipeline_memcpy_async(tile, A, WIDE);
    if (threadIdx.x == THREAD)
        __pipeline_memcpy_async(tile + (WIDE - PART) / 4, A + (WIDE - PART) / 4 + MOVED, PART);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    C[threadIdx.x] = tile[0];
}
LAUNCH(.block = {64}, .tile = {64, 64});
"""


@pytest.mark.parametrize(("wide", "part", "thread"), [(4, 4, 1), (8, 4, 0), (16, 8, 32), (16, 16, 1)])
def test_overlapping_copies_are_a_race_if_they_write_different_values(wide, part, thread, tmp_path: Path):
    for moved in (0, 4):
        names = f"#define WIDE {wide}\n#define PART {part}\n#define THREAD {thread}\n#define MOVED {moved}\n"
        path = tmp_path / f"overlap_{moved}.cu"
        path.write_text(names + OVERLAP)
        fault = checked(path)
        raced = fault is not None and fault.verdict is Verdict.DATA_RACE
        assert raced is bool(moved), fault


AWAY_FROM_CORNERS = {
    "a race of two lanes": "sums[tid.y][tid.x ^ inner] = sum;\n    sum = sums[tid.y][tid.x];",
    "an unset array": "if (!inner) sums[tid.y][tid.x] = 0;\n    sum += sums[tid.y][tid.x];",
}


@pytest.mark.parametrize("mistake", AWAY_FROM_CORNERS)
@pytest.mark.parametrize("size", [64, 260])
def test_a_mistake_of_blocks_away_from_the_corners_is_found(mistake: str, size: int, tmp_path: Path):
    begins = "bool inner = blockIdx.y % (gridDim.y - 1); uint3 tid = threadIdx; __shared__ volatile float sums[8][32];"
    store, launch = "    C[row * N + col] = sum;", "{16, 16}, .tile = {16, 16}"
    code = lab.NAIVE.replace(store, f"    {begins}\n    {AWAY_FROM_CORNERS[mistake]}\n{store}")
    (source := tmp_path / "inner.cu").write_text(code.replace(launch, "{32, 8}, .tile = {32, 8}"))
    faults = [launched(source, Case(Shape(size, size, size), CHECKED, seed)).fault for seed in range(3)]
    assert all(fault and fault.verdict.is_undefined for fault in faults)


def test_a_race_has_its_two_accesses():
    fault = checked(named("wrong/missing_first_barrier"))
    assert fault.accesses == (
        ThreadAccess(21, AccessKind.WRITES, (0, 0, 0), (0, 0, 0)),
        ThreadAccess(25, AccessKind.READS, (0, 0, 0), (0, 2, 0)),
    )
    assert (fault.memory, fault.missing) == ("element 32 of the shared array “As”", "with no barrier between the two")


def test_a_write_before_the_reads_of_its_warp_comes_first_though_its_own_thread_reads_nothing(tmp_path: Path):
    (tmp_path / "late.cu").write_text("""#include <lab.h>
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ int steps;
    if (threadIdx.x == 0)
        steps = N;
    for (int k = 0; k < steps; k++) {
        C[threadIdx.x] += A[k];
        __syncthreads();
    }
}
LAUNCH(.block = {64}, .tile = {64, 64});
""")
    first, second = checked(tmp_path / "late.cu").accesses
    assert (first.line, second.line) == (6, 7)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("redundant_blocks", "Line 15 writes C[0][8] in block (0, 0) and in block (1, 0), the same value each time."),
        ("unset_values_never_stored", "before any thread has written it. C does not depend on the value here."),
    ],
)
def test_what_does_no_harm_is_a_remark_with_its_line(name: str, said: str):
    answer = launched(named(f"honest/{name}"))
    assert answer.fault is None
    assert said in answer.remark


@pytest.mark.parametrize("name", NOTHING_ODD)
def test_what_is_not_odd_is_no_remark(name: str):
    assert launched(named(f"honest/{name}")).remark == ""


@pytest.mark.parametrize("name", AT_THE_EDGES)
def test_a_race_is_found_at_the_edges_of_a_large_size(name: str):
    fault = launched(named(f"wrong/{name}"), EDGES).fault
    assert AT_THE_EDGES[name] in f"{fault.sentence} {fault.hint}"


@pytest.mark.parametrize("size", [33, 128])
def test_a_warp_that_runs_ahead_of_the_others_leaves_room_for_them(size: int):
    case = replace(SMALL, shape=Shape(size, size, size))
    fault = launched(named("wrong/one_warp_runs_far_ahead"), case).fault
    assert fault.verdict is Verdict.DATA_RACE
    assert fault.hint.startswith("Put a __syncthreads() between line 22 and line 29, and another one behind line 29,")


def test_where_a_race_may_not_be_recorded_a_read_of_unset_memory_is_called_both(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(trace, "SHARED_OUT", run.OF_BLOCK // 8)  # no room for the other seven warps
    case = replace(SMALL, shape=Shape(256, 256, 256))
    fault = launched_as_patched(named("wrong/one_warp_runs_far_ahead"), case).fault
    assert fault.verdict is Verdict.UNSET_MEMORY
    assert "does not show which of the two it is" in fault.hint


def test_an_honest_kernel_is_searched_completely_at_the_edges_of_a_large_size():
    answer = launched(named("honest/lambdas"), EDGES)
    assert (answer.fault, answer.partly_searched) == (None, "")


@pytest.mark.parametrize(
    ("name", "module", "limit", "most", "words"),
    [
        ("honest/lambdas", run, "OF_BLOCK", 100, "Blocks do more here than is searched"),
        ("honest/stages_with_mbarriers", vector_clocks, "MOST_NUMBERS", 10_000, "Threads wait for each other more"),
        ("wrong/sum_of_a_row_loaded_and_stored", lost_additions, "MOST_ATOMICS", 10, "There are more atomic"),
    ],
)
def test_a_launch_that_does_too_much_is_searched_in_part(
    name, module, limit, most, words, monkeypatch: pytest.MonkeyPatch
):
    before = launched(named(name))
    assert (before.partly_searched, before.fault is None) == ("", name.startswith("honest"))
    monkeypatch.setattr(module, limit, most)
    answer = launched_as_patched(named(name))
    assert answer.fault is None
    assert answer.partly_searched.startswith(words)
    assert answer.partly_searched.endswith("That costs no points.")


def test_a_kernel_that_is_not_supported_leaves_its_worker_for_the_next_case():
    answer = answered(Path(__file__).parents[1] / "kernels" / "single_bits.cu")
    assert isinstance(answer.finding, NotSupported)
    assert (answer.ended, answer.spent) == (False, False)


def test_a_flag_that_stays_up_for_the_next_launch_is_a_race():
    fault = checked(named("wrong/flag_not_lowered"))
    assert fault.verdict is Verdict.DATA_RACE
    assert fault.sentence.startswith("In a second launch, __device__ variables still have the values of the first.")
    assert "its first value again before the kernel ends" in fault.hint
    assert len(fault.accesses) == 2
