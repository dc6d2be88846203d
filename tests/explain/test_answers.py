"""Whatever a worker finds has words, with every value that the judge accepts."""

from dataclasses import fields, is_dataclass
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from grader.contract.encoding import decode_answer, encode
from grader.contract.found import Finding, Remark
from grader.contract.messages import Checked
from grader.explain.answers import Asked, explained
from grader.explain.remarks import remark
from grader.model import Interface, Limits, Shape
from grader.model.watched import NotWatched
from grader.ptxsim.records.traced import BarrierInTwoLines, ReturnedBefore

ASKED = Asked(Interface("matmul", ("A", "B", "C", "N")), Shape(4, 4, 4), Limits())
EXTREMES = 0, 1, 10**9


def extreme(kind: Any, number: int) -> Any:
    """A value of a type, made of this number and the text "A"; of several possibilities, one of this number."""
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{each.name: extreme(hints[each.name], number) for each in fields(kind)})
    of = [each for each in get_args(kind) if each is not ...]
    if get_origin(kind) is tuple:
        return tuple(extreme(each, number) for each in of)
    if of:
        one = of[number % len(of)]
        return one if get_origin(kind) is Literal else extreme(one, number)
    simple = {int: number, bool: bool(number), str: "A", NoneType: None}
    return simple[kind] if kind in simple else list(kind)[number % len(kind)]


@pytest.mark.parametrize("number", EXTREMES)
@pytest.mark.parametrize("kind", sorted(set(get_args(Finding)) - {NotWatched}, key=str), ids=lambda kind: kind.__name__)
def test_every_finding_has_words_whatever_its_numbers(kind: type, number: int):
    answer = Checked(extreme(kind, number))
    said = explained(decode_answer(encode(answer)), ASKED).fault  # type: ignore[arg-type]
    assert said
    assert said.sentence
    assert "line 0" not in f"{said.sentence} {said.hint} {said.detail}".lower()


@pytest.mark.parametrize("kind", [BarrierInTwoLines, ReturnedBefore])
def test_barriers_that_threads_miss_are_the_reason_if_the_answer_is_wrong(kind: type):
    said = explained(Checked(remarks=(extreme(kind, 1),)), ASKED)
    assert said.reason
    assert "line 1" in said.reason.sentence


@pytest.mark.parametrize("kind", get_args(Remark))
def test_every_remark_has_words(kind: type):
    assert remark(extreme(kind, 1), ASKED)
