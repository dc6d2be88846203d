"""A type of a message's field that is imported when a value of it comes: most launches have none."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class Lazily:
    """The name of a type in `contract/found.py`, or that or None."""

    name: str

    def __or__(self, _: None) -> Lazily:
        return self

    def __call__(self) -> Any:
        """Return the type."""
        return getattr(import_module("grader.contract.found"), self.name)
