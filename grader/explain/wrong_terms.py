"""A term that does not belong in the sum of an element: which it is, and how its wrong factor came, for a student."""

from __future__ import annotations

import re

from grader.contract.layout import lines_are_columns, operands
from grader.explain.reruns import Rerun, Told
from grader.explain.source_lines import LOOP, indices_of, named_at, named_in, values_of
from grader.explain.source_text import SourceText
from grader.explain.stale_reads import line_of_stale, read_again
from grader.explain.tables import added, element_of, factor_of, right_term
from grader.model import Interface
from grader.model.kernels import values
from grader.model.scenes import Factor, NamedValue, Scene, Story, Term


def of_other_sum(story: Story, source: SourceText) -> Told:
    """Tell of the sum of another element."""
    c, of = element_of(story), f"{story.names[2]}[{story.sum_of[0]}][{story.sum_of[1]}]"
    values = indices_of(story.scene, source) if story.scene else ""
    adding = story.terms[-1].line if story.terms else story.stored
    adds = f"Line {adding} adds the terms of {of}, and line {story.stored} stores their sum to {c}"
    hint = f"Exchange row and column of the terms in line {adding}, or those of C in line {story.stored}."
    if adding in {0, story.stored}:
        adds = f"Line {story.stored} stores the sum of {of} to {c}"
        hint = f"Exchange row and column of C in line {story.stored}, or those of the terms."
    hint = hint if story.sum_of == (story.column, story.row) else ""
    return Told("sum-of-other-element", f"{adds}{f', with {values}' if values else ''}.", story.stored, hint)


def of_wrong_term(story: Story, source: SourceText) -> Told:
    """Tell of the last term of a story, which is wrong."""
    if story.joined:
        return _joined(story, source)
    term, wrong = story.terms[-1], _wrong_factors(story)
    way, line = _way_of(wrong[0], story, source) if wrong else ("", term.line)
    line = line_of_stale(story) or line
    if _is_exchanged(term, story):
        return Told("wrong-factor", _exchanged(story), line)
    elsewhere = wrong and term.line not in {wrong[0].line, wrong[0].read} and not story.stale
    where, should = f" in line {term.line}" if elsewhere else "", right_term(term.k, story)
    sentence = f"For k = {term.k}, {added(term, story)} is added to {element_of(story)}{where}, where {should} belongs"
    if wrong and story.is_swapped:
        sentence += f" (row and column of {_name(wrong[0], story)} are swapped)"
    if story.stale:
        return Told("wrong-factor", f"{sentence}: {read_again(story, source)}", line)
    if not wrong or term.is_alone:
        way = f" (line {term.line})"
    return Told("wrong-factor", f"{sentence}{way}.", line)


def _joined(story: Story, source: SourceText) -> Told:
    """Tell of a term that is added to all that belong there."""
    term, c, line, hint = added(story.terms[-1], story), element_of(story), story.joined, ""
    why = f" There, {read_again(story, source)}" if story.stale else ""
    if story.is_carried:
        line = story.start or story.stored
        if story.start and not story.stale:
            why = f" Line {story.start} set the sum to its first value, and nothing does so again for {c}."
            around = [each for each in source.between(LOOP, line, story.joined) if story.stored in source.body_of(each)]
            hint = f"Let the sum begin again in the loop of line {around[-1]}." if around else ""
    sentence = f"Line {story.joined} adds {term} to {c}, beside all its own terms.{why}"
    return Told("extra-term", sentence, line_of_stale(story) or line, hint)


def _is_exchanged(term: Term, story: Story) -> bool:
    """Whether a term belongs to the same element of B · A, and to no other element of A · B."""
    match term.factors:
        case Factor("A", at, column), Factor("B", row, k):
            return (row, column) == (story.row, story.column) and at == k and at != story.row
    return False


def _exchanged(story: Story) -> str:
    (a, b, _), term = story.names, story.terms[-1]
    either = ", or row and column of both are swapped" if story.row == story.column else ""
    adds = f"{added(term, story)}, a term of {b} · {a}, is added to {element_of(story)} in line {term.line}"
    return f"{adds}: {a} and {b} are exchanged{either}."


def _wrong_factors(story: Story) -> list[Factor]:
    return [each for each in story.terms[-1].factors if (each.row, each.column) != _place(each.matrix, story)]


def _place(matrix: str, story: Story) -> tuple[int | None, int | None]:
    """Return the row and the column of the factor that belongs in the last term."""
    k = story.terms[-1].k
    return (story.row, k) if matrix == "A" else (k, story.column)


