"""Instructions of machine code by class: tiled_16.sass.json is what nvdisasm wrote about reference/tiled_16.cu."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.host import toolkit
from grader.model import Limits, SassMix
from grader.worker.frontend import disassembly
from grader.worker.frontend.sass import sass_mix

TEXT = (Path(__file__).parent / "tiled_16.sass.json").read_text(encoding="utf-8")


def written(*instructions: tuple[str, str]) -> str:
    """The JSON of a kernel, each instruction an opcode and its operands."""
    lines = [{"opcode": opcode, "operands": operands} for opcode, operands in instructions]
    return json.dumps([{}, [{"function-name": "matmul", "sass-instructions": lines}]])


def test_the_shared_loads_of_a_tile_are_sixteen_of_one_word_and_four_of_four_words():
    mix = sass_mix(TEXT, "matmul")
    assert mix is not None
    assert mix.loop == {
        "BAR": 2, "FFMA": 16, "LDG": 2, "LDS": 16, "LDS.128": 4, "STS": 2, "branch": 1, "integer": 13, "other": 3,
    }  # fmt: skip
    assert mix.kernel["STG"] == 1


def test_of_nested_loops_that_with_the_most_arithmetic_of_its_own_counts():
    text = written(
        ("MOV", "R0,RZ"),
        ("IADD3", "R1,R1,R2,RZ"),  # 0x10: the outer loop
        ("FADD", "R3,R3,R3"),  # 0x20: the first inner loop
        ("BRA", "0x20"),
        ("FFMA", "R3,R3,R3,R3"),  # 0x40: the second
        ("HMMA.16816.F32", "R4,R4,R6,R4"),
        ("BRA", "0x40"),
        ("BRA", "0x10"),
        ("BRA", "0x80"),
    )
    assert sass_mix(text, "matmul") == SassMix(
        {"FFMA": 2, "HMMA": 1, "branch": 4, "integer": 1, "other": 1}, {"FFMA": 1, "HMMA": 1, "branch": 1}
    )


def test_a_loop_has_the_instructions_outside_of_the_loops_inside_it():
    text = written(
        ("FADD", "R3,R3,R3"),
        ("LDG.E", "R1,[R2]"),
        ("BRA", "P0,0x10"),
        ("FFMA", "R3,R3,R3,R3"),
        ("BRA", "UP0,0x0"),
        ("EXIT", ""),
    )
    mix = sass_mix(text, "matmul")
    assert mix is not None
    assert mix.loop == {"FFMA": 2, "branch": 1}


def test_a_jump_back_to_code_that_was_moved_closes_no_loop():
    text = written(("BRA", "P0,0x30"), ("FFMA", "R3,R3,R3,R3"), ("EXIT", ""), ("LDG.E", "R1,[R2]"), ("BRA", "0x10"))
    mix = sass_mix(text, "matmul")
    assert mix is not None
    assert mix.loop == {}


@pytest.mark.parametrize(
    ("opcode", "name"),
    [("LDG.E.128.CONSTANT", "LDG.128"), ("LDS.64", "LDS.64"), ("STS", "STS"), ("LDGSTS.E.BYPASS.128", "LDGSTS.128"),
     ("STL", "STL"), ("BAR.SYNC.DEFER_BLOCKING", "BAR"), ("DFMA", "double"), ("HFMA2", "float16")],
)  # fmt: skip
def test_an_instruction_has_a_class_and_an_access_its_width(opcode: str, name: str):
    assert sass_mix(written((opcode, "R1,R2")), "matmul") == SassMix({name: 1}, {})


def test_a_constant_that_is_loaded_as_a_product_is_no_arithmetic():
    assert sass_mix(written(("HFMA2.MMA", "R49,-RZ,RZ,0,0")), "matmul") == SassMix({"other": 1}, {})


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "[1, 2]", '[{}, [{"function-name": "matmul"}]]', "[" * 100_000, written()[:-3]]
)
def test_text_that_is_no_disassembly_gives_none(text: str):
    assert sass_mix(text, "matmul") is None


def test_a_kernel_that_the_file_lacks_gives_none():
    assert sass_mix(TEXT, "other") is None


def test_nothing_is_disassembled_without_nvdisasm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(toolkit, "find", lambda _: None)
    assert disassembly.disassemble(tmp_path / "any.cubin", "matmul", Limits(), tmp_path) is None


@pytest.mark.skipif(not toolkit.find("nvdisasm"), reason="there is no nvdisasm")
def test_a_hostile_file_gives_none(tmp_path: Path):
    (tmp_path / "any.cubin").write_bytes(b"\x7fELF" + bytes(range(256)))
    assert disassembly.disassemble(tmp_path / "any.cubin", "matmul", Limits(), tmp_path) is None


@pytest.mark.parametrize(("program", "expected"), [("cp /etc/passwd stolen", None), (f"echo '{TEXT}'", 16)])
def test_the_program_is_confined_to_its_box(
    program: str, expected: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    box, tools = tmp_path / "box", tmp_path / "bin"
    box.mkdir()
    tools.mkdir()
    (tools / "nvdisasm").write_text(f"#!/bin/sh\n{program}\n")
    (tools / "nvdisasm").chmod(0o755)
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    mix = disassembly.disassemble(box / "any.cubin", "matmul", Limits(), box)
    assert (mix.loop["FFMA"] if mix else None) == expected
    assert not (box / "stolen").exists() or not (box / "stolen").read_bytes()
