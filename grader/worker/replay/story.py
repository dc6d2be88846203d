"""The story of a wrong element of C: the terms that were added to it, and where each factor came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from grader.model.scenes import MOST_TERMS, Factor, Narrowing, Story, Term
from grader.worker.replay.origins import CONVERTED
from grader.worker.replay.sums import Added, Sums

SHOWN = 2  # right terms before the first wrong one
MOST_VALUES = 1 << 12
DIGITS = 7, 12, 17  # the first that show a change


@dataclass(frozen=True, slots=True)
class Found:
    """A story with its first wrong or repeated term, and a store that should have come before a read."""

    story: Story
    wrong: Added | None = None
    again: Added | None = None
    stale: tuple[int, int] = (0, 0)
    is_loaded_again: bool = False  # whether the repeated term has factors of other loads


def story(sums: Sums, row: int, column: int, terms: int) -> Found:
    """Return the story of an element that was stored. Raises GivesUpError."""
    store = sums.stored(row, column)
    found, thread = sums.terms(store), sums.origins.node(store).thread
    number = _numbering(found.terms, terms)
    added = [replace(each, term=replace(each.term, k=number(each.term))) for each in found.terms]
    other = _element_of(added, terms)
    if other == (row, column) or (other and _has_own_sum(other, store, terms, sums)):
        other = ()  # so that the factors of this one are wrong, not its place
    told = Story(row, column, sums.line_of(store), terms, len(added))
    start = sums.line_of_start(found.start, store) if found.start else 0
    told = replace(told, besides=f"{found.besides:.7g}" if found.besides else "", start=start)
    wrong = next((each for each in added if not _is_right(each.term, row, column)), None)
    if wrong is not None:
        is_shuffled = any(each.read and not each.stored for each in wrong.term.factors)  # by what chose the element
        at, other = wrong.term.number, () if is_shuffled else other
        right = {each.term.k for each in added if _is_right(each.term, row, column)}
        joined = (wrong.joined or wrong.term.line) if right >= set(range(terms)) else 0
        shown = [each.term for each in added[max(0, at - SHOWN) : at + 1]]
        every = [each.term for each in added if not _is_right(each.term, row, column)]
        is_loaded = all(sums.is_loaded(each, row, column, thread) for each in every)
        told = replace(told, terms=tuple(shown), is_wrong=True, sum_of=other, joined=joined, is_loaded=is_loaded)
        told = replace(told, is_swapped=_are_swapped(every[:1] if is_loaded else every, row, column))
        told = replace(told, is_carried=bool(joined) and at == 0)
        before = [each for each in added[:at] if _is_right(each.term, row, column)]
        stale, _ = passed = _stale(wrong, before, sums)
        told = replace(told, stale=sums.line_of(stale) if stale else 0, taken=_taken(wrong, row, column, sums))
        return Found(told, wrong=None if other else wrong, stale=passed)
    known = Counter(each.term.k for each in added if each.term.k is not None)
    missing = [k for k in range(terms) if not known[k]]
    twice = [k for k in range(terms) if known[k] > 1]
    shown = _repeated(added, twice[0]) if twice else [each.term for each in added][:MOST_TERMS]
    told = replace(told, terms=tuple(shown), missing=_summary(missing), twice=_summary(twice))
    if twice:
        return _with_repeated(told, [each for each in added if each.term.k == twice[0]][:2], sums)
    if zeros := _zeros(added, found.zeros, missing):
        return Found(replace(told, zeros=zeros))
    return Found(_with_missing(told, sums, thread, found.start) if missing else told)


def _taken(wrong: Added, row: int, column: int, sums: Sums) -> int:
    """Return the line in which the thread of a product has read the factor that belongs there; 0 where it has not."""
    right = {("A", row, wrong.term.k or 0), ("B", wrong.term.k or 0, column)}
    lacking = right - {(each.matrix, each.row, each.column) for each in wrong.term.factors}
    is_one = len(lacking) == 1 and len(wrong.term.factors) == len(right) and wrong.product
    return sums.line_of_taken(*lacking.pop(), wrong.product) if is_one else 0


def _has_own_sum(element: tuple[int, ...], store: int, terms: int, sums: Sums) -> bool:
    """Whether an element is stored with the terms that belong there, in another sum than that of a store."""
    row, column = element
    own = sums.stored(row, column)
    is_other = own > 0 and sums.origins.node(own).sources[0] != sums.origins.node(store).sources[0]
    return is_other and _element_of(sums.terms(own).terms, terms) == element


def _with_repeated(told: Story, terms: Sequence[Added], sums: Sums) -> Found:
    """Return the story of two terms of one k, with what was read or loaded again for the second."""
    *before, again = terms
    stale, _ = passed = _stale(again, before, sums)
    told = replace(told, stale=sums.line_of(stale) if stale else 0)
    is_loaded = bool(again.passes) and not {*again.loads} & {load for each in before for load in each.loads}
    return Found(told, again=again, stale=passed, is_loaded_again=is_loaded)


def _repeated(added: Sequence[Added], k: int) -> list[Term]:
    """Return the first two terms of one k; of one product, the second is added by a line that adds two sums."""
    first, second, *_ = (each for each in added if each.term.k == k)
    if second.loads == first.loads and second.summed:
        second = replace(second, term=replace(second.term, line=second.summed))
    return [first.term, second.term]


def _zeros(added: Sequence[Added], zeros: Sequence[int], missing: Sequence[int]) -> int:
    """Return how many products with a zero are in the place of the first missing terms; 0 for too few."""
    if not missing:
        return 0
    before = [at for at, each in enumerate(added, 1) if each.term.k == missing[0] - 1]
    if missing[0] and not before:
        return 0
    found = zeros.count(max(before, default=0))
    together = next((count for count, k in enumerate(missing) if k != missing[0] + count), len(missing))
    return found if found >= together else 0


def _stale(again: Added, before: Iterable[Added], sums: Sums) -> tuple[int, int]:
    """Return the store that gave a factor to a term and to an earlier one, and the later read; zeros if none did.

    The block has stored something else to shared memory meanwhile.
    """
    known = {store: read for each in before for store, read in each.passes}
    for store, read in again.passes:
        if store in known and sums.others_go_on(store, known[store], read):
            return store, read
    return 0, 0


def _with_missing(told: Story, sums: Sums, thread: int, start: int) -> Story:
    """Return a story with where the first missing term was multiplied, if it was."""
    terms = told.row, told.missing[0], told.column
    if start and (product := sums.product(*terms, (thread, thread))) and product.id < start:
        return replace(told, is_reset=True)
    product = sums.product(*terms, sums.block_of(thread))
    if product and product.thread == thread:
        return replace(told, multiplied=sums.line(product.number))
    return replace(told, lost=sums.thread_of(product.thread)) if product else told


def _summary(numbers: Sequence[int]) -> tuple[int, ...]:
    return (numbers[0], numbers[-1], len(numbers)) if numbers else ()


def _numbering(added: Sequence[Added], terms: int) -> Callable[[Term], int]:
    """Return what tells the k of a term: that of its factor of A, of B, or its place, what has most values of k."""

    def of_matrix(matrix: str) -> Callable[[Term], int]:
        return lambda term: next(
            (_k(each) for each in term.factors if each.matrix == matrix or term.is_alone), term.number
        )

    def fits(way: Callable[[Term], int]) -> tuple[int, int]:
        numbers = [way(each.term) for each in added]
        return len(set(numbers) & set(range(terms))), sum(k == at for at, k in enumerate(numbers))

    best = max(of_matrix("A"), of_matrix("B"), key=fits)
    if all(len({_k(factor) for factor in each.term.factors}) == 1 for each in added):  # whole terms, maybe of other k
        return best
    return best if fits(best)[0] >= min(terms, len(added)) else max(best, lambda term: term.number, key=fits)


def _k(factor: Factor) -> int:
    return factor.column if factor.matrix == "A" else factor.row


def _element_of(added: Sequence[Added], terms: int) -> tuple[int, ...]:
    """Return the element of which these are all the terms; nothing if they are of none."""
    pairs = [each.term.factors for each in added]
    if len(pairs) < max(2, terms) or any([each.matrix for each in pair] != ["A", "B"] for pair in pairs):
        return ()
    places = {(a.row, b.column) for a, b in pairs}
    complete = {a.column for a, b in pairs if a.column == b.row} == set(range(terms)) and len(pairs) == terms
    return places.pop() if complete and len(places) == 1 else ()


def _is_right(term: Term, row: int, column: int) -> bool:
    places = {(each.matrix, each.row, each.column) for each in term.factors}
    return places == {("A", row, term.k), ("B", term.k, column)}


def _are_swapped(terms: Iterable[Term], row: int, column: int) -> bool:
    """Return whether row and column of one factor are swapped in each of some terms."""
    for term in terms:
        swapped = {(each.matrix, each.column, each.row) for each in term.factors}
        wrong = swapped - {("A", term.k, row), ("B", column, term.k)}
        if len(wrong) != 1 or not wrong <= {("A", row, term.k), ("B", term.k, column)}:
            return False
    return True


def narrowed(sums: Sums, begun: Story, store: int, own_types: frozenset[str]) -> Story | None:
    """Return the story of a sum on whose way a value was converted to a type that cannot hold it."""
    for each in sums.way(store, MOST_VALUES):
        kind = sums.origins.shorter.get(each.number, "")
        if each.kind == CONVERTED and kind not in own_types:
            before, after = sums.value_of(each.sources[0]), each.value
            pairs = [(f"{before:.{digits}g}", f"{after:.{digits}g}") for digits in DIGITS]
            shown = next((pair for pair in pairs if pair[0] != pair[1]), pairs[-1])
            return replace(begun, narrowing=Narrowing(sums.line(each.number), kind, *shown))
    return None
