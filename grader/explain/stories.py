"""How a wrong element of C came about, in a student's words."""

from __future__ import annotations

import re

from grader.explain.lost_terms import copied, end_of_loop, line_of_loop, narrowed, repeating_loop
from grader.explain.source_lines import LOOP, WORD, named_in, values_of, words_of
from grader.explain.source_text import Source, callers_of, function_at, text_of
from grader.explain.unstored import line_of_unstored, of_unstored
from grader.model.scenes import Condition, Factor, NamedValue, Scene, Story, Term

SET = re.compile(r"([\w.]+)\s*(?:\[[^\]]*\]\s*)*=\s*[-\d{]")  # to a number
TO_TRY = {
    "reset-sum": "Set the sum to zero only once, before the loop over tiles, and add each tile to it (+=).",
    "stale-elements": "Does a thread store something for every tile, and zero for elements outside the matrix?",
    "other-terms": "Let the sum begin at zero, and add nothing to it but products of A and B.",
}
NOTHING, NO_MORE = "nothing", "nothing more"
HEADS = "k", "should be added", "was added", "where"


def kind_of(story: Story) -> str:
    """Return a word for what a story shows."""
    kinds = {
        "shorter-type": story.narrowing,
        "sum-of-other-element": story.sum_of,
        "extra-term": story.joined,
        "wrong-factor": story.is_wrong,
        "overlapping-stores": story.overlap,
        "stored-elsewhere": story.reach,
        "never-stored": not story.stored,
        "carried-sum": story.is_carried,
        "reset-sum": story.is_reset,
        "stale-elements": story.stale,
        "unset-term": story.besides == "nan",
        "no-terms": not story.count,
        "missing-terms": story.missing,
        "repeated-terms": story.twice,
    }
    return next((kind for kind, holds in kinds.items() if holds), "other-terms")


def of_story(story: Story, source: Source) -> str:
    """Return how the sum of an element differs from what it should be; nothing if that is not known."""
    c = f"{story.names[2]}[{story.row}][{story.column}]"
    if story.narrowing:
        return narrowed(story.narrowing, c, source)
    if story.is_wrong:
        return _sum_of_other(story, c, source) or _wrong_term(story, c, source)
    if story.overlap or story.reach or not (story.stored or story.count):
        return of_unstored(story, c, source)
    return _wrong_number(story, c, source)


def _sum_of_other(story: Story, c: str, source: Source) -> str:
    if not story.sum_of:
        return ""
    values = values_of(_at_scene(story, source))
    of = f"{story.names[2]}[{story.sum_of[0]}][{story.sum_of[1]}]"
    with_values, added = f", with {values}" if values else "", story.terms[-1].line if story.terms else 0
    if added in {0, story.stored}:
        return f"Line {story.stored} stores the sum of {of} to {c}{with_values}."
    return f"Line {added} adds the terms of {of}, and line {story.stored} stores their sum to {c}{with_values}."


def _wrong_number(story: Story, c: str, source: Source) -> str:
    if story.besides == "nan":
        return f"The sum that line {story.stored} stores to {c} contains a value that was never set."
    if not story.count:
        nothing = f"No product is added to what line {story.stored} stores to {c}."
        return f"{nothing}{_multiplied(story, source)}"
    said = [_repeated(story, c, source) if story.twice else "", _missing(story, c, source) if story.missing else ""]
    if any(said):
        return " ".join(filter(None, said))
    return f"{story.besides} is added to the sum of {c} besides its terms." if story.besides else ""


def _missing(story: Story, c: str, source: Source) -> str:
    first, last, number = story.missing
    which = f"k = {first} is" if number == 1 else f"{number} of them, from k = {first} to {last}, are"
    return f"{c} lacks terms: {which} not in its sum. {_why_missing(story, source)}".strip()


def _why_missing(story: Story, source: Source) -> str:
    if story.is_reset:
        return _reset(story, source)
    if story.zeros:
        return "Zeros are multiplied instead."
    ended = end_of_loop(story, source)
    lost = (
        f"Thread {story.lost} multiplies the factors of the first, but its product is not added." if story.lost else ""
    )
    return f"{lost} {ended}".strip() or _multiplied(story, source).strip()


