"""A profile beside the grader's counters and the limits of the advice, as sentences and rows. Pure."""

from __future__ import annotations

from grader.model import Profile, ProfiledCount, Report

HEADING = "Beside Nsight Compute"
COLUMNS = ("counter", "Nsight Compute", "grader", "difference")
NONE = "-"


def conclusion(report: Report, profile: Profile) -> str:
    """Return what limits the launch by Nsight Compute and by the grader; without a profile, why there is none."""
    if profile.problem or profile.microseconds is None:
        return profile.problem
    timed = report.speeds.get(profile.shape)
    sentences = [
        f"One launch at {profile.shape} takes {profile.microseconds:,.1f} us by {profile.tool}"
        + (f", and {timed.seconds.median * 1e6:,.1f} us by the grader's timing." if timed else ".")
    ]
    if profile.compute is not None and profile.memory is not None:
        sentences.append(f"Speed of light: compute {profile.compute:.0f} %, memory {profile.memory:.0f} % of the peak.")
    if profile.uses:
        busiest = profile.uses[0]
        sentences.append(f"Busiest: {busiest.resource}, {busiest.percent:.0f} %{_beside(report, profile)}.")
    return " ".join(sentences)


def rows(profile: Profile) -> tuple[tuple[str, ...], ...]:
    """Return the cells of each counter, in the order of COLUMNS."""
    return tuple((count.name, f"{count.profiled:,.0f}", *_compared(count)) for count in profile.counts)


def uses(profile: Profile) -> str:
    """Return how busy the resources are, as one sentence; empty if nothing was measured."""
    words = ", ".join(f"{use.resource} {use.percent:.0f} %" for use in profile.uses)
    return f"Of the peak rates: {words}." if words else ""


def _beside(report: Report, profile: Profile) -> str:
    advice = report.advice
    if advice is None or advice.is_estimate or advice.shape != profile.shape or not advice.bounds:
        return ""  # an estimate is for another GPU
    limiter = advice.bounds[0].resource
    return ", as by the grader" if limiter == profile.uses[0].resource else f"; by the grader {limiter}"


def _compared(count: ProfiledCount) -> tuple[str, str]:
    if count.counted is None:
        return NONE, NONE
    if not count.profiled:
        return f"{count.counted:,}", NONE if count.counted else "0.0 %"
    return f"{count.counted:,}", f"{100 * (count.counted / count.profiled - 1):+.1f} %"
