from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.contract.launch_limits import Multiprocessor, blocks_per_sm, most_shared, occupancy, refusal
from grader.model import Launch
from grader.model.launches import SharedTooLarge

# CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
SM_75 = Multiprocessor(threads=1024, blocks=16, registers=65536, shared=65536, reserved_shared=0, shared_unit=256)
SM_80 = Multiprocessor(threads=2048, blocks=32, registers=65536, shared=167936, reserved_shared=1024, shared_unit=128)
SM_86 = replace(SM_80, threads=1536, blocks=16, shared=102400)
SM_90 = replace(SM_80, shared=233472)


@pytest.mark.parametrize(
    ("limits", "threads", "registers", "shared", "blocks"),
    [
        (SM_90, 256, 32, 0, 8),
        (SM_90, 256, 40, 0, 6),
        (SM_90, 256, 56, 0, 4),
        (SM_90, 256, 64, 0, 4),
        (SM_90, 256, 128, 0, 2),
        (SM_90, 256, 255, 0, 1),
        (SM_90, 1024, 32, 0, 2),
        (SM_90, 1024, 33, 0, 1),
        (SM_90, 32, 16, 0, 32),
        (SM_90, 33, 16, 0, 32),
        (SM_90, 96, 16, 0, 21),
        (SM_90, 256, 32, 32768, 6),
        (SM_90, 256, 32, 48 * 1024, 4),
        (SM_90, 256, 32, 227 * 1024, 1),
        (SM_80, 256, 32, 48 * 1024, 3),
        (SM_86, 256, 32, 0, 6),
        (SM_86, 256, 48, 0, 5),
        (SM_75, 256, 32, 0, 4),
        (SM_75, 256, 32, 32768, 2),
        (SM_75, 1024, 64, 0, 1),
        (SM_90, 1024, 128, 0, 0),
        (SM_90, 256, 32, 240 * 1024, 0),
    ],
)
def test_blocks_are_those_of_the_occupancy_calculator(
    limits: Multiprocessor, threads: int, registers: int, shared: int, blocks: int
) -> None:
    assert blocks_per_sm(limits, threads, registers, shared) == blocks


@pytest.mark.parametrize(
    ("limits", "threads", "blocks", "share"),
    [(SM_90, 256, 8, 1.0), (SM_90, 256, 4, 0.5), (SM_90, 32, 32, 0.5), (SM_86, 1024, 1, 2 / 3), (SM_90, 33, 32, 1.0)],
)
def test_occupancy_counts_whole_warps(limits: Multiprocessor, threads: int, blocks: int, share: float) -> None:
    assert occupancy(limits, threads, blocks) == pytest.approx(share)


sizes = st.tuples(st.integers(1, 1024), st.integers(1, 255), st.integers(0, 232448))


@given(sizes, sizes)
def test_more_resources_for_each_block_never_allow_more_blocks(first: tuple[int, ...], other: tuple[int, ...]) -> None:
    less, more = map(min, first, other), map(max, first, other)
    assert blocks_per_sm(SM_90, *less) >= blocks_per_sm(SM_90, *more)


@given(sizes)
def test_no_multiprocessor_is_more_than_full(size: tuple[int, ...]) -> None:
    blocks = blocks_per_sm(SM_90, *size)
    assert 0 <= occupancy(SM_90, size[0], blocks) <= 1
    assert blocks <= SM_90.blocks


@pytest.mark.parametrize(
    ("architecture", "most"), [("sm_60", 48), ("sm_70", 96), ("sm_75", 64), ("sm_90a", 227), ("sm_120a", 99)]
)
def test_each_architecture_has_its_own_limit_of_shared_memory(architecture: str, most: int):
    def refused(size: int):
        return refusal(Launch((16, 16, 1), (16, 16), size), (1, 1, 1), None, most_shared(architecture))

    assert refused(most << 10) is None
    assert refused((most << 10) + 4) == SharedTooLarge(0, (most << 10) + 4, most << 10)
