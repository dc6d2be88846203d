"""Advice on speed as plain text."""

from __future__ import annotations

from grader.explain.own_lines import where
from grader.model import AdviceItem, Report

HEADING = "What limits the speed"


def title(item: AdviceItem, place: str) -> str:
    """Return the problem with the place of its line, the factor and the points."""
    at = f" ({place})" if item.line else ""
    return f"{item.name[:1].upper()}{item.name[1:]}{at}: {gain(item)}"


def gain(item: AdviceItem) -> str:
    """Return the estimated factor, and the points that it would earn."""
    factor = f"about {item.low:.2g} to {item.high:.2g} times as fast"
    if not item.points_high:
        return factor
    if item.points_low == item.points_high:
        return f"{factor}, {item.points_high:g} more points"
    return f"{factor}, {item.points_low:g} to {item.points_high:g} more points"


def paragraph(report: Report) -> str:
    """Return all advice; empty without any."""
    if report.advice is None:
        return ""
    titled = [(title(item, where(item.line, report.source)), item) for item in report.advice.items]
    items = (f"{heading}. {item.evidence} Try: {item.change}" for heading, item in titled)
    return "\n".join((f"{HEADING}: {report.advice.conclusion}", *items))
