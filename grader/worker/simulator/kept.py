"""Object code of a submission in the worker's box, from which the judge keeps it for the next worker."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grader import ptxsim
from grader.contract import box_cache
from grader.host import cache
from grader.ptxsim.engine.kept_parts import KeptParts

TRANSLATOR = Path(ptxsim.__file__).parent  # all that the code of a program depends on


@dataclass(frozen=True, slots=True)
class ObjectsInBox:
    """The object code in a box, by the hash of all that it depends on."""

    box: Path

    def find(self, kind: str, *of: str) -> bytes | None:
        """Return what was kept for a key, or added; None if there is nothing."""
        return box_cache.find(self.box, f"{cache.key(*of)}.{kind}")

    def add(self, content: bytes, kind: str, *of: str) -> None:
        """Leave it for the judge to keep."""
        box_cache.add(self.box, f"{cache.key(*of)}.{kind}", content)


def kept_parts(box: Path, ptx: str, *launch: object) -> KeptParts:
    """Return what a box has of a program."""
    return KeptParts(ObjectsInBox(box), program_key(ptx, *launch))


def program_key(ptx: str, *launch: object) -> str:
    """Return what the code of a program depends on besides the CPU: its PTX, its launch and the translator."""
    return cache.key("program", ptx, repr(launch), cache.sources(TRANSLATOR))