def _reset(story: Story, source: Source) -> str:
    """Return where the sum began that is stored, and whether that is a variable of the store that is set again."""
    value, before = story.besides or "zero", f"They were added before line {story.start}"
    if {*SET.findall(text_of(story.start, source))} & {*WORD.findall(text_of(story.stored, source))}:
        return f"{before} set the sum to {value} again."
    return f"{before}, where what line {story.stored} stores began at {value}."


def _multiplied(story: Story, source: Source) -> str:
    """Return which line multiplies the factors of a missing term, where its thread does."""
    if not story.multiplied:
        return ""
    lost, _ = copied(story.multiplied, story.stored, source)
    instead = f": it is added to {lost}" if lost else ""
    multiplies = f"Line {story.multiplied} multiplies those of k = {story.missing[0]}"
    return f" {multiplies}, but the product does not stay there{instead}."


def _repeated(story: Story, c: str, source: Source) -> str:
    first, last, number = story.twice
    which = f"k = {first}" if number == 1 else f"{number} terms from k = {first} to {last}"
    return f"The sum of {c} contains {which} more than once{_again(story, source)}.{_loaded_again(story, source)}"


def _loaded_again(story: Story, source: Source) -> str:
    """Return how a factor of a repeated term was loaded once more, to be read from shared memory."""
    if not (story.scene and (factor := _factor_again(story))):
        return ""
    values = values_of(_at_scene(story, source))
    what = f"{_name(factor, story)}[{factor.row}][{factor.column}]"
    with_values = f" with {values}" if values else ""
    return f" Thread {story.scene.thread} loads {what} once more in line {factor.line}{with_values}."


def _factor_again(story: Story) -> Factor | None:
    """Return the factor of a repeated term at whose second load the scene is."""
    factors = story.terms[-1].factors if story.twice and story.terms and not story.stale else ()
    line = story.scene.line if story.scene else 0
    return next((each for each in factors[:1] if each.stored and each.line == line), None)


def _again(story: Story, source: Source) -> str:
    line, loop = story.terms[-1].line if story.terms else 0, repeating_loop(story, source)
    after = f" in the loop in line {loop}, after line {story.terms[0].line}" if loop else ""
    put = _put(story) if story.terms else ""
    stale = f", because nothing was {put} over what line {story.stale} {put} before" if story.stale else ""
    stale += _not_since(story, source)
    return f": line {line} adds {_added(story.terms[-1], story)} again{after}{stale}" if line else ""


def _kept_from(story: Story) -> Condition | None:
    """Return the condition that kept a thread from storing once more what is read again."""
    every = story.scene.conditions if story.scene and story.stale else ()
    return every[-1] if every else None


def _stored_earlier(story: Story, source: Source) -> str:
    """Return which store gave a wrong term a factor of an earlier one."""
    again = f"line {story.terms[-1].line} reads once more what line {story.stale} {_put(story)} before"
    return f"{again}, and nothing was {_put(story)} over it{_not_since(story, source)}."


def _put(story: Story) -> str:
    """Return what gave the last term a factor: a store to shared memory, or the load of a lane before a shuffle."""
    return "loaded" if any(each.read and not each.stored for each in story.terms[-1].factors) else "stored"


def _not_since(story: Story, source: Source) -> str:
    """Return why nobody has stored over what is read again; of a function with several calls, that is not known."""
    kept = _kept_from(story)
    if kept is None or story.scene is None or len(callers_of(function_at(kept.line, source)[0], source)) > 1:
        return ""
    by = f" by thread {story.scene.thread}, which did not come to line {story.stale} again"
    return f"{by}. {words_of(kept, source)}".removesuffix(".")


def _at_scene(story: Story, source: Source) -> list[NamedValue]:
    scene = story.scene
    return named_in(scene.variables, text_of(scene.line, source)) if scene else []


def _indices(scene: Scene | None, line: int, source: Source) -> str:
    """Return the variables of a line with their values, and where those are declared that no loop counts."""
    if scene is None or scene.line != line:
        return ""
    named = named_in(scene.variables, text_of(line, source))
    return values_of(named, {each.name for each in named if not LOOP.search(text_of(each.line, source))})


def _of_index(scene: Scene, matrix: str, source: Source) -> list[NamedValue]:
    """Return the variables of a matrix and its index in the line of a scene, or else all of the line."""
    text = text_of(scene.line, source)
    index = re.search(rf"\b{matrix}\s*\[.*", text)
    return (named_in(scene.variables, index[0]) if index else []) or named_in(scene.variables, text)


