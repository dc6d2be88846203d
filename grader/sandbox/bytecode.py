"""Save bytecode of modules that only workers import: confined workers cannot, and would compile at every start."""

from __future__ import annotations

import compileall
import functools
import sys
from importlib.util import find_spec

PACKAGES = ("grader.worker", "llvmlite", "elftools")


@functools.cache
def keep() -> None:
    """Compile modules without bytecode, once per process; takes about ten milliseconds if there are none."""
    if sys.dont_write_bytecode:
        return
    for package in PACKAGES:
        spec = find_spec(package)
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            compileall.compile_dir(folder, quiet=2)