def by_columns(story: Story, again: Rerun) -> str:
    """Return how a matrix is stored, of which a wrong factor is where the right one would be among rows."""
    if (lab := again.lab) is None or not story.terms:
        return ""
    for each in _wrong_factors(story):
        stored, (row, column) = operands(lab, again.shape)[each.matrix], (at or 0 for at in _place(each.matrix, story))
        read = (each.column or 0) * stored.stride + (each.row or 0)
        is_among_rows = row and read in {row * side + column for side in again.bounds.sides}
        if is_among_rows and lines_are_columns(each.matrix, lab):
            length = _length_of_columns(each.matrix, lab)
            return f"This lab stores {_name(each, story)} column by column: index it by column * {length} + row."
    return ""


def _length_of_columns(matrix: str, lab: Interface) -> str:
    """Return the parameter that holds how far apart the columns of a matrix begin."""
    length = f"ld{matrix.lower()}" if lab.padding else {"A": "M", "B": "K"}[matrix]
    return length if length in values(lab.parameters) else "N"


def _name(factor: Factor, story: Story) -> str:
    return story.names["AB".index(factor.matrix)]


def _way_of(factor: Factor, story: Story, source: SourceText) -> tuple[str, int]:
    """Return in words where a wrong factor comes from, and the line that takes it."""
    line, what = story.terms[-1].line, factor_of(factor, story)
    if story.taken and line not in {factor.line, factor.read, story.taken}:
        row, column = _place(factor.matrix, story)
        right = f"{_name(factor, story)}[{row}][{column}]"
        own = f"{what} in line {factor.read or factor.line}"
        return f": the thread has read both before, {own} and {right} in line {story.taken}", line
    if factor.read and story.is_loaded:
        return f": line {factor.read}{_read(factor, what, story, source)}", factor.read
    if not factor.line:
        return "", line
    at_load = story.scene if story.scene and story.scene.line == factor.line else None
    sentence = f": line {factor.line} loads {what}{_call_of(factor, story)}"
    if factor.stored:
        sentence += f", which line {factor.stored} stores to shared memory and line {factor.read} reads there"
    if at_load is None:
        return sentence, factor.line
    named = _of_index(at_load, _name(factor, story), source)
    values = values_of(named, {each.name for each in named})
    sentence += f", with {values}" if values else ""
    if short := _too_short(factor, named, story):
        return f"{sentence}. The type of {short.name} ends at {short.limit}", short.line or line
    return sentence, _load_of(factor, at_load, story)


def _too_short(factor: Factor, named: list[NamedValue], story: Story) -> NamedValue | None:
    """Return the variable that has come to the end of its type where it should have a part of the right index."""
    row, column = (each or 0 for each in _place(factor.matrix, story))
    parts = row, column, row * story.total, row * story.total + column
    for each in named:
        if each.limit and any(at > each.limit and (at - int(each.value)) % (each.limit + 1) == 0 for at in parts):
            return each
    return None


def _of_index(scene: Scene, matrix: str, source: SourceText) -> list[NamedValue]:
    """Return the variables of a matrix and its index in the line of a scene, or else all of the line."""
    index = re.search(rf"\b{matrix}\s*\[.*", source.text(scene.line))
    return (named_in(scene.variables, index[0]) if index else []) or named_at(scene, source)


def _load_of(factor: Factor, at_load: Scene, story: Story) -> int:
    """Return the line of a load, or of its function's call, if the same line loads the other factor rightly."""
    right = [each for term in story.terms for each in term.factors if each.matrix != factor.matrix]
    is_of_both = any(each.line == factor.line for each in right)
    return at_load.called[0] if at_load.called and is_of_both else factor.line


def _read(factor: Factor, what: str, story: Story, source: SourceText) -> str:
    """Return how the wrong one of the factors that a block has loaded is read, with the indices of read and store."""
    if not factor.stored:
        return f" takes {what} by a shuffle"
    read, stored = _indices(story.reader, factor.read, source), _indices(story.scene, factor.stored, source)
    sentence = f"{f', with {read},' if read else ''} reads in shared memory where line {factor.stored} stored {what}"
    return f"{sentence}, with {stored}{_call_of(factor, story)}" if stored else sentence


def _indices(scene: Scene | None, line: int, source: SourceText) -> str:
    """Return the variables of a line with their values, if a scene is there."""
    return indices_of(scene, source) if scene and scene.line == line else ""


def _call_of(factor: Factor, story: Story) -> str:
    """Return which line calls the function that loads a factor."""
    called = story.scene.called if story.scene and story.scene.line == factor.line else ()
    return f" (called in line {called[0]})" if called else ""
