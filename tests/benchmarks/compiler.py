"""Compiles LLVM IR on this machine for one that is emulated, where LLVM takes minutes for a large kernel.

The emulated process starts `python -m tests.benchmarks.compiler` natively, and exchanges pickled requests and object
code with it over its standard input and output.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading

import llvmlite.binding as llvm

from grader.ptxsim.engine import native
from tests.ptxsim.programs import ROOT

NATIVE_PYTHON = str(ROOT / ".venv" / "bin" / "python")
ONLY_EMULATED = {"PYTHONPATH", "PYTHONHOME"}


def compile_natively() -> None:
    """Have a native process compile what this one needs from now on."""
    environment = {name: value for name, value in os.environ.items() if name not in ONLY_EMULATED}
    command = [NATIVE_PYTHON, "-m", __name__]
    compiler = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    lock = threading.Lock()

    def compiled(target: native.CodeTarget, text: str, effort: native.Effort) -> bytes:
        with lock:
            assert compiler.stdin
            assert compiler.stdout
            pickle.dump((target, text, effort), compiler.stdin)
            compiler.stdin.flush()
            code = pickle.load(compiler.stdout)
        return bytes(code)

    native.compile_for = compiled


def pytest_configure() -> None:
    """Do so for tests, and start other Pythons natively: `pytest --noconftest -p tests.benchmarks.compiler`."""
    compile_natively()
    sys.executable = NATIVE_PYTHON


def main() -> None:
    """Compile what is asked for until the input ends."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    while True:
        try:
            target, text, effort = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump(native.compile_for(target, text, effort), sys.stdout.buffer)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
