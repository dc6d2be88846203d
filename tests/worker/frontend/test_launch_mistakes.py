import time

import pytest

from grader.model import Launch
from grader.worker.frontend.error_kinds import EXPANDED
from grader.worker.frontend.source_text import launch_mistake
from tests.worker.frontend.desk import KERNEL, compiled, needs_nvcc, refused

HEADER = "#include <lab.h>\n"
LAUNCH = "LAUNCH(.block = {16, 16}, .tile = {16, 16});\n"
MISTAKES = [
    (HEADER + "#define tile 16\n" + KERNEL + LAUNCH, 2, "macro tile replaces the field .tile"),
    ("# define block 16\n" + HEADER + KERNEL + LAUNCH, 1, "macro block replaces the field .block"),
    (HEADER + "#define ROWS 4\n" + KERNEL + "LAUNCH(.block = {4}, .grid_x = ROWS);\n", 2, "value ROWS of .grid_x"),
    (HEADER + KERNEL + "LAUNCH(.block = {4}, .grid_x = 1);\n", 8, "neither ROWS nor COLUMNS"),
    (
        HEADER + "enum { ROWS };\n" + KERNEL + "LAUNCH(.block = {4}, .grid_x = ROWS);\n",
        9,
        "ROWS in LAUNCH is ambiguous",
    ),
    (HEADER + KERNEL + "LAUNCH(.blocks = {4});\n", 8, "no field .blocks"),
    (HEADER + KERNEL + "LAUNCH(.block = {4, 4, 4, 4});\n", 8, "too many numbers"),
    (HEADER + KERNEL + "LAUNCH(.block = dim3(4, 4));\n", 8, "not a dim3"),
    (HEADER + KERNEL + "LAUNCH(.block = {-4, 4});\n", 8, "is negative"),
    (HEADER + KERNEL + "LAUNCH(.block = {4}, .tile = {4 / 8, 4});\n", 8, "number of .tile in LAUNCH is 0"),
    (HEADER + KERNEL + "LAUNCH(.block = {4}, .tile = {1ll << 32, 4});\n", 8, "more than 32 bits"),
    (HEADER + KERNEL + "LAUNCH(.block = {4}, .tile = {64 / 4.0f, 4});\n", 8, "not an integer"),
    (HEADER + KERNEL + "LAUNCH(.block = {4}, .block = {4});\n", 8, "given twice"),
    (HEADER + KERNEL + LAUNCH + LAUNCH, 9, "used twice: first in line 8"),
]


@needs_nvcc
@pytest.mark.parametrize(("text", "line", "words"), MISTAKES)
def test_a_mistake_in_launch_is_one_sentence_with_the_line_to_change(text: str, line: int, words: str) -> None:
    fault = refused(text)
    assert words in fault.sentence
    assert fault.line == line
    assert fault.hint
    assert not fault.detail


@needs_nvcc
@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEADER + "#define ROWS 4\n" + KERNEL + "LAUNCH(.block = {4, ROWS}, .size = {4});\n", "no field .size"),
        (HEADER + "#define tile 4\n" + KERNEL + "LAUNCH(.block = {4, tile}, .shared = x);\n", '"x" is undefined'),
        (HEADER + "#define tile 4\n#undef tile\n" + KERNEL + "LAUNCH(.tile = {x}, .block = {4});\n", '"x"'),
        (KERNEL.replace("A[i]", "a[i]") + HEADER + LAUNCH, '"a" is undefined'),
    ],
)
def test_another_mistake_keeps_its_own_sentence(text: str, words: str) -> None:
    assert words in refused(text).sentence


@needs_nvcc
def test_macros_that_change_nothing_are_no_mistake() -> None:
    macros = "#define tile(x) x\n#define ROWS 16\n#define shared side\n"
    assert compiled(HEADER + macros + KERNEL + LAUNCH).build.launch == Launch((16, 16, 1), (16, 16))


@needs_nvcc
def test_a_header_in_other_letters_is_named() -> None:
    assert "lab.h" in refused('#include "Lab.h"\n' + KERNEL).hint


@pytest.mark.parametrize("letters", ["#define tile ", " ", "\n", "#include ", "LAUNCH(", ".tile ", "# "])
def test_a_hostile_file_takes_no_time(letters: str) -> None:
    content = (letters * (1_000_000 // len(letters))).encode()
    began = time.process_time()
    for quoted in ("LAUNCH(", EXPANDED + letters * 100):
        launch_mistake(content, 1 + content.count(b"\n"), 'entity of type "__lab_names::LabGridX"', quoted)
        launch_mistake(content, 1, "", quoted)
    assert time.process_time() - began < 2
