"""A value that is read once more, because nobody has stored another over it: in a student's words."""

from __future__ import annotations

from grader.explain.source_lines import words_of
from grader.explain.source_text import SourceText
from grader.model.scenes import Condition, Story


def read_again(story: Story, source: SourceText) -> str:
    """Return which store gave a wrong term a factor of an earlier one."""
    again = f"line {story.terms[-1].line} reads once more what line {story.stale} {put(story)} before"
    return f"{again}, and nothing was {put(story)} over it{not_since(story, source)}."


def put(story: Story) -> str:
    """Return what gave the last term a factor: a store to shared memory, or the load of a lane before a shuffle."""
    return "loaded" if any(each.read and not each.stored for each in story.terms[-1].factors) else "stored"


def not_since(story: Story, source: SourceText) -> str:
    """Return why nobody has stored over what is read again; of a function with several calls, that is not known."""
    kept = _kept_from(story)
    if kept is None or story.scene is None or len(source.callers_of(source.function_at(kept.line)[0])) > 1:
        return ""
    by = f" by thread {story.scene.thread}, which did not come to line {story.stale} again"
    return f"{by}. {words_of(kept, source)}".removesuffix(".")


def line_of_stale(story: Story) -> int:
    """Return the line of what kept a thread from storing again, or else that of its store; 0 if nothing is stale."""
    kept = _kept_from(story)
    return kept.line if kept else story.stale


def _kept_from(story: Story) -> Condition | None:
    """Return the condition that kept a thread from storing once more what is read again."""
    every = story.scene.conditions if story.scene and story.stale else ()
    return every[-1] if every else None