def _load_of(factor: Factor, story: Story) -> int:
    """Return the line of a load, or of its function's call, if the same line loads the other factor rightly."""
    called = story.scene.called if story.scene and story.scene.line == factor.line else ()
    right = [each for term in story.terms for each in term.factors if each.matrix != factor.matrix]
    return called[0] if called and any(each.line == factor.line for each in right) else factor.line


def line_of(story: Story, source: Source = ()) -> int:
    """Return the line that a story leads to; 0 for none."""
    if story.narrowing:
        return story.narrowing.line
    if story.is_carried or story.is_reset or story.stale:
        return kept.line if (kept := _kept_from(story)) else story.stale or story.start or story.stored
    if not story.stored or story.reach:
        return line_of_unstored(story, source)
    return (_line_of_wrong_term if story.is_wrong and not story.sum_of else _line_of_terms)(story, source)


def _line_of_wrong_term(story: Story, source: Source) -> int:
    """Return the line that takes a wrong factor, or adds a term to others that are right."""
    term, wrong = story.terms[-1], _wrong_factors(story.terms[-1], story)
    if story.joined or not wrong:
        return story.joined or term.line
    if _has_taken(story):
        return term.line
    short = _too_short(wrong[0], story, source)
    by_read = wrong[0].read if story.is_loaded else 0
    return by_read or (short.line if short else _load_of(wrong[0], story)) or term.line


def _line_of_terms(story: Story, source: Source) -> int:
    """Return the line that makes terms too few or too many."""
    if story.besides or story.sum_of or not story.terms:
        _, copy = copied(story.multiplied, story.stored, source) if story.multiplied else ("", 0)
        return copy or story.multiplied or story.stored
    if story.zeros and not story.twice:
        return story.stored
    if story.twice:
        again = _factor_again(story)
        return repeating_loop(story, source) or (again or story.terms[-1]).line
    return line_of_loop(story, source) or (story.stored if story.lost else story.multiplied or story.terms[-1].line)


def rows(story: Story) -> list[tuple[str, str, str, str]]:
    """Return the table of a story: k, the term that should be added, the one that was, and where.

    Beside terms that are all right stands the first that is missing.
    """
    table = list[tuple[str, str, str, str]]()
    for term in story.terms:
        should = _right(term.k, story) if str(term.k) not in {k for k, *_ in table} else NO_MORE
        table.append((str(term.k), should, _added(term, story), _where(term)))
    if story.is_wrong:
        return table
    return [*table, *((str(k), _right(k, story), NOTHING, "") for k in story.missing[:1])]


def _added(term: Term, story: Story) -> str:
    was = " · ".join(f"{_name(each, story)}[{each.row}][{each.column}]" for each in term.factors)
    was += " · something that was never set" if len(term.factors) == 1 and not term.is_alone else ""
    was += " alone" if term.is_alone else ""
    return was


def _right(k: int | None, story: Story) -> str:
    a, b, _ = story.names
    return f"{a}[{story.row}][{k}] · {b}[{k}][{story.column}]"


def _where(term: Term) -> str:
    stored = sorted({each.stored for each in term.factors if each.stored})
    lines = f"line{'s' * (len(stored) > 1)} {' and '.join(map(str, stored))}"
    by_way_of = f", stored to shared memory in {lines}" if stored else ""
    return f"line {term.line}{by_way_of}"


def _name(factor: Factor, story: Story) -> str:
    return story.names["AB".index(factor.matrix)]


def _wrong_factors(term: Term, story: Story) -> list[Factor]:
    return [each for each in term.factors if (each.row, each.column) != _place(each.matrix, term.k, story)]


def _place(matrix: str, k: int | None, story: Story) -> tuple[int | None, int | None]:
    """Return the row and the column of a factor of a term."""
    return (story.row, k) if matrix == "A" else (k, story.column)


