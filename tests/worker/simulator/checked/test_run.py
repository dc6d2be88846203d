"""What a checked launch says of kernels with races or unset memory, and of honest ones that come close to one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grader.contract.inputs import CHECKED
from grader.contract.messages import Check, Checked
from grader.model import Case, DataRace, Fault, Interface, Launch, Limits, RacingAccess, Shape, Verdict
from grader.worker.simulator.checked import clocks, run
from grader.worker.simulator.engine import trace
from tests import lab
from tests.launcher import answer_here, compiled_here

SUBMISSIONS = Path(__file__).parents[3] / "submissions"
SQUARE = Interface("matmul", ("A", "B", "C", "N"))
SMALL = Case(Shape(33, 33, 33), CHECKED, 1)
EDGES = Case(Shape(1000, 1000, 1000), CHECKED, 1, shared_out=True)
RACES = {
    "barrier_for_the_last_step_only": "Put a __syncthreads() between line 18 and line 20.",
    "copies_awaited_by_one_warp": "A thread waits for its own copies only",
    "copies_not_awaited": "line 11 starts an asynchronous copy to element 0 of the shared array Bs in",
    "waits_for_the_wrong_group": "leaves too many groups in flight",
    "c_zeroed_by_one_of_two_blocks": "line 18 writes C[0][0] in block (1, 0), and line 19 updates it",
    "first_barrier_of_two_buffers_missing": "Put a __syncthreads() between line 20 and line 27.",
    "halves_overwrite_each_other": "Data race in line 17: it writes C[0][0] in block (0, 0) and in block (1, 0)",
    "lost_updates_in_c": "Data race in line 20: it reads and writes C[",
    "lost_updates": "additions are lost: use atomicAdd",
    "missing_first_barrier": "Put a __syncthreads() between line 21 and line 25.",
    "missing_second_barrier": "between line 31 and line 26, which follows in the next iteration of the loop.",
    "no_barriers": "line 18 writes element 0 of the shared array Bs in thread (0, 0), and line 20 reads it in thread",
    "one_factor_from_the_old_buffer": "put a __syncthreads() between line 26 and line 28.",
    "parts_of_another_warp": "of the shared array parts",
    "reads_the_buffer_being_filled": "put a __syncthreads() between line 26 and line 28.",
    "row_from_the_grid": "Data race in line 15: it writes C[0][",
    "second_named_barrier_missing": "line 25 reads it in thread (0, 0, 1) of block (0, 0), and no barrier makes",
    "sum_shared_by_the_block": "the shared variable sum in thread",
    "tiles_overlap": "Two threads write to the same element",
    "warp_barrier_for_block_barrier": "Put a __syncthreads() between line 18 and line 21.",
}
UNSET = {
    "block_smaller_than_tile": "Line 21 reads",
    "early_return_before_barrier": "Does a thread return early",
    "edge_of_tiles_never_written": "Line 22 reads element 16 of the shared array Bs",
    "half_the_tile_loaded": "Line 21 reads",
    "largest_of_unset_memory": "Line 16 reads element 32 of the shared array seen in thread (0, 0) of block (0, 0)",
    "partial_sums_not_set": "The kernel uses an element of a local array that was never set, and C depends",
    "rows_each_loaded_once": "of the shared array As",
    "uninitialised_accumulator": "Line 14 uses a variable that was never set, and C depends on its value.",
}
LEFT_OVER = {
    "counter_not_reset": "Line 15 updates the __device__ variable next_tile in thread (0, 0) of block (0, 0)",
    "sums_kept_between_launches": "of sums in thread (0, 0) of block (0, 0), which still holds what line 15 wrote",
}
ZERO = {
    "factor_set_by_the_host": "uses scale, a __constant__ variable that is zero",
    "flag_never_raised": "Line 13 uses ready, a __device__ variable that is zero",
}
HONEST = (
    "async_copies", "async_copies_pipeline_class", "async_copies_ptx", "halves_in_turn", "module_variables",
    "halves_with_barriers_of_their_own", "persistent_work_counter", "redundant_blocks", "split_k_last_block_adds",
    "split_k_shared_atomics", "two_buffers_handed_over",
    "sums_set_before_use", "unset_values_never_stored", "warp_reduction_in_shared_memory",
    "warp_specialised",
)  # fmt: skip


REMARKS = {
    "atomics_on_sums_that_are_set": "",
    "volatile_view_of_sums": "",
    "warp_specialised": "",
    "split_k_last_block_adds": "",
    "persistent_work_counter": "",
    "redundant_blocks": "the same value each time",
}


def launched(path: Path, case: Case = SMALL) -> Checked:
    artifact = compiled_here(path, SQUARE)
    launch = artifact.build.launch or Launch((16, 16, 1), (16, 16))
    answer = answer_here(artifact, Check(artifact.build, launch, case, SQUARE, Limits()))
    assert isinstance(answer, Checked)
    return answer


def checked(path: Path) -> Fault | None:
    return launched(path).fault


@pytest.mark.parametrize("name", RACES)
def test_a_race_is_found_with_its_lines(name: str):
    fault = checked(SUBMISSIONS / "wrong" / f"{name}.cu")
    assert fault
    assert fault.verdict is Verdict.DATA_RACE
    assert RACES[name] in f"{fault.sentence} {fault.hint}"


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


@pytest.mark.parametrize(("wide", "part"), [(4, 4), (8, 4), (8, 8), (16, 4), (16, 8), (16, 16)])
@pytest.mark.parametrize("thread", [0, 1, 32])
def test_overlapping_copies_are_a_race_if_they_write_different_values(
    wide: int, part: int, thread: int, tmp_path: Path
):
    for moved in (0, 4):
        names = f"#define WIDE {wide}\n#define PART {part}\n#define THREAD {thread}\n#define MOVED {moved}\n"
        path = tmp_path / f"overlap_{moved}.cu"
        path.write_text(names + OVERLAP)
        fault = checked(path)
        raced = fault is not None and fault.verdict is Verdict.DATA_RACE
        assert raced is bool(moved), fault


def test_a_race_has_its_two_accesses():
    fault = checked(SUBMISSIONS / "wrong" / "missing_first_barrier.cu")
    assert fault
    assert fault.race == DataRace(
        "element 32 of the shared array As",
        RacingAccess("thread (0, 0)", 21, "writes"),
        RacingAccess("thread (0, 2)", 25, "reads"),
        "with no barrier between the two",
    )


@pytest.mark.parametrize("name", UNSET)
def test_unset_memory_that_reaches_c_is_found_with_its_line(name: str):
    fault = checked(SUBMISSIONS / "wrong" / f"{name}.cu")
    assert fault
    assert fault.verdict is Verdict.UNSET_MEMORY
    assert UNSET[name] in f"{fault.sentence} {fault.hint}"


@pytest.mark.parametrize("name", LEFT_OVER)
def test_a_value_of_an_earlier_launch_that_reaches_c_is_found_with_its_lines(name: str):
    fault = checked(SUBMISSIONS / "wrong" / f"{name}.cu")
    assert fault
    assert (fault.verdict, fault.line) == (Verdict.WRONG_ANSWER, 15)
    assert LEFT_OVER[name] in fault.sentence


@pytest.mark.parametrize("name", ZERO)
def test_a_variable_that_nothing_sets_is_the_reason_if_the_answer_is_wrong(name: str):
    answer = launched(SUBMISSIONS / "wrong" / f"{name}.cu")
    assert answer.fault is None
    assert answer.if_wrong
    assert ZERO[name] in answer.if_wrong.sentence


def test_a_variable_that_nothing_sets_is_no_reason_where_c_does_not_depend_on_it(tmp_path: Path):
    source = tmp_path / "mine.cu"
    counted = "__device__ int launches[2];\n" + lab.naive_with("if (launches[1]) launches[0] += row;")
    source.write_text(counted)
    answer = launched(source)
    assert (answer.fault, answer.if_wrong) == (None, None)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("redundant_blocks", "Line 15 writes C[0][8] in block (0, 0) and in block (1, 0), the same value each time."),
        ("unset_values_never_stored", "before any thread has written it. C does not depend on the value here."),
    ],
)
def test_what_does_no_harm_is_a_remark_with_its_line(name: str, said: str):
    answer = launched(SUBMISSIONS / "honest" / f"{name}.cu")
    assert answer.fault is None
    assert said in answer.remark


@pytest.mark.parametrize("name", HONEST)
def test_nothing_is_found_in_an_honest_kernel(name: str):
    assert checked(SUBMISSIONS / "honest" / f"{name}.cu") is None


@pytest.mark.parametrize("name", REMARKS)
def test_only_what_is_odd_is_a_remark(name: str):
    remark = launched(SUBMISSIONS / "honest" / f"{name}.cu").remark
    assert REMARKS[name] in remark
    assert bool(remark) == bool(REMARKS[name])


@pytest.mark.parametrize("name", ["barrier_for_the_last_step_only", "tiles_overlap"])
def test_a_race_is_found_at_the_edges_of_a_large_size(name: str):
    fault = launched(SUBMISSIONS / "wrong" / f"{name}.cu", EDGES).fault
    assert fault
    assert RACES[name] in f"{fault.sentence} {fault.hint}"


@pytest.mark.parametrize("size", [33, 256])
def test_a_warp_that_runs_ahead_of_the_others_leaves_room_for_them(size: int):
    case = replace(SMALL, shape=Shape(size, size, size))
    fault = launched(SUBMISSIONS / "wrong" / "one_warp_runs_far_ahead.cu", case).fault
    assert fault
    assert (fault.verdict, fault.hint) == (Verdict.DATA_RACE, "Put a __syncthreads() between line 22 and line 29.")


def test_where_a_race_may_not_be_recorded_a_read_of_unset_memory_is_called_both(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(trace, "SHARED_OUT", run.OF_BLOCK // 8)  # no room for the other seven warps
    case = replace(SMALL, shape=Shape(256, 256, 256))
    fault = launched(SUBMISSIONS / "wrong" / "one_warp_runs_far_ahead.cu", case).fault
    assert fault
    assert fault.verdict is Verdict.UNSET_MEMORY
    assert "does not show which of the two it is" in fault.hint


def test_an_honest_kernel_is_searched_completely_at_the_edges_of_a_large_size():
    answer = launched(SUBMISSIONS / "honest" / "lambdas.cu", EDGES)
    assert (answer.fault, answer.partly_searched) == (None, "")


def test_a_block_that_does_too_much_is_searched_in_part(monkeypatch: pytest.MonkeyPatch):
    tiled = SUBMISSIONS / "honest" / "lambdas.cu"
    assert launched(tiled).partly_searched == ""
    monkeypatch.setattr(run, "OF_BLOCK", 100)
    answer = launched(tiled)
    assert answer.fault is None
    assert answer.partly_searched.startswith("Blocks do more here than is searched")


def test_threads_that_wait_too_often_are_searched_in_part(monkeypatch: pytest.MonkeyPatch):
    waiting = SUBMISSIONS / "honest" / "stages_with_mbarriers.cu"
    assert launched(waiting).partly_searched == ""
    monkeypatch.setattr(clocks, "MOST_NUMBERS", 10_000)
    answer = launched(waiting)
    assert answer.fault is None
    assert answer.partly_searched.startswith("Threads wait for each other more often here than is searched")


def test_a_kernel_that_is_not_supported_leaves_its_worker_for_the_next_case():
    answer = launched(SUBMISSIONS.parent / "worker" / "simulator" / "kernels" / "single_bits.cu")
    assert answer.fault
    assert (answer.fault.verdict, answer.ended, answer.spent) == (Verdict.NOT_SUPPORTED, False, False)
