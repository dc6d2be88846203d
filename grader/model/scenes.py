"""What a launch did that went wrong: the variables of a thread, the conditions that it passed, the terms of a sum."""

from dataclasses import dataclass
from typing import Annotated, Literal

from grader.model.fields import ADDED_LATER, Count, Keyword, Line
from grader.ptxsim.records.fields import check_length, check_number

_NUMBER = r"-?(?:[0-9]{1,20}(?:\.[0-9]{1,20})?(?:e[-+][0-9]{1,3})?|inf|nan)"
_WORD = r"[-+\w.&\[\]]{1,60}"

Number = Annotated[str, Keyword("pattern", f"^{_NUMBER}$")]
VariableName = Annotated[str, Keyword("pattern", r"^[A-Za-z_][\w.\[\]]{0,60}$")]
"""As the source spells it; with dots, the member of a struct, and with brackets, the element of an array."""
Value = Annotated[str, Keyword("pattern", rf"^(?:not set|{_WORD}|\{{{_WORD}(?:, {_WORD}){{0,8}}(?:, …)?\}})$")]
"""A number, true or false, the elements of an array, or where in a matrix a pointer points: &A[33]."""

MOST_VARIABLES, MOST_CONDITIONS, MOST_TERMS, MOST_CALLS = 24, 12, 6, 3


@dataclass(frozen=True, slots=True)
class NamedValue:
    """A variable of the submission and its value."""

    name: VariableName
    """Its name."""
    value: Value
    """Its value, in words of C."""
    line: Line = 0
    """The line that declares it; 0 for a parameter."""
    limit: Annotated[Count, ADDED_LATER] = 0
    """The largest number of its type, if that has 8 or 16 bits; 0 for other types."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that a thread came to, the last time."""

    line: Line
    """Its line."""
    held: bool
    """Whether it was true."""
    variables: tuple[NamedValue, ...]
    """The variables in scope there."""
    governs: Annotated[bool, ADDED_LATER] = False
    """Whether it decides that the thread comes to the line of the scene."""

    def __post_init__(self) -> None:
        check_number(self.variables, MOST_VARIABLES)


@dataclass(frozen=True, slots=True)
class Scene:
    """Where a thread was, the variables in scope, and the last conditions that it came to, in their order."""

    thread: tuple[Count, Count, Count]
    """Its number in the block."""
    block: tuple[Count, Count, Count]
    """The number of its block."""
    line: Line
    """The line."""
    variables: tuple[NamedValue, ...]
    """The variables."""
    conditions: tuple[Condition, ...]
    """The conditions."""
    called: tuple[Line, ...] = ()
    """The lines of the calls in which the thread was, the innermost first."""
    stores: tuple[Line, ...] = ()
    """The lines that store to the array that is read before it is set, or that set a part of that variable."""
    elements: tuple[Count, ...] = ()
    """How many of its elements they store, how many it has, how many threads of how many of the block store them, the
    first and the last such element, of a variable the first two only; empty where that is not known."""
    writer: tuple[Count, ...] = ()
    """The thread that stores the element in other blocks, or the same as the block's first; empty where none does."""
    kept_out: Condition | None = None
    """The condition that keeps it out in this one."""
    steady: Annotated[tuple[VariableName, ...], ADDED_LATER] = ()
    """The variables that had the same value the time before at the condition of a loop that does not end."""

    def __post_init__(self) -> None:
        check_number(self.variables, MOST_VARIABLES)
        check_number(self.steady, MOST_VARIABLES)
        for each in (self.conditions, self.stores):
            check_number(each, MOST_CONDITIONS)
        check_number(self.called, MOST_CALLS)
        check_length(self.elements, 2, 6)
        check_length(self.writer, 3)


@dataclass(frozen=True, slots=True)
class Factor:
    """A factor of a term: an element of a matrix, loaded in a line, maybe by way of shared memory."""

    matrix: Literal["A", "B"]
    """The matrix."""
    row: Count
    """The row of the element."""
    column: Count
    """Its column."""
    line: Line
    """The line that loads it."""
    stored: Line = 0
    """The line that stores it to shared memory; 0 where none does."""
    read: Line = 0
    """The line that reads it from there."""


@dataclass(frozen=True, slots=True)
class Term:
    """A term as it was added, and the k whose term belongs there; null where none does."""

    number: Count
    """Its place in the sum, from 0."""
    factors: tuple[Factor, ...]
    """Its factors; fewer than two where others are not known."""
    line: Line
    """The line that adds it."""
    k: Count | None
    """The k."""
    is_alone: Annotated[bool, ADDED_LATER] = False
    """Whether its factor is added without any other."""

    def __post_init__(self) -> None:
        check_number(self.factors, 2)


