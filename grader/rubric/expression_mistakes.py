"""What is wrong with an expression of a rubric, as a sentence with its place, at the first size at which it is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress

from grader.model import Shape, expressions
from grader.model.expressions import ExpressionError
from grader.rubric.schema_errors import nearest, shown

Names = dict[Shape, dict[str, int]]  # what expressions may use, at each size
Evaluate = Callable[[str, Mapping[str, int]], object]


def whole_number(at: str, text: int | str, names: Names, least: int, most: int) -> Iterator[str]:
    """Yield what is wrong with a number, or with the expression that gives it, at the first such size."""

    def bounded(text: str, known: Mapping[str, int]) -> int:
        number = expressions.whole(text, known)
        if not least <= number <= most:
            raise ExpressionError(f"must be from {least} to {most}, but is {number}")
        return number

    yield from mistakes(at, str(text), names, bounded)


def extents(
    at: str, texts: Sequence[int | str], names: Names, most: Sequence[int], in_all: int, what: str
) -> Iterator[str]:
    """Yield what is wrong with the extents of a thing, each and together, which has so many of `what` in all."""
    for axis, text in enumerate(texts):
        yield from whole_number(f"{at}[{axis}]", text, names, 1, most[axis])
    with suppress(ExpressionError):  # told above
        for shape, known in names.items():
            sides = [expressions.whole(str(text), known) for text in texts]
            if math.prod(sides) > in_all:
                yield f"{at}: it has at most {in_all} {what}, but {sides} has {math.prod(sides)} at {shape}"
                return


def mistakes(at: str, text: str, names: Names, evaluate: Evaluate) -> Iterator[str]:
    """Yield what is wrong with an expression, at the first such size."""
    said = f"{at}: `{shown(text)}`"
    try:
        known = next(iter(names.values()))
        for name in sorted(expressions.names_in(text) - known.keys()):
            yield f"{said} uses `{shown(name)}`, which is none of {', '.join(known)}{nearest(name, known)}"
            return
    except ExpressionError as error:
        yield f"{said} {error}"
        return
    for shape in names:
        try:
            evaluate(text, names[shape])
        except ExpressionError as error:
            yield f"{said} {error}{'' if 'arithmetic' in str(error) else f' at {shape}'}"
            return
