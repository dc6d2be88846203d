"""Who stores to a shared array that is read before it is set, in a student's words."""

from __future__ import annotations

from collections.abc import Sequence

from grader.explain.reruns import Rerun
from grader.explain.source_lines import named_in, values_of, words_of
from grader.explain.source_text import NO_LAUNCH, constants_in, is_launched_by_lab, launch_of, shared_array, text_of
from grader.model.scenes import Scene


def stores(scene: Scene, again: Rerun) -> str:
    """Return who stores to an array that is read too early."""
    if scene.kept_out:
        words = words_of(scene.kept_out, again.source).replace("The condition", "the condition", 1)
        return f"Thread {scene.writer} stores that element in other blocks, but here {words}"
    if not scene.stores or not scene.elements:
        return ""
    *others, last = map(str, scene.stores)
    lines = f"Lines {', '.join(others)} and {last} store" if others else f"Line {last} stores"
    stored, every, *threads = scene.elements
    sizes = [f"{name} is in line {line}" for name, line in sizes_of(again)]
    where = f" ({' and '.join(sizes)})" if sizes else ""
    return f"{lines} {stored} of its {every} elements{where}.{_by_threads(scene, stored, threads, again)}"


def _by_threads(scene: Scene, stored: int, threads: Sequence[int], again: Rerun) -> str:
    """Return how many threads store these elements, if each stores one or several store the same."""
    if is_launched_by_lab(again.source):
        return f" {NO_LAUNCH}"
    writing, every = threads or (0, 0)
    if writing == every == stored:
        line = launch_of(again.source)
        return (
            f" That is one in each thread of the block: it has {every}{f', by LAUNCH in line {line}' if line else ''}."
        )
    if (once_more := scene.stored_again) is None or writing <= stored:
        return ""
    named = named_in(once_more.variables, text_of(once_more.line, again.source).partition("=")[0])
    values = values_of(named, {each.name for each in named})
    return (
        f" There, {writing} threads store, some of them the same element: thread {scene.writer} does so in line "
        f"{once_more.line}{f' with {values}' if values else ''}."
    )


def sizes_of(again: Rerun) -> list[tuple[str, int]]:
    """Return the constants in the declaration of a shared array that is read too early."""
    memory = getattr(again.finding, "memory", None)
    return constants_in(shared_array(memory.name, again.source), again.source)[:2] if memory else []
