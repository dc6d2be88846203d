"""The story of a wrong element of C: the terms that were added to it, and where each factor came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from grader.model.scenes import MOST_TERMS, Factor, Narrowing, Story, Term
from grader.worker.replay.origins import CONVERTED
from grader.worker.replay.sums import Sum, sum_at
from grader.worker.replay.traced_values import Added, Place, TracedValues, belonging, places_of

SHOWN = 2  # right terms before the first wrong one
MOST_VALUES = 1 << 12
DIGITS = 7, 12, 17  # the first that show a change


@dataclass(frozen=True, slots=True)
class FoundStory:
    """A story, and the nodes of its scenes: of a load and a read, or of a store that none followed before a read.

    They are 0 where there is none.
    """

    story: Story
    load: int = 0
    read: int = 0
    stale: tuple[int, int] = (0, 0)


def story(traced: TracedValues, begun: Story, store: int) -> FoundStory:
    """Return the story of a sum that a node stores. Raises GivesUpError for another sum."""
    found = sum_at(store, traced)
    number = _numbering(found.terms, begun.total)
    added = [replace(each, term=replace(each.term, k=number(each.term))) for each in found.terms]
    start = traced.line_of_start(found.start, store) if found.start else 0
    besides = f"{found.besides:.7g}" if found.besides else ""
    told = replace(begun, count=len(added), start=start, besides=besides)
    wrong = [each for each in added if not _is_right(each.term, told)]
    return _with_wrong(told, added, wrong, store, traced) if wrong else _with_counts(told, added, found, store, traced)


def _with_wrong(
    told: Story, added: Sequence[Added], wrong: Sequence[Added], store: int, traced: TracedValues
) -> FoundStory:
    """Return the story with the first term that does not belong there."""
    first, at, thread = wrong[0], wrong[0].term.number, traced.origins.node(store).thread
    right = [each for each in added if _is_right(each.term, told)]
    has_all = {each.term.k for each in right} >= set(range(told.total))
    joined = (first.joined or first.term.line) if has_all else 0
    is_loaded = all(traced.is_loaded(each.term, told.row, told.column, thread) for each in wrong)
    other = _other_element(told, added, first.term, store, traced)
    stale = _stale(first, [each for each in right if each.term.number < at], traced)
    told = replace(
        told,
        terms=tuple(each.term for each in added[max(0, at - SHOWN) : at + 1]),
        is_wrong=True,
        is_swapped=_are_swapped([each.term for each in wrong[: 1 if is_loaded else None]], told),
        is_loaded=is_loaded,
        taken=_taken(first, told, traced),
        joined=joined,
        sum_of=other,
        is_carried=bool(joined) and at == 0,
        stale=traced.line_of(stale[0]),
    )
    load, read = (0, 0) if other else first.misplaced(told.row, told.column)
    return FoundStory(told, load, read, stale)


def _other_element(
    told: Story, added: Sequence[Added], wrong: Term, store: int, traced: TracedValues
) -> tuple[int, ...]:
    """Return another element of which these are all the terms, if its place is wrong, and not the factors of this one.

    What a shuffle takes from another lane is wrong by what chose the element.
    """
    other = _element_of(added, told.total)
    is_own = other == (told.row, told.column) or (other and _has_own_sum(other, store, told.total, traced))
    is_shuffled = any(each.read and not each.stored for each in wrong.factors)
    return () if is_own or is_shuffled else other


def _has_own_sum(element: tuple[int, ...], store: int, terms: int, traced: TracedValues) -> bool:
    """Whether an element is stored with the terms that belong there, in another sum than that of a store."""
    own = traced.stores.stored(*element)
    is_other = own > 0 and traced.origins.node(own).sources[0] != traced.origins.node(store).sources[0]
    return is_other and _element_of(sum_at(own, traced).terms, terms) == element


def _taken(wrong: Added, told: Story, traced: TracedValues) -> int:
    """Return the line in which the thread of a product has read the factor that belongs there; 0 where it has not."""
    right = belonging(told.row, wrong.term.k, told.column)
    lacking = right - places_of(wrong.term.factors)
    is_one = len(lacking) == 1 and len(wrong.term.factors) == len(right) and wrong.product
    if any(each.stored for each in wrong.term.factors):  # which is the store's mistake, or that of its index
        return 0
    return traced.line_of_taken(*lacking.pop(), wrong.product) if is_one else 0


def _with_counts(told: Story, added: Sequence[Added], found: Sum, store: int, traced: TracedValues) -> FoundStory:
    """Return the story with the terms that are missing, and those that are there more than once."""
    known = Counter(each.term.k for each in added)
    missing = [k for k in range(told.total) if not known[k]]
    twice = [k for k in range(told.total) if known[k] > 1]
    told = replace(told, missing=_summary(missing), twice=_summary(twice))
    if twice:
        first, again, *_ = (each for each in added if each.term.k == twice[0])
        return _with_repeated(told, first, again, traced)
    told = replace(told, terms=tuple(each.term for each in added[:MOST_TERMS]))
    if zeros := _zeros(added, found.zeros, missing):
        return FoundStory(replace(told, zeros=len(zeros)), traced.store_of_zero(zeros[0]))
    return FoundStory(_with_missing(told, traced, traced.origins.node(store).thread, found.start) if missing else told)


def _with_repeated(told: Story, first: Added, again: Added, traced: TracedValues) -> FoundStory:
    """Return the story of two terms of one k, with what was read or loaded again for the second.

    Of one product, the second is added by a line that adds two sums.
    """
    stale, is_loaded_again = _stale(again, [first], traced), {*again.loads}.isdisjoint(first.loads)
    second = replace(again.term, line=again.summed) if again.product == first.product and again.summed else again.term
    told = replace(told, terms=(first.term, second), stale=traced.line_of(stale[0]))
    return FoundStory(told, again.loads[0] if is_loaded_again else 0, stale=stale)


def _zeros(added: Sequence[Added], zeros: Sequence[tuple[int, int]], missing: Sequence[int]) -> list[int]:
    """Return the products with a zero that are in the place of the first missing terms; none for too few."""
    if not missing:
        return []
    before = [at for at, each in enumerate(added, 1) if each.term.k == missing[0] - 1]
    if missing[0] and not before:
        return []
    found = [product for product, place in zeros if place == max(before, default=0)]
    together = next((count for count, k in enumerate(missing) if k != missing[0] + count), len(missing))
    return found if len(found) >= together else []


def _stale(again: Added, before: Iterable[Added], traced: TracedValues) -> tuple[int, int]:
    """Return the store that gave a factor to a term and to an earlier one, and the later read; zeros if none did.

    The block has stored something else to shared memory meanwhile.
    """
    known = {store: read for each in before for store, read in each.passes}
    for store, read in again.passes:
        if store in known and traced.others_go_on(store, known[store], read):
            return store, read
    return 0, 0


def _with_missing(told: Story, traced: TracedValues, thread: int, start: int) -> Story:
    """Return a story with where the first missing term was multiplied, if it was."""
    terms = told.row, told.missing[0], told.column
    if start and (product := traced.product(*terms, (thread, thread))) and product.id < start:
        return replace(told, is_reset=True)
    product = traced.product(*terms, traced.block_of(thread))
    if product and product.thread == thread:
        return replace(told, multiplied=traced.line_of(product.id))
    return replace(told, lost=traced.thread_of(product.thread)) if product else told


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


def _is_right(term: Term, told: Story) -> bool:
    return places_of(term.factors) == belonging(told.row, term.k, told.column)


def _are_swapped(terms: Iterable[Term], told: Story) -> bool:
    """Return whether row and column of one factor are swapped in each of some terms."""
    for term in terms:
        right = belonging(told.row, term.k, told.column)
        swapped, turned = (_turned(each) for each in (places_of(term.factors), right))
        wrong = swapped - turned
        if len(wrong) != 1 or not wrong <= right:
            return False
    return True


def _turned(places: Iterable[Place]) -> set[Place]:
    return {(matrix, column, row) for matrix, row, column in places}


def cancelled(traced: TracedValues, begun: Story, store: int) -> Story | None:
    """Return the story of a sum on whose way a value is subtracted from itself."""
    zeros = (
        each for each in traced.way(store, MOST_VALUES) if each.kind == "sub" and each.sources[0] == each.sources[1] > 0
    )
    return next((replace(begun, cancelled=traced.line_of(each.id)) for each in zeros), None)


def narrowed(traced: TracedValues, begun: Story, store: int, own_types: frozenset[str]) -> Story | None:
    """Return the story of a sum on whose way a value was converted to a type that cannot hold it."""
    for each in traced.way(store, MOST_VALUES):
        kind = traced.origins.shorter.get(each.number, "")
        if each.kind == CONVERTED and kind not in own_types:
            before, after = traced.value_of(each.sources[0]), each.value
            pairs = [(f"{before:.{digits}g}", f"{after:.{digits}g}") for digits in DIGITS]
            shown = next((pair for pair in pairs if pair[0] != pair[1]), pairs[-1])
            return replace(begun, narrowing=Narrowing(traced.line_of(each.id), kind, *shown))
    return None
