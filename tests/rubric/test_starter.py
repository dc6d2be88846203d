"""The files to start a lab with, from any rubric."""

from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.model import Verdict
from grader.rubric import load
from grader.rubric.starter import starter
from tests import lab
from tests.desk import Desk
from tests.test_calls import CALLS, RUBRIC, SQUARE

HIDDEN = "[33, 64]\nhidden = [64]\nvisible_after = 2090-01-01T00:00:00+00:00"


def rubric_in(folder: Path, call: str, sizes: object, name: str = "matmul") -> Path:
    (folder / "mine.toml").write_text(RUBRIC.format(name=name, call=call, sizes=sizes))
    return folder / "mine.toml"


@pytest.mark.parametrize("name", CALLS)
def test_a_stub_of_any_call_compiles_and_lacks_the_product_only(name: str, tmp_path: Path) -> None:
    call, sizes, _, *names = CALLS[name]
    rubric = rubric_in(tmp_path, call, sizes, *names)
    fault = lab.fault_here(starter(rubric)["matmul.cu"], load.load(rubric))
    symbols = "symbols" in call  # the stub only says that there are some
    assert fault
    assert symbols or fault.verdict is Verdict.WRONG_ANSWER, fault


def test_a_lab_of_ones_own_starts_with_its_files_and_is_checked_there(desk: Desk) -> None:
    desk.write("#pragma once\n", "timer.h")
    kernel = lab.NAIVE.replace("#include <lab.h>", '#include "timer.h"\n#include <lab.h>')
    desk.write(kernel, "slow.cu")
    call = f'{SQUARE}\n[files]\nheaders = ["timer.h"]\n[baselines]\nnaive = "slow.cu"'
    begun = desk.grade("init", "student", "--lab", rubric_in(desk.folder, call, [33]))
    assert begun.status == 0, begun.words
    assert "lab.toml, matmul.cu, slow.cu, timer.h." in begun.words
    assert f"Students get slow.cu, the naive kernel of {desk.folder / 'mine.toml'}" in begun.words
    files = {str(path.relative_to(desk.folder / "student")) for path in (desk.folder / "student").rglob("*.*")}
    assert files >= {"lab.toml", "matmul.cu", "slow.cu", "timer.h", "README.md", ".gitlab-ci.yml"}
    assert "rubric: lab.toml" in (desk.folder / "student/.github/workflows/grade.yml").read_text()
    assert "--rubric lab.toml --backend" in (desk.folder / "student/.gitlab-ci.yml").read_text()
    checked = desk.grade("check", "student", "--backend", "simulator")
    assert checked.status == 0, checked.words
    assert checked.stderr.startswith("Rubric: student/lab.toml.")


def test_the_readme_says_what_to_compute_of_which_matrices_and_how_it_is_launched(tmp_path: Path) -> None:
    call = 'parameters = ["A", "B", "C", "M", "N", "K"]\nlayout = "column"\ntranspose_b = true\n[launch]\n'
    call += 'block = [16, 8]\ngrid_x = "rows"'
    readme = starter(rubric_in(tmp_path, call, [[33, 65, 17]]))["README.md"].decode()
    assert "`C = A * B`: A is M x K of `float`, B is K x N of `float`, C is M x N of `float`." in readme
    assert "All are stored column by column. B is stored transposed." in readme
    assert "LAUNCH(.block = {16, 8}, .tile = {16, 8}, .grid_x = ROWS);" in readme
    assert "grade check matmul.cu     checks correctness at 33x65x17" in readme
    assert all(part in readme for part in ("Write to C only.", "| `.tile` |", "Speed is measured on a GPU only."))
    assert "Your file is compiled with `-O3`." in readme
    assert "|  |" not in readme


def test_hidden_sizes_are_not_handed_out(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has hidden sizes"):
        starter(rubric_in(tmp_path, SQUARE, HIDDEN))
