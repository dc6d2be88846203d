"""What would make a kernel right, as a trial has shown."""

from dataclasses import dataclass
from typing import Annotated

from grader.model.fields import Keyword, Line

Part = Annotated[str, Keyword("pattern", r"^(?:[<>]=?|[-+/01]|up|[a-z]{4,6}(?:Idx|Dim)\.[xyz])$")]
"""An operator, a number or a predefined variable; or `up`, of a division that rounds up."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change of one line with which a launch was right."""

    line: Line
    """The line."""
    was: Part
    """What is there."""
    instead: Part
    """What was right there."""
