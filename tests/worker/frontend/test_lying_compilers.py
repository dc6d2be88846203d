"""A compiler that reports success and leaves something else is the machine's fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.errors import InfrastructureError
from grader.host import toolkit
from tests.worker.frontend.desk import KERNEL, compiled_anew, needs_nvcc

HALF = 'real "$@"; for file in {}; do [ -f $file ] && truncate -s $(($(stat -c %s $file) / 2)) $file; done; exit 0'
LIES = {
    "half of a cubin": HALF.format("submission.cubin"),
    "half of the PTX": HALF.format("kept/*.ptx"),
    "nothing": "exit 0",
}


@needs_nvcc
@pytest.mark.parametrize("lie", LIES)
def test_a_damaged_program_costs_no_points(lie: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path(toolkit.find() or "").resolve()
    liar = tmp_path / "bin" / "nvcc"
    liar.parent.mkdir()
    text = (
        f'#!/bin/bash\nreal() {{ {real} "$@"; }}\nif [ "$1" = --version ]; then real --version; exit; fi\n{LIES[lie]}\n'
    )
    liar.write_text(text)
    liar.chmod(0o755)
    monkeypatch.setenv("CUDA_ROOT", str(tmp_path))
    with pytest.raises(InfrastructureError, match="left a damaged program"):
        compiled_anew(KERNEL)
