"""What a launch shows that ran again, as tables: the terms of a sum, and the variables of a thread."""

from __future__ import annotations

from collections.abc import Sequence

from grader.model import Fault
from grader.model.scenes import Factor, Story, Term

NOTHING, NO_MORE = "nothing", "nothing more"
HEADS = "k", "should be added", "was added", "where"
Table = tuple[str, tuple[str, ...], Sequence[tuple[str, ...]]]
"""A title, the heads of the columns, and the rows."""


def tables(fault: Fault) -> list[Table]:
    """Return the terms of the sum and the variables of the thread, as far as they are known."""
    story, found = fault.story, list[Table]()
    if story and story.terms:
        found.append((f"The sum of {element_of(story)}, as it was computed", HEADS, rows(story)))
    if (scene := fault.scene or (story.scene if story else None)) and scene.variables:
        values = [(each.name, each.value, f"line {each.line}" if each.line else "") for each in scene.variables]
        title = f"Thread {scene.thread} of block {scene.block} in line {scene.line}"
        found.append((title, ("variable", "value", "declared in"), values))
    return found


def rows(story: Story) -> list[tuple[str, str, str, str]]:
    """Return the table of a story: k, the term that should be added, the one that was, and where.

    Beside terms that are all right stands the first that is missing.
    """
    table = list[tuple[str, str, str, str]]()
    for term in story.terms:
        should = right_term(term.k, story) if str(term.k) not in {k for k, *_ in table} else NO_MORE
        table.append((str(term.k), should, added(term, story), _where(term)))
    if story.is_wrong:
        return table
    return [*table, *((str(k), right_term(k, story), NOTHING, "") for k in story.missing[:1])]


def element_of(story: Story) -> str:
    """Return the element of C, by the name that the kernel has for the matrix."""
    return f"{story.names[2]}[{story.row}][{story.column}]"


def factor_of(factor: Factor, story: Story) -> str:
    """Return the element of A or B that is a factor."""
    return f"{story.names['AB'.index(factor.matrix)]}[{factor.row}][{factor.column}]"


def right_term(k: int | None, story: Story) -> str:
    """Return the term that belongs in the sum for a k."""
    a, b, _ = story.names
    return f"{a}[{story.row}][{k}] · {b}[{k}][{story.column}]"


def added(term: Term, story: Story) -> str:
    """Return a term as it was added."""
    was = " · ".join(factor_of(each, story) for each in term.factors)
    if term.is_alone:
        return f"{was} alone"
    return f"{was} · something that was never set" if len(term.factors) == 1 else was


def _where(term: Term) -> str:
    stored = sorted({each.stored for each in term.factors if each.stored})
    lines = f"line{'s' * (len(stored) > 1)} {' and '.join(map(str, stored))}"
    return f"line {term.line}{f', stored to shared memory in {lines}' if stored else ''}"
