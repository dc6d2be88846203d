"""Lines in which a constant index lies outside of its array, as the compiler's front end warns.

It knows the bounds of every array, those in a struct too, of which PTX and the machine code have only the bytes; and it
sees what the optimiser removes because it is undefined. In a template the index may be in a branch that is not taken.
"""

from __future__ import annotations

import re

OPTION = ("-Xcudafe", "--diag_warning=175")  # nvcc turns this warning off
MOST = 3
MESSAGE = r"^{}\((\d{{1,9}})\): warning #175-D: subscript out of range$"
INSTANTIATED = "detected during"


def option(flags: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words that let nvcc warn, unless the flags make errors of warnings."""
    return () if any("Werror" in flag for flag in flags) else OPTION


def out_of_range(log: str, name: str) -> tuple[int, ...]:
    """Return the first such lines of the file `name`, templates left out."""
    warning = re.compile(MESSAGE.format(re.escape(name)), re.MULTILINE)
    messages = (log[found.start() :].split("\n\n", 1)[0] for found in warning.finditer(log))
    lines = (int(found[1]) for text in messages if INSTANTIATED not in text and (found := warning.match(text)))
    return tuple(dict.fromkeys(lines))[:MOST]
