"""Flags that stay up for the next launch, and values that are meant to stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.model import Verdict
from tests.worker.simulator.checked.test_run import SUBMISSIONS, checked

STAYS_UP = {
    "flag_not_lowered": "line 27 finds in ready what line 21 wrote in the first, and does not wait.",
    "grid_barrier_for_one_launch": "line 20 finds in arrived what line 19 wrote in the first, and does not wait.",
    "release_flag_set_for_ever": "line 23 finds in done what line 21 wrote in the first, and does not wait.",
    "semaphore_not_lowered": "line 21 finds in turn what line 30 wrote in the first, and does not wait.",
}
MEANT_TO_STAY = (
    "blocks_counted_from_launch_to_launch", "flag_between_blocks", "flags_lowered_by_the_last_block",
    "flags_with_the_number_of_the_launch", "generations_of_a_grid_barrier", "sense_of_a_grid_barrier",
    "split_k_with_a_semaphore", "table_of_the_first_launch",
)  # fmt: skip


@pytest.mark.parametrize("name", STAYS_UP)
def test_a_flag_that_stays_up_for_the_next_launch_is_named_with_its_lines(name: str):
    fault = checked(SUBMISSIONS / "wrong" / f"{name}.cu")
    assert fault
    assert fault.verdict is Verdict.DATA_RACE
    assert fault.sentence.startswith(f"In a second launch, {STAYS_UP[name]} Data race")
    assert f"line {fault.line} finds" in fault.sentence
    assert "its first value again before the kernel ends" in fault.hint
    assert fault.race


@pytest.mark.parametrize("name", MEANT_TO_STAY)
def test_what_a_launch_leaves_may_be_meant_for_the_next_one(name: str):
    assert checked(SUBMISSIONS / "honest" / f"{name}.cu") is None


def test_a_race_that_two_old_flags_cause_together_names_neither(tmp_path: Path):
    source = tmp_path / "two_flags.cu"
    text = (SUBMISSIONS / "wrong" / "flag_not_lowered.cu").read_text(encoding="utf-8")
    source.write_text(
        text.replace("ready[64][64];", "ready[64][64], again[64][64];")
        .replace("ready[blockIdx.y][tile] = 1;", "ready[blockIdx.y][tile] = again[blockIdx.y][tile] = 1;")
        .replace("while (ready[blockIdx.y][tile] == 0)", "while (!ready[blockIdx.y][tile] && !again[blockIdx.y][tile])")
    )
    fault = checked(source)
    assert fault
    assert fault.verdict is Verdict.DATA_RACE
    assert fault.sentence.startswith("In a second launch, threads find old values in __device__ variables. Data race")
    assert "Give each flag and counter its first value again" in fault.hint
