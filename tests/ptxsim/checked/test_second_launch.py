"""Flags that stay up for the next launch, and values that are meant to stay."""

from pathlib import Path

from grader.model import Verdict
from tests.corpus import content, named
from tests.ptxsim.checked.test_run import checked


def test_a_flag_that_stays_up_for_the_next_launch_is_named_with_its_lines():
    fault = checked(named("wrong/flag_not_lowered"))
    assert fault.verdict is Verdict.DATA_RACE
    waits = "line 27 finds in ready what line 21 wrote in the first, and does not wait."
    assert fault.sentence.startswith(f"In a second launch, {waits} Line ")
    assert fault.line == 27
    assert "its first value again before the kernel ends" in fault.hint
    assert len(fault.accesses) == 2


def test_a_race_that_two_old_flags_cause_together_names_neither(tmp_path: Path):
    source = tmp_path / "two_flags.cu"
    text = content(named("wrong/flag_not_lowered")).decode()
    source.write_text(
        text.replace("ready[64][64];", "ready[64][64], again[64][64];")
        .replace("ready[blockIdx.y][tile] = 1;", "ready[blockIdx.y][tile] = again[blockIdx.y][tile] = 1;")
        .replace("while (ready[blockIdx.y][tile] == 0)", "while (!ready[blockIdx.y][tile] && !again[blockIdx.y][tile])")
    )
    fault = checked(source)
    assert fault.verdict is Verdict.DATA_RACE
    assert fault.sentence.startswith("In a second launch, threads find old values in __device__ variables. Line ")
    assert "Give each flag and counter its first value again" in fault.hint
