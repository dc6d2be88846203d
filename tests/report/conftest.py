"""Pages of these tests show few different figures: equal ones are drawn once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from grader.report.html import error_map, figures
from grader.rubric.criteria import Quantity


@pytest.fixture(scope="session", autouse=True)
def figures_drawn_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figures, "_figure", _remembered(figures._figure, _shown))
        patch.setattr(error_map, "draw", _remembered(error_map.draw, lambda *asked: repr(asked)))
        yield


def _remembered(draw: Callable[..., Any], key: Callable[..., str]) -> Callable[..., Any]:
    drawn: dict[str, Any] = {}

    def draw_once(*asked: Any) -> Any:
        if (known := key(*asked)) not in drawn:
            drawn[known] = draw(*asked)
        return drawn[known]

    return draw_once


def _shown(report: Any, kind: str, _: Quantity) -> str:
    """What a figure is drawn from."""
    rubric = report.rubric
    return repr((kind, report.measurements, report.baselines, rubric.criteria, rubric.interface, report.machine))
