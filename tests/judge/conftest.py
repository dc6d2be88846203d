from __future__ import annotations

import pytest

from grader.judge import expected_ahead, known_products
from grader.judge.expectation import Expectation, expectation
from grader.model import Case, Interface


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[Case]:
    """The cases whose expectations are computed."""
    made: list[Case] = []

    def expectation_of(case: Case, interface: Interface, launch: int) -> Expectation:
        made.append(case)
        return expectation(case, interface, launch)

    for module in (expected_ahead, known_products):
        monkeypatch.setattr(module, "expectation", expectation_of)
    return made
