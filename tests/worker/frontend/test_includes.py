from __future__ import annotations

from pathlib import Path

import pytest

from grader.worker.frontend import includes
from grader.worker.frontend.includes import foreign, in_preprocessed
from tests.worker.frontend.desk import KERNEL, compiled, needs_confinement, needs_nvcc

SYSTEM = "usr/include"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root of a machine whose headers are partly links to other places, as on Debian 13."""
    for name in ("kernel/asm/types.h", "compiler/stddef.h", "private/notes.h", f"{SYSTEM}/math.h"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / SYSTEM / "asm").mkdir()
    (tmp_path / SYSTEM / "asm" / "types.h").symlink_to("../../../kernel/asm/types.h")
    (tmp_path / SYSTEM / "compiler").symlink_to(tmp_path / "compiler")
    monkeypatch.setattr(includes, "HEADERS", (tmp_path / SYSTEM,))
    return tmp_path


@pytest.mark.parametrize("name", ["kernel/asm/types.h", f"{SYSTEM}/asm/types.h", "compiler/stddef.h"])
def test_a_header_that_is_a_link_is_a_header_under_both_of_its_names(name: str, machine: Path) -> None:
    assert foreign([str(machine / name)], machine, ()) is None


@pytest.mark.parametrize(
    "name", ["private/notes.h", f"{SYSTEM}/compiler/../private/notes.h", "kernel/asm", "kernel/x.h"]
)
def test_what_no_link_of_a_header_leads_to_is_none(name: str, machine: Path) -> None:
    assert foreign([str(machine / name)], machine, ()) == (machine / name).resolve()


def test_the_compilers_folder_which_debugging_names_is_no_file() -> None:
    text = b'# 0 "kernel.cu"\n# 1 "/tmp/box//"\n# 1 "/usr/include/math.h" 1 3 4\n'
    assert sorted(in_preprocessed(text)) == ["/usr/include/math.h", "kernel.cu"]


@needs_nvcc
@needs_confinement
@pytest.mark.parametrize("flag", ["-g", "-G", "-Xcompiler=-ggdb3"])
def test_a_kernel_compiles_with_flags_for_a_debugger(flag: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NVCC_APPEND_FLAGS", flag)
    assert compiled("#include <string>\n" + KERNEL).symbol == "matmul"
