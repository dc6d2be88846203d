"""Additions of an atomic load and an atomic store, with and without something that orders them."""

from pathlib import Path

from grader.model import AccessKind, ThreadAccess
from tests.corpus import content, named
from tests.ptxsim.checked.test_run import checked

IN_TURN = named("honest/load_and_store_in_turn")


def test_an_addition_that_may_be_lost_has_its_two_threads():
    fault = checked(named("wrong/sum_of_a_row_loaded_and_stored"))
    assert "in thread (0, 0) and in thread (32, 0) of block (0, 0), and nothing orders" in fault.sentence
    assert "Add in one step: atomicAdd()" in fault.hint
    updates = [ThreadAccess(20, AccessKind.UPDATES, (0, 0, 0), (thread, 0, 0)) for thread in (0, 32)]
    assert (list(fault.accesses), fault.memory) == (updates, "the shared variable total")


def test_a_load_and_a_store_may_be_in_two_lines(tmp_path: Path):
    source = tmp_path / "two_lines.cu"
    text = content(named("wrong/load_and_store_for_an_addition")).decode()
    whole = "total.store(total.load(cuda::memory_order_relaxed) + sum, cuda::memory_order_relaxed);"
    apart = (
        "{ float old = total.load(cuda::memory_order_relaxed);\ntotal.store(old + sum, cuda::memory_order_relaxed); }"
    )
    source.write_text(text.replace(whole, apart))
    fault = checked(source)
    assert "Line 22 loads element 0 of sums, and line 23 stores a sum with it" in fault.sentence


def test_a_barrier_between_all_loads_and_all_stores_loses_additions_too(tmp_path: Path):
    source = tmp_path / "barrier_between.cu"
    whole = "    if (threadIdx.x % 32 == 0)\n        sum.store(sum.load(cuda::memory_order_relaxed) + part,"
    apart = (
        "    float old = sum.load(cuda::memory_order_relaxed);\n    __syncthreads();\n"
        "    if (threadIdx.x % 32 == 0)\n        sum.store(old + part,"
    )
    source.write_text(content(named("wrong/sum_of_a_row_loaded_and_stored")).decode().replace(whole, apart))
    assert "one of the two additions is lost" in checked(source).sentence


def test_the_same_without_its_turns_is_found(tmp_path: Path):
    source = tmp_path / "out_of_turn.cu"
    source.write_text(content(IN_TURN).decode().replace("while (turn[place] != part)", "if (!parts)"))
    fault = checked(source)
    assert "one of the two additions is lost" in fault.sentence
