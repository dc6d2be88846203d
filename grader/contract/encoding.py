"""Requests and answers as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, get_args

from cattrs import BaseValidationError
from cattrs.preconf.json import make_converter

from grader.contract.messages import Answer, Request

REQUESTS, ANSWERS = ({kind.__name__: kind for kind in get_args(kinds)} for kinds in (Request, Answer))
TAG = "_type"
# Makes the code for a kind of record when the first of it comes: for all kinds that takes a tenth of a second.
_converter = make_converter()


def encode_request(request: Request) -> str:
    """JSON, with the record's name as its tag."""
    return _encode(request)


def decode_request(text: str) -> Request:
    """The inverse of `encode_request`."""
    request: Request = _decode(text, REQUESTS)
    return request


def encode_answer(answer: Answer) -> str:
    """JSON, with the record's name as its tag."""
    return _encode(answer)


def decode_answer(text: str) -> Answer:
    """The inverse of `encode_answer`. Raises ValueError for anything else, which student code may have written."""
    answer: Answer = _decode(text, ANSWERS)
    return answer


def _encode(record: Request | Answer) -> str:
    return json.dumps({**_converter.unstructure(record), TAG: type(record).__name__})


def _decode(text: str, kinds: Mapping[str, type]) -> Any:
    try:
        values = json.loads(text)
        return _converter.structure(values, kinds[values.pop(TAG)])
    except (BaseValidationError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"no {' or '.join(kinds)}: {text[:80]}") from error
