"""Advice on speed as plain text."""

from __future__ import annotations

from grader.model import AdviceItem, Report

HEADING = "What limits the speed"


def title(item: AdviceItem, source: str = "") -> str:
    """Return the problem with its line, the factor and the points."""
    place = f" ({source + ':' if source else 'line '}{item.line})" if item.line else ""
    return f"{item.name[:1].upper()}{item.name[1:]}{place}: {gain(item)}"


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
    items = (f"{title(item)}. {item.evidence} Try: {item.change}" for item in report.advice.items)
    return "\n".join((f"{HEADING}: {report.advice.conclusion}", *items))
