"""The input of a compiler, and its output."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grader.model import Limits
from grader.worker.frontend.instances import is_template

INCLUDE = Path(__file__).parents[2] / "include"  # lab.h


@dataclass(frozen=True, slots=True)
class CompileJob:
    """A file to compile: its name, exactly the bytes that are compiled, the kernel to look for, and how.

    `template` has the template arguments of a kernel that is to be instantiated with them.
    """

    name: str
    content: bytes
    kernel: str
    flags: tuple[str, ...]
    architecture: str
    limits: Limits
    template: str = ""

    @property
    def instance(self) -> str:
        """The kernel with its template arguments; nothing for a file without such a template."""
        has_one = self.template and is_template(self.content, self.kernel)
        return f"{self.kernel}<{self.template}>" if has_one else ""


@dataclass(frozen=True, slots=True)
class Image:
    """What a compiler made of a file.

    `declarations` are those of its kernels that are extern "C", as a demangler writes functions. The log holds all that
    was printed, with what ptxas says about registers.
    """

    ptx: str
    cubin: bytes
    declarations: tuple[str, ...]
    log: str
