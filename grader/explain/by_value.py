"""A sum that a function adds to its own copy of an argument: which parameter that is. Pure."""

from __future__ import annotations

import re

from grader.explain.source_text import Source, function_at, text_of

CHANGED = re.compile(r"(?<![\w.\]])(\w+)\s*(?:\.\s*\w+\s*|\[[^\]]*\]\s*)*(?:[-+*/]|(?=\s*=[^=]))=")
LONGEST_HEADER = 12  # lines


def copied_parameter(line: int, stored: int, source: Source) -> tuple[str, str, int]:
    """Return the parameter that a line changes, its function and that one's line, if the function has a copy of it.

    Nothing if the store of the sum is in the same function.
    """
    function, start = function_at(line, source)
    changed = CHANGED.search(text_of(line, source))
    if changed is None or not function or function_at(stored, source)[0] == function:
        return "", "", 0
    header = " ".join(text_of(each, source) for each in range(start, start + LONGEST_HEADER)).partition("{")[0]
    by_value = re.search(rf"[(,]\s*(?:const\s+|struct\s+)*[\w:]+(?:<[^<>]*>)?\s+{changed[1]}\s*[,)]", header)
    return (changed[1], function, start) if by_value else ("", "", 0)
