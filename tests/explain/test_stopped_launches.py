"""What a student reads of each fault."""

from dataclasses import replace
from typing import Any

import pytest

from grader.explain.answers import Asked, fault_of
from grader.model import Fault, Interface, Limits, Shape, Verdict
from grader.ptxsim.engine.faults import DeviceFault
from grader.ptxsim.generate.layout import FaultKind
from grader.ptxsim.records.fields import Site
from grader.worker.simulator.stopped import stop_of

SQUARE = Interface("matmul", ("A", "B", "C", "N"))
ASKED = Asked(SQUARE, Shape(10, 10, 10), Limits())
FACT = DeviceFault(FaultKind.NONE, 7, "ld.global.f32", (1, 2, 0), (3, 4, 0), size=4, threads=256, text="N > 0")
SENTENCES = {
    FaultKind.MISALIGNED: (Verdict.CRASHED, "not a multiple of 4 bytes in line 7"),
    FaultKind.TRAP: (Verdict.CRASHED, "came to a trap in line 7"),
    FaultKind.ASSERTION: (Verdict.CRASHED, "in line 7: N > 0"),
    FaultKind.PRINTED: (Verdict.OUTPUT, ""),
    FaultKind.TIME: (Verdict.TIMEOUT, "thread (3, 4, 0) of block (1, 2, 0) was still running in line 7"),
    FaultKind.SLOW: (Verdict.NOT_SUPPORTED, "The simulator is too slow for this kernel"),
    FaultKind.STACK: (Verdict.CRASHED, "ran out of stack in line 7"),
    FaultKind.COPY_SIZE: (Verdict.CRASHED, "asynchronous copy of an unsupported size in line 7"),
    FaultKind.TILE_LEADING: (Verdict.CRASHED, "leading dimension of the tile in line 7"),
    FaultKind.TILE_DIFFERS: (Verdict.CRASHED, "load or store different tiles in line 7"),
    FaultKind.TILE_MISALIGNED: (Verdict.CRASHED, "tile in line 7 starts at an address that is not aligned"),
    FaultKind.WARP_PARTIAL: (Verdict.BARRIER, "needs all 32 threads of a warp"),
    FaultKind.FREE: (Verdict.CRASHED, "frees memory that is not in use in line 7"),
    FaultKind.NOT_RESIDENT: (Verdict.LAUNCH_FAILED, "wait for each other in line 7"),
    FaultKind.NO_OBJECT: (Verdict.UNSET_MEMORY, "in line 7, but it is not initialised"),
    FaultKind.READ_ONLY: (Verdict.CRASHED, "writes to constant memory in line 7"),
}


def explained(kind: FaultKind, **facts: object) -> Fault:
    return fault_of(stop_of(replace(FACT, kind=kind, **facts)), ASKED)  # type: ignore[arg-type]


def test_every_kind_has_words():
    assert set(SENTENCES) | {FaultKind.NONE, FaultKind.MEMORY, FaultKind.BARRIER} == set(FaultKind)


@pytest.mark.parametrize("kind", SENTENCES)
def test_a_fault_states_what_happened_and_where(kind: FaultKind):
    verdict, words = SENTENCES[kind]
    fault = explained(kind)
    assert fault.verdict is verdict
    assert words in fault.sentence
    assert fault.hint


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        (
            {"space": "buffer", "buffer": "A", "offset": 400, "extent": 400},
            "reads outside A in line 7: index 100, which is 1 element past",
        ),
        (
            {"space": "buffer", "buffer": "B", "offset": -8, "extent": 400},
            "reads outside B in line 7: 2 elements before its start",
        ),
        (
            {"space": "buffer", "buffer": "C", "offset": 404, "extent": 400, "write": True},
            "writes outside C in line 7: index 101",
        ),
        ({"space": "shared", "offset": 64, "extent": 64}, "outside the shared memory of its block in line 7"),
        (
            {"space": "shared", "buffer": "As", "offset": 64, "extent": 64},
            "outside the shared array “As” in line 7: byte 64 of 64",
        ),
        (
            {"space": "shared", "buffer": "As", "offset": 64, "extent": 64, "element": 4},
            "line 7: byte 64 of 64 (element 16 of 16, counting from 0, 4 bytes each).",
        ),
        (
            {"space": "local", "buffer": "sums", "offset": 2**64 - 8, "extent": 64, "element": 4},
            "line 7: byte -8 of 64 (2 elements before its start, 4 bytes each).",
        ),
        (
            {"space": "variable", "buffer": "ws", "offset": -4, "extent": 8, "element": 4},
            "byte -4 of 8 (1 element before its",
        ),
        (
            {"space": "scalar", "buffer": "n", "offset": 4, "extent": 4, "element": 4},
            "shared variable n in line 7: byte 4 of 4.",
        ),
        ({"space": "local", "offset": 64, "extent": 64}, "outside the local memory of its thread in line 7"),
        ({"address": 16}, "through a null pointer in line 7"),
        ({"address": 1 << 50}, "memory that belongs to no matrix in line 7"),
    ],
)
def test_an_access_names_the_matrix_and_the_distance(facts: dict[str, object], words: str):
    fault = explained(FaultKind.MEMORY, **facts)
    assert fault.verdict is Verdict.OUT_OF_BOUNDS
    assert words in fault.sentence
    assert fault.line == 7
    assert fault.detail == (f"address {facts['address']:#x}" if "address" in facts else "")  # no index says more


