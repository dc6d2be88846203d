"""What the terminal shows of a kernel's speed: the advice, and the profile of a launch. Pure."""

from __future__ import annotations

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grader.model import Advice, Profile, Report, Source
from grader.text import advice_text, profile_text
from grader.text.clean import clean, one_line


def advice_part(advice: Advice, source: Source) -> Text:
    """Return what limits the kernel and what to change."""
    text = Text(f"{advice_text.HEADING}\n", style="bold")
    text.append(advice.conclusion, style="not bold")
    for number, item in enumerate(advice.items, 1):
        text.append(f"\n{number}. {advice_text.title(item, one_line(source.name, 80))}")
        text.append(f"\n   {item.evidence}", style="not bold")
        text.append(f"\n   Try: {item.change}", style="not bold cyan")
    return text


def profile_part(report: Report, profile: Profile) -> RenderableType:
    """Return the counters of Nsight Compute beside the grader's, or why nothing was measured."""
    heading = Text(f"{profile_text.HEADING}\n", style="bold")
    if profile.problem:
        return heading.append(clean(profile.problem), style="not bold yellow")
    heading.append(f"{profile_text.conclusion(report, profile)}\n{profile_text.uses(profile)}", style="not bold")
    return Group(heading, _table(profile))


def _table(profile: Profile) -> Table:
    shown = Table(box=box.SIMPLE_HEAD, header_style="bold", show_edge=False, pad_edge=False)
    for name in profile_text.COLUMNS:
        shown.add_column(name, justify="left" if name == profile_text.COLUMNS[0] else "right", no_wrap=True)
    for row in profile_text.rows(profile):
        shown.add_row(*row)
    return shown
