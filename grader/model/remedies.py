"""What would make a kernel right, as a trial has shown."""

from dataclasses import dataclass

from grader.model.fields import Line


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change of one line with which a launch was right."""

    line: Line
    """The line."""
    was: str
    """What is there."""
    instead: str
    """What was right there."""