def _wrong_term(story: Story, c: str, source: Source) -> str:
    term = story.terms[-1]
    _, should, was, _ = rows(story)[-1]
    if story.joined:
        why = f" There, {_stored_earlier(story, source)}" if story.stale else _carried(story, c)
        return f"Line {story.joined} adds {was} to {c}, beside all its own terms.{why}"
    if _is_exchanged(term, story):
        a, b = story.names[:2]
        either = ", or row and column of both are swapped" if story.row == story.column else ""
        return f"{was}, a term of {b} · {a}, is added to {c} in line {term.line}: {a} and {b} are exchanged{either}."
    wrong = _wrong_factors(term, story)
    elsewhere = wrong and term.line not in {wrong[0].line, wrong[0].read} and not story.stale
    where = f" in line {term.line}" if elsewhere else ""
    sentence = f"For k = {term.k}, {was} is added to {c}{where}, where {should} belongs"
    if wrong and story.is_swapped:
        sentence += f" (row and column of {_name(wrong[0], story)} are swapped)"
    if story.stale:
        return f"{sentence}: {_stored_earlier(story, source)}"
    if not wrong or term.is_alone:
        stored = sorted({each.stored for each in term.factors if each.stored})
        way = (
            f"line {stored[0]} stores both to shared memory"
            if len(stored) == 1 == len(term.factors) - 1
            else f"line {term.line}"
        )
        return f"{sentence} ({way})."
    return f"{sentence}{_wrong_factor(wrong[0], story, source)}."


def _has_taken(story: Story) -> bool:
    """Whether a thread has read the factor that belongs in its product before, in another line than that of this."""
    first, *_ = _wrong_factors(story.terms[-1], story)
    return bool(story.taken) and story.terms[-1].line not in {first.line, first.read, story.taken}


def _is_exchanged(term: Term, story: Story) -> bool:
    """Whether a term belongs to the same element of B · A, and to no other element of A · B."""
    match term.factors:
        case Factor("A", at, column), Factor("B", row, k):
            return (row, column) == (story.row, story.column) and at == k and at != story.row
    return False


def _wrong_factor(first: Factor, story: Story, source: Source) -> str:
    """Return where a factor that does not belong there comes from."""
    what = f"{_name(first, story)}[{first.row}][{first.column}]"
    if _has_taken(story):
        row, column = _place(first.matrix, story.terms[-1].k, story)
        right = f"{_name(first, story)}[{row}][{column}]"
        own = f"{what} in line {first.read or first.line}"
        return f": the thread has read both before, {own} and {right} in line {story.taken}"
    if first.read and story.is_loaded:
        return f": line {first.read}{_read(first, what, story, source)}"
    if not first.line:
        return ""
    sentence = f": line {first.line} loads {what}{_call_of(first, story)}"
    if first.stored:
        sentence += f", which line {first.stored} stores to shared memory and line {first.read} reads there"
    if story.scene is None or story.scene.line != first.line:
        return sentence
    named = _of_index(story.scene, _name(first, story), source)
    values = values_of(named, {each.name for each in named})
    if short := _too_short(first, story, source):
        return f"{sentence}, with {values}. The type of {short.name} ends at {short.limit}"
    return f"{sentence}, with {values}" if values else sentence


def _too_short(factor: Factor, story: Story, source: Source) -> NamedValue | None:
    """Return the variable that has come to the end of its type where it should have a part of the right index."""
    row, column = (each or 0 for each in _place(factor.matrix, story.terms[-1].k, story))
    parts = row, column, row * story.total, row * story.total + column
    scene = story.scene if story.scene and story.scene.line == factor.line else None
    for each in _of_index(scene, _name(factor, story), source) if scene else ():
        if each.limit and any(at > each.limit and (at - int(each.value)) % (each.limit + 1) == 0 for at in parts):
            return each
    return None


def _read(first: Factor, what: str, story: Story, source: Source) -> str:
    """Return how the wrong one of the factors that a block has loaded is read, with the indices of read and store."""
    if not first.stored:
        return f" takes {what} by a shuffle"
    read, stored = _indices(story.reader, first.read, source), _indices(story.scene, first.stored, source)
    sentence = f"{f', with {read},' if read else ''} reads in shared memory where line {first.stored} stored {what}"
    return f"{sentence}, with {stored}{_call_of(first, story)}" if stored else sentence


def _call_of(factor: Factor, story: Story) -> str:
    """Return which line calls the function that loads a factor."""
    called = story.scene.called if story.scene and story.scene.line == factor.line else ()
    return f" (called in line {called[0]})" if called else ""


def _carried(story: Story, c: str) -> str:
    """Return where a sum began that has kept the terms of an earlier element."""
    is_known = story.start and story.is_carried
    return f" Line {story.start} set the sum to its first value, and nothing does so again for {c}." if is_known else ""
