"""Asynchronous copies: when they are written, and copies whose lanes differ."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.ptxsim.on_simulator import run

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")

WARP, STAGES = 32, 4
UNUSED = np.zeros(1, np.float32)


def test_a_copy_that_nobody_waits_for_stays_unwritten_however_many_come_before(tmp_path: Path) -> None:
    a = np.arange(300 * WARP, dtype=np.float32)
    steps = run("copy_ring", tmp_path, a, UNUSED, np.zeros_like(a)).C.reshape(-1, WARP)
    assert np.isnan(steps[:STAGES]).all()
    assert np.array_equal(steps[STAGES + 1 :], a.reshape(-1, WARP)[: -STAGES - 1])


@pytest.mark.parametrize(
    ("words", "source", "target", "some", "whole"),
    [
        (1, 1, 1, 1, 1),
        (2, 1, 1, 1, 1),
        (4, 1, 1, 1, 1),
        (4, 2, 1, 1, 1),
        (4, 1, 3, 1, 1),
        (4, 1, 1, 5, 1),
        (4, 1, 1, 1, 7),
        (1, 2, 3, 5, 7),
        (2, 2, 3, 5, 7),
    ],
)
def test_each_lane_copies_what_it_says(tmp_path: Path, words, source, target, some, whole):
    type_ = {1: "float", 2: "float2", 4: "float4"}[words]
    flags = f"-DTYPE={type_}", f"-DFROM={source}", f"-DTO={target}", f"-DSOME={some}", f"-DWHOLE={whole}"
    a, b, c = np.random.default_rng(0).random((3, WARP, words), np.float32)
    lanes = np.arange(WARP)[:, None]
    copied = np.where(lanes % whole == 0, np.where(lanes % source == 0, a, b), 0)
    outcome = run("copy_lanes", tmp_path, a, b, c, flags)
    assert np.array_equal(outcome.C.reshape(c.shape), np.where(lanes % some == 0, copied, c))


@pytest.mark.parametrize(
    ("form", "every_third"),
    [
        (" [%0], [%1], 4", "copied"),
        (" [%0], [%1], 4, p", "ignored"),
        (".L2::cache_hint [%0], [%1], 4, policy", "copied"),
        (".L2::cache_hint [%0], [%1], 4, p, policy", "ignored"),
    ],
)
def test_a_predicate_ignores_a_source_and_a_policy_changes_nothing(tmp_path: Path, form: str, every_third: str) -> None:
    a = np.arange(1, WARP + 1, dtype=np.float32)
    flags = (f'-DFORM="{form}"',)
    copied = run("copy_forms", tmp_path, a, UNUSED, np.zeros_like(a), flags).C
    ignored = (np.arange(WARP) % 3 == 0) & (every_third == "ignored")
    assert np.array_equal(copied, np.where(ignored, 0, a))
