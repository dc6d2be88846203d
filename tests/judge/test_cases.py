from __future__ import annotations

import pytest

from grader.contract.inputs import CHECKED, DENSE, FAMILIES, MIXED, REPEATED, blocks
from grader.judge.cases import REPEATS, cases, running_order
from grader.model import Backend, Shape


def test_each_size_has_every_family_and_the_smallest_is_repeated() -> None:
    small, large = Shape(33, 33, 33), Shape(2048, 2048, 2048)
    chosen = list(cases((large, small), 1, Backend.SIMULATOR))
    assert [case.family for case in chosen] == [*FAMILIES, CHECKED, *FAMILIES, REPEATED]
    assert (chosen[-1].shape, chosen[-1].launches) == (small, REPEATS)
    assert [case.shared_out for case in chosen] == [True] * 4 + [False] * 6
    assert {case.order for case in chosen if case.shape == large} == {"forward", "reverse"}


def in_running_order(sizes: tuple[int, ...], backend: Backend) -> list[tuple[int, str]]:
    chosen = [case for case in cases(tuple(Shape(n, n, n) for n in sizes), 1, backend) if case.family != CHECKED]
    return [(chosen[number].shape.N, chosen[number].family) for number in running_order(chosen, backend)]


def each(sizes: tuple[int, ...], families: tuple[str, ...]) -> list[tuple[int, str]]:
    return [(n, family) for n in sizes for family in families]


def test_a_gpu_multiplies_dense_inputs_of_every_size_first() -> None:
    sizes = (1, 257, 2049)
    assert in_running_order(sizes, Backend.CUDA) == [*each(sizes, DENSE), *each(sizes, MIXED), (257, REPEATED)]


def test_a_gpu_takes_as_many_sizes_at_a_time_as_their_wrong_products_have_room() -> None:
    first, second = (257, 4096), (4097,)
    expected = [*each(first, DENSE), *each(first, MIXED), *each(second, FAMILIES), (257, REPEATED)]
    assert in_running_order((*first, *second), Backend.CUDA) == expected


def test_a_simulator_takes_one_size_after_the_other() -> None:
    assert in_running_order((33, 2049), Backend.SIMULATOR) == [*each((33, 2049), FAMILIES), (33, REPEATED)]


@pytest.mark.parametrize(
    ("sizes", "checked"),
    [
        ((1, 33, 64, 100, 129, 257), {33, 64}),
        ((1, 256, 257, 511, 2048), {256, 257}),
        ((128, 64, 100, 511), {64, 511}),
        ((1, 32), {1}),
        ((1, 2048), {2048}),
        ((128, 1000, 1023, 1025, 2048), {128, 1023}),
        ((1024, 2048), {1024}),
        ((1025, 1024, 2048), {1024, 1025}),
        ((4096, 8192), set()),
    ],
)
def test_two_small_sizes_with_several_blocks_are_checked_one_of_them_odd(sizes: tuple[int, ...], checked: set[int]):
    for backend in Backend:
        chosen = list(cases(tuple(Shape(n, n, n) for n in sizes), 1, backend))
        assert {case.shape.N for case in chosen if case.family == CHECKED} == checked


def test_a_small_odd_size_is_checked_rather_than_a_long_one_of_one_block() -> None:
    sizes = (Shape(255, 255, 255), Shape(100, 200, 300), Shape(1, 1, 1000))
    chosen = [case.shape for case in cases(sizes, 1, Backend.SIMULATOR) if case.family == CHECKED]
    assert chosen == [sizes[0], sizes[1]]


def test_what_is_repeated_is_large_enough_to_matter() -> None:
    sizes = tuple(Shape(n, n, n) for n in (1, 257, 64))
    assert list(cases(sizes, 1, Backend.CUDA))[-1].shape == sizes[2]
    assert list(cases(sizes[:1], 1, Backend.CUDA))[-1].shape == sizes[0]


def test_a_gpu_runs_all_blocks_and_has_one_order() -> None:
    every = cases((Shape(2048, 2048, 2048),), 1, Backend.CUDA)
    gpu = [case for case in every if case.family != CHECKED]  # which the simulator runs
    assert {(case.shared_out, case.order) for case in gpu} == {(False, "forward")}
    assert blocks(gpu[0], (128, 128, 1)) is None