def test_elements_are_counted_in_a_type_that_numpy_lacks():
    asked = replace(ASKED, interface=replace(SQUARE, type_a="bfloat16"))
    stop = stop_of(replace(FACT, kind=FaultKind.MEMORY, space="buffer", buffer="A", offset=200, extent=200, size=2))
    assert "index 100, which is 1 element past its end (A has 100 elements)" in fault_of(stop, asked).sentence


def test_a_null_pointer_may_be_the_labs():
    asked = replace(ASKED, interface=replace(SQUARE, parameters=("A", "B", "C", "N", "sizes = null")))
    fault = fault_of(stop_of(replace(FACT, kind=FaultKind.MEMORY, address=16)), asked)
    assert fault.sentence.endswith("through a null pointer in line 7. The lab passes a null pointer for sizes.")


@pytest.mark.parametrize(
    ("facts", "hint"), [({"size": 16}, "A float4, a copy"), ({"size": 4}, "count elements, and not bytes")]
)
def test_the_hint_at_an_address_between_two_multiples_speaks_of_the_access(facts: dict[str, object], hint: str):
    assert hint in explained(FaultKind.MISALIGNED, **facts).hint


@pytest.mark.parametrize("dynamic", [True, False])
def test_only_a_dynamic_array_has_the_size_of_the_launch(dynamic: bool):
    fault = explained(FaultKind.MEMORY, space="shared", buffer="As", offset=64, extent=64, is_dynamic=dynamic)
    assert (".shared of LAUNCH" in fault.hint) == dynamic


def test_no_declaration_is_named_where_no_array_is_known():
    fault = explained(FaultKind.MEMORY, space="shared", offset=64, extent=64)
    assert "declaration" not in fault.hint


@pytest.mark.parametrize(
    ("interface", "words"),
    [
        ({"parameters": ("A", "B", "C", "N")}, ""),
        ({}, "B is stored as K rows of N elements."),
        ({"layout": "column"}, "B is stored as N columns of K elements."),
        ({"transpose_b": True}, "B is stored as N columns of K elements."),
    ],
)
def test_where_matrices_are_rectangles_the_hint_names_their_sides(interface: dict[str, Any], words: str):
    rectangles = replace(SQUARE, **{"parameters": ("A", "B", "C", "M", "N", "K"), **interface})
    fault = fault_of(
        stop_of(replace(FACT, kind=FaultKind.MEMORY, space="buffer", buffer="B", extent=400)),
        replace(ASKED, interface=rectangles),
    )
    assert fault.hint == f"Compare row, column and k with the size of the matrix before every access. {words}".rstrip()


@pytest.mark.parametrize(
    ("facts", "hint"),
    [
        ({"sites": (Site(9, 128, barrier=True),), "returned": 128}, "Do not return before the barrier"),
        ({"sites": (Site(9, 128, barrier=True), Site(11, 128, barrier=True))}, "the same __syncthreads()"),
        ({"sites": (Site(9, 16, barrier=True), Site(11, 16, barrier=False))}, "All lanes named in a mask"),
    ],
)
def test_a_barrier_that_not_all_threads_reach_says_who_waits_where(facts: dict[str, object], hint: str):
    fault = explained(FaultKind.BARRIER, **facts)
    assert fault.verdict is Verdict.BARRIER
    assert "at the barrier in line 9" in fault.sentence
    assert hint in fault.hint


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        (
            {"space": "scalar", "buffer": "bar", "extent": 8},
            "arrives at the barrier object bar in line 7, but it is not",
        ),
        (
            {"space": "shared", "buffer": "s", "offset": 8, "extent": 16},
            "at the barrier object at byte 8 of s in line 7, but",
        ),
        ({"space": "shared", "extent": 64}, "arrives at the barrier object in line 7, but it is not initialised"),
        ({"instruction": "mbarrier.try_wait.shared.b64"}, "waits at the barrier object in line 7, but it is not"),
    ],
)
def test_a_barrier_object_that_is_not_initialised_is_named(facts: dict[str, object], words: str):
    fault = explained(FaultKind.NO_OBJECT, **facts)
    assert (fault.verdict, fault.line) == (Verdict.UNSET_MEMORY, 7)
    assert words in fault.sentence


def test_lanes_at_two_warp_operations_are_told_that_these_never_meet():
    fault = explained(FaultKind.BARRIER, sites=(Site(9, 8, barrier=False), Site(11, 24, barrier=False)))
    assert "8 at the warp operation in line 9 and 24 at the warp operation in line 11" in fault.sentence
    assert "the same operation with the same mask" in fault.hint


def test_numbered_barriers_are_named():
    fault = explained(FaultKind.BARRIER, sites=(Site(9, 128, barrier=True, number=1), Site(9, 128, True, 2)))
    assert "128 at barrier 1 in line 9 and 128 at barrier 2 in line 9" in fault.sentence
    assert "__syncthreads" not in fault.hint


def test_a_thread_that_runs_while_others_wait_is_a_barrier_that_it_never_reaches():
    fault = explained(FaultKind.TIME, sites=(Site(9, 255, barrier=True),))
    assert (fault.verdict, fault.line) == (Verdict.BARRIER, 9)
    assert "255 of 256 threads" in fault.sentence