@dataclass(frozen=True, slots=True)
class Narrowing:
    """A value that changed when it was converted to a shorter type."""

    line: Line
    """The line that converts it."""
    kind: Annotated[str, Keyword("pattern", r"^(?:u?int(?:8|16|32|64)|float(?:16|32)|)$")]
    """The type; empty for another change, in reports of older versions."""
    before: Number
    """The value before."""
    after: Number
    """The value after."""


@dataclass(frozen=True, slots=True)
class Story:
    """How an element of C came about: the terms of its sum up to the first wrong one."""

    row: Count
    """The row of the element."""
    column: Count
    """Its column."""
    stored: Line
    """The line of the store to C; 0 where nothing was stored."""
    total: Count = 0
    """How many terms the sum should have."""
    count: Count = 0
    """How many were added."""
    terms: tuple[Term, ...] = ()
    """Some terms, the first wrong one last."""
    is_wrong: bool = False
    """Whether the last of these terms is wrong."""
    is_swapped: Annotated[bool, ADDED_LATER] = False
    """Whether row and column of a factor are swapped in this term, and in all other wrong ones outside of tiles."""
    is_loaded: bool = False
    """Whether the elements that belong in the last term are loaded by some thread."""
    taken: Annotated[Line, ADDED_LATER] = 0
    """The line in which the thread of the last term has read the factor that belongs there; 0 where it has not."""
    joined: Line = 0
    """The line that adds the wrong term to all right ones; 0 where some of these are missing."""
    sum_of: tuple[Count, ...] = ()
    """Row and column of another element, if this is its sum; empty if it is of none."""
    overlap: tuple[Count, ...] = ()
    """Row and column of another element, and how many threads store it; empty where none is known."""
    missing: tuple[Count, ...] = ()
    """The first and the last k of which no term was added, and how many such there are; empty where none is missing."""
    zeros: Count = 0
    """How many products with a zero were added instead of the first missing terms."""
    twice: tuple[Count, ...] = ()
    """The same of terms that were added more than once."""
    start: Line = 0
    """The line in which the sum was set to its first value; 0 where that is not known."""
    is_reset: bool = False
    """Whether the missing terms were added before that."""
    is_carried: bool = False
    """Whether the wrong term that is added to all right ones comes before all of them."""
    stale: Line = 0
    """The line that stored to shared memory what the repeated terms read there once more; 0 for none."""
    lost: Annotated[tuple[Count, ...], ADDED_LATER] = ()
    """The thread that multiplies the factors of the first missing term; empty where none does."""
    multiplied: Line = 0
    """The line in which the thread of the store multiplies the factors of the first missing term; 0 for none."""
    cancelled: Annotated[Line, ADDED_LATER] = 0
    """The line that subtracts a value from itself on the way to the sum; 0 where none does."""
    narrowing: Narrowing | None = None
    """A conversion of a part of the sum to a type that is too short; null where none is known."""
    reach: Annotated[tuple[Count, ...], ADDED_LATER] = ()
    """The first and the last row and column to which the block of the element stores; empty where it stores nothing."""
    tile: Annotated[tuple[Count, ...], ADDED_LATER] = ()
    """The first and the last row and column of the tile of this block."""
    instead: Annotated[tuple[Count, ...], ADDED_LATER] = ()
    """Row and column of an element outside of the tile to which the block stores; empty where there is none."""
    besides: Annotated[str, Keyword("pattern", f"^(?:{_NUMBER})?$")] = ""
    """What was added besides products; nan for what nobody has set."""
    scene: Scene | None = None
    """The thread at the load of the first wrong factor or else at the store; or where it turned away."""
    reader: Scene | None = None
    """The thread at its read of a wrong factor from shared memory; null where none is known."""
    names: tuple[VariableName, VariableName, VariableName] = ("A", "B", "C")
    """What the kernel calls A, B and C."""

    def __post_init__(self) -> None:
        if (self.is_wrong and not self.terms) or bool(self.reach) != bool(self.tile):
            raise ValueError("no wrong term, or no tile")
        check_number(self.terms, MOST_TERMS)
        for length, numbers in (
            (2, (self.sum_of, self.instead)),
            (3, (self.missing, self.twice, self.overlap, self.lost)),
            (4, (self.reach, self.tile)),
        ):
            for each in numbers:
                check_length(each, length)
