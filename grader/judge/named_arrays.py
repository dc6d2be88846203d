"""Find names in a worker's answer that its program does not contain: only a manipulated worker reports them. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from grader.contract.messages import Checked
from grader.model import PtxFacts
from grader.model.matrices import MATRICES

WORD = re.compile(r"\w+")


def names_others(answer: Checked, program: bytes, facts: PtxFacts | None = None) -> bool:
    """Whether an answer names an array or a variable that is no matrix, and that program and compiler do not name."""
    words = {word for name in _names(answer) for word in WORD.findall(name)}
    known = {array.name for array in facts.local_arrays} if facts else set()
    return any(word.encode() not in program for word in words.difference(MATRICES, known))


def _names(record: object) -> Iterator[str]:
    """Yield the names in a record and in the records that it contains."""
    if isinstance(record, tuple):
        for each in record:
            yield from _names(each)
    elif is_dataclass(record):
        for field in fields(record):
            value = getattr(record, field.name)
            yield from [value] if field.name == "name" and isinstance(value, str) else _names(value)
