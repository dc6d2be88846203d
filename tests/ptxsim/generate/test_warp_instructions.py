"""Instructions in which lanes of a warp take part together."""

import numpy as np

from tests.ptxsim.generate.on_lanes import lanes

RANDOM = np.random.default_rng(3)
A, B = RANDOM.integers(0, 1 << 32, (2, 32), np.uint32)
C = RANDOM.integers(0, 40, 32).astype(np.uint32)


def test_a_shuffle_from_a_lane_that_does_not_take_part_is_unset() -> None:
    found = lanes("shfl.sync.bfly.b32 $d, $a, 16, 31, 65535;", A, B, C, np.uint32)
    assert set(found[:16]) == {0xFFFFFFFF}
    found = lanes("shfl.sync.bfly.b32 $d, $a, 8, 31, 65535;", A, B, C, np.uint32)
    assert np.array_equal(found[:16], A[np.arange(16) ^ 8])


def test_atomics_of_a_warp_happen_one_after_the_other() -> None:
    text = "st.shared.u32 [tile], 0; bar.warp.sync -1; atom.shared.add.u32 %r5, [tile], $c; ld.shared.u32 $d, [tile];"
    assert set(lanes(text, A, B, C, np.uint32)) == {C.sum()}
