"""Compiled parts in a box, which another worker finds there."""

from pathlib import Path

import numpy as np
import pytest

from grader.model import Fault, Launch, Limits
from grader.ptxsim.generate.parted import Parted
from grader.worker.simulator import loading
from grader.worker.simulator.loading import program_key
from tests.ptxsim import on_simulator


def fault(name: str, box: Path) -> Fault | None:
    """The fault of a launch with N = 33 by a new simulator, which knows of others what they left in the box."""
    launch = Launch((16, 16, 1), (16, 16))
    simulator = on_simulator.ready(on_simulator.build(name, box), launch, box)
    buffers = {matrix: np.zeros((33, 33), np.float32) for matrix in "ABC"}
    return on_simulator.launch(simulator, (3, 3, 1), buffers, 33, Limits()).fault


def test_a_kept_part_runs_and_names_its_lines_without_being_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    first = fault("no_load_check", tmp_path)
    monkeypatch.delattr(Parted, "part")
    assert first is not None
    assert fault("no_load_check", tmp_path) == first


@pytest.mark.parametrize("content", [b"", b"[1]\n", b"null\n", b'[[["ld", 4, 99, 0]], [], true]\n', b"\xff"])
def test_a_damaged_part_is_written_again(tmp_path: Path, content: bytes):
    first = fault("no_load_check", tmp_path)
    parts = list(tmp_path.rglob("*.part"))
    for part in parts:
        part.write_bytes(content)
    assert parts
    assert fault("no_load_check", tmp_path) == first


def test_programs_for_other_blocks_or_with_another_name_have_other_keys():
    launches = [("a.cu", (16, 16, 1)), ("b.cu", (16, 16, 1)), ("a.cu", (32, 8, 1))]
    assert len({program_key("ptx", *launch) for launch in launches}) == len(launches)


def test_an_edit_of_the_translator_changes_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    before = program_key("ptx")
    monkeypatch.setattr(loading, "TRANSLATOR", tmp_path)
    assert program_key("ptx") != before
