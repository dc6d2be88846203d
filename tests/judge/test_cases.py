import pytest

from grader.contract.inputs import CHECKED, REPEATED, RUNS, blocks
from grader.judge.cases import REPEATS, cases
from grader.model import Backend, Shape


def test_each_size_has_both_runs_and_the_smallest_is_repeated() -> None:
    small, large = Shape(33, 33, 33), Shape(2048, 2048, 2048)
    chosen = list(cases((large, small), 1, Backend.SIMULATOR))
    assert [case.run for case in chosen] == [*RUNS, CHECKED, *RUNS, REPEATED]
    assert (chosen[-1].shape, chosen[-1].launches) == (small, REPEATS)
    assert [case.shared_out for case in chosen] == [True] * 2 + [False] * 4
    assert {case.order for case in chosen if case.shape == large} == {"forward", "reverse"}


@pytest.mark.parametrize(
    ("sizes", "checked"),
    [
        ((1, 33, 64, 100, 129, 257), {1, 33, 64}),
        ((31, 1, 256, 257, 511, 2048), {1, 256, 257}),
        ((128, 64, 100, 511), {64, 511}),
        ((1, 32), {1}),
        ((1, 2048), {1, 2048}),
        ((128, 1000, 1023, 1025, 2048), {128, 1023}),
        ((1024, 2048), {1024}),
        ((1025, 1024, 2048), {1024, 1025}),
        ((4096, 8192), set()),
    ],
)
def test_the_smallest_size_and_two_small_ones_with_several_blocks_are_checked_one_of_them_odd(
    sizes: tuple[int, ...], checked: set[int]
):
    for backend in Backend:
        chosen = list(cases(tuple(Shape(n, n, n) for n in sizes), 1, backend))
        assert {case.shape.N for case in chosen if case.run == CHECKED} == checked


def test_a_small_odd_size_is_checked_rather_than_a_long_one_of_one_block() -> None:
    sizes = (Shape(255, 255, 255), Shape(100, 200, 300), Shape(1, 1, 1000))
    chosen = [case.shape for case in cases(sizes, 1, Backend.SIMULATOR) if case.run == CHECKED]
    assert chosen == [sizes[0], sizes[1]]


def test_what_is_repeated_is_large_enough_to_matter() -> None:
    sizes = tuple(Shape(n, n, n) for n in (1, 257, 64, 31))
    assert list(cases(sizes, 1, Backend.CUDA))[-1].shape == sizes[2]
    assert list(cases(sizes[:1], 1, Backend.CUDA))[-1].shape == sizes[0]


def test_a_gpu_runs_all_blocks_and_has_one_order() -> None:
    every = cases((Shape(2048, 2048, 2048),), 1, Backend.CUDA)
    gpu = [case for case in every if case.run != CHECKED]  # which the simulator runs
    assert {(case.shared_out, case.order) for case in gpu} == {(False, "forward")}
    assert blocks(gpu[0], (128, 128, 1)) is None
