"""A compiler that reports success and leaves something else is the machine's fault."""

import errno
from pathlib import Path

import pytest

from grader.errors import InfrastructureError, SubmissionError, refused
from grader.host import granted, toolkit
from tests.worker.frontend.desk import KERNEL, compiled_anew, needs_nvcc

HALF = 'real "$@"; for file in {}; do [ -f $file ] && truncate -s $(($(stat -c %s $file) / 2)) $file; done; exit 0'
LIES = {
    "half of a cubin": HALF.format("submission.cubin"),
    "half of the PTX": HALF.format("kept/*.ptx"),
    "nothing": "exit 0",
}


SEARCHING = 'case "$*" in *Xcompiler=-v*) printf "%s\\n" "an advertisement" "of two lines"; exit;; esac; real "$@"'


def choose(lie: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have nvcc replaced by a script that states its release and then lies."""
    nvcc = Path(toolkit.find() or "").resolve()
    liar = folder / "bin" / "nvcc"
    liar.parent.mkdir()
    liar.write_text(
        f'#!/bin/bash\nreal() {{ {nvcc} "$@"; }}\nif [ "$1" = --version ]; then real --version; exit; fi\n{lie}\n'
    )
    liar.chmod(0o755)
    monkeypatch.setenv("CUDA_ROOT", str(folder))


@needs_nvcc
@pytest.mark.parametrize("lie", LIES)
def test_a_damaged_program_costs_no_points(lie: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    choose(LIES[lie], tmp_path, monkeypatch)
    with pytest.raises(InfrastructureError, match="left a damaged program"):
        compiled_anew(KERNEL)


@needs_nvcc
def test_of_a_compiler_that_prints_something_else_one_line_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    choose(SEARCHING, tmp_path, monkeypatch)
    with pytest.raises(InfrastructureError, match=r'for headers, nvcc \S+ answers only "an advertisement"\.$'):
        compiled_anew("#include <lab.h>\n" + KERNEL)


@needs_nvcc
def test_processes_that_the_system_refuses_a_compiler_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse() -> None:
        raise refused(OSError(errno.EAGAIN, "no thread can be started"))

    choose('echo "nvcc fatal   : Failed to preprocess host compiler properties."; exit 1', tmp_path, monkeypatch)
    monkeypatch.setattr(granted, "check_threads", refuse)
    with pytest.raises(InfrastructureError, match=r"^The machine failed: no thread can be started\.$"):
        compiled_anew(KERNEL)


@needs_nvcc
@pytest.mark.parametrize("end", ["kill -SEGV $$", "exit $((128 + 6))"])
def test_a_crash_is_named_as_one_and_not_as_a_lack_of_memory(end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    choose(end, tmp_path, monkeypatch)
    with pytest.raises(SubmissionError, match=r"the compiler itself crashed \((Segmentation fault|Aborted)\)"):
        compiled_anew(KERNEL)


@needs_nvcc
def test_a_compiler_that_another_program_kills_costs_no_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    choose("exit $((128 + 9))", tmp_path, monkeypatch)
    with pytest.raises(InfrastructureError, match="compiler was killed, as the system does"):
        compiled_anew(KERNEL)
