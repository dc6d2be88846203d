from pathlib import Path

import pytest

from grader.contract import files
from grader.errors import SubmissionError
from grader.model import Fault
from grader.worker.frontend import compiling
from tests.worker.frontend.desk import KERNEL, compiled_in, needs_nvcc

pytestmark = needs_nvcc
UNDEFINED = KERNEL.replace("A[i]", "a[i]")


def fault_in(box: Path, text: str) -> Fault:
    with pytest.raises(SubmissionError) as caught:
        compiled_in(box, text)
    return caught.value.fault


@pytest.mark.parametrize(
    "text", [UNDEFINED, f"#include <lab.h>\n{KERNEL}LAUNCH(.blocks = {{16}});\n"], ids=["undefined", "LAUNCH"]
)
def test_a_mistake_of_the_file_is_not_compiled_again(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = fault_in(tmp_path, text)
    monkeypatch.setattr(compiling, "compile_image", lambda *_: pytest.fail("it was compiled again"))
    assert fault_in(tmp_path, text) == first


@pytest.mark.parametrize(
    "line", ['#include "absent.h"', "#include <fstream>\n#include <cutlass/gemm.h>", "void f() {"], ids=str
)
def test_what_the_machine_may_be_the_reason_for_is_compiled_again(line: str, tmp_path: Path) -> None:
    """A missing header may be installed until the next grade; an error behind the last line has no line of its own."""
    fault_in(tmp_path, f"{KERNEL}{line}\n")
    assert not (tmp_path / files.ADDED).exists()


def test_a_kept_error_that_is_damaged_is_found_again(tmp_path: Path) -> None:
    first = fault_in(tmp_path, UNDEFINED)
    (kept,) = (tmp_path / files.ADDED).iterdir()
    kept.write_bytes(kept.read_bytes()[:-9] + b"\xff")
    assert fault_in(tmp_path, UNDEFINED) == first
