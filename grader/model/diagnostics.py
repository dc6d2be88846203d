"""Why a file has no kernel that can be launched, as facts of a compiler's output. `explain/` puts them into words."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from grader.model.fields import Count, Keyword
from grader.ptxsim.records.fields import Line

Quoted = Annotated[str, Keyword("pattern", r"(?s).{0,4096}\Z")]
"""What a compiler or the file says, quoted as data."""
Log = Annotated[str, Keyword("pattern", r"(?s).{0,16384}\Z")]
"""The beginning of a compiler's output."""


@dataclass(frozen=True, slots=True)
class CompilerStopped:
    """A limit stopped the compiler."""

    limit: Literal["time", "memory", "output", "disk"]
    log: Log = ""


class ErrorKind(StrEnum):
    """Mistakes that a compiler's message is recognised as."""

    INSIDE_FUNCTION = "LAUNCH stands inside a function"
    UNCLOSED = "a brace is not closed"
    HOST_FUNCTION = "a kernel calls a function of the host"
    NOT_CONSTANT = "a size is not a constant"
    UNDEFINED = "a name is not declared"
    OF_VECTORS = "an operator has a vector"


@dataclass(frozen=True, slots=True)
class CompilerError:
    """The first error that the compiler printed, in its words; `text` is empty where it printed none."""

    text: Quoted
    line: Line
    log: Log
    is_only: bool = False
    """Whether it is the only one."""
    unfinished: Line = 0
    """The line that lacks a semicolon; 0 for other errors."""
    missing: Quoted = ""
    """The header that is not found; empty for other errors."""
    kind: ErrorKind | None = None
    symbol: Quoted = ""
    """The function or name that it is about."""
    similar: Quoted = ""
    """The name that an undefined one may mean."""
    opened: Line = 0
    """The line of a { that is not closed."""


class LaunchFlaw(StrEnum):
    """The mistakes in a LAUNCH line."""

    MACRO_OF_FIELD = "a macro replaces a field"
    MACRO_OF_VALUE = "a macro replaces a value of grid_x"
    NO_FIELD = "no such field"
    TWICE = "LAUNCH is used twice"
    AMBIGUOUS = "a value of grid_x is declared twice"
    SAME_FIELD = "a field is given twice"
    TOO_MANY = "too many numbers"
    DIM3 = "a dim3"
    NEGATIVE = "a negative number"
    ZERO = "a 0 before another number"
    FRACTION = "no integer"
    TOO_LARGE = "more than 32 bits"
    NO_ORIENTATION = "neither ROWS nor COLUMNS"
    NOT_CONSTANT = "a number that is not a constant"


@dataclass(frozen=True, slots=True)
class LaunchMistake:
    """A mistake in a LAUNCH line: the macro, field or value in question, and the field that it may mean."""

    mistake: LaunchFlaw
    line: Line
    name: Quoted = ""
    near: Quoted = ""
    before: Line = 0
    """The line of the first LAUNCH."""


@dataclass(frozen=True, slots=True)
class RefusedInclude:
    """A file that no kernel may include."""

    path: Quoted
    line: Line


@dataclass(frozen=True, slots=True)
class TooMuchShared:
    """Arrays that are larger than the `most` bytes of static shared memory that a block may have."""

    used: Count
    most: Count
    log: Log


@dataclass(frozen=True, slots=True)
class LineDirective:
    """A directive that changes the lines' numbers."""

    line: Line


@dataclass(frozen=True, slots=True)
class TooLarge:
    """A compiled file that is larger than so many MiB, or PTX that is, in which no kernel is found."""

    of: Literal["file", "ptx"]
    mib: Count


@dataclass(frozen=True, slots=True)
class NoLaunch:
    """A variable with the name that LAUNCH defines, but another content."""


class KernelLack(StrEnum):
    """Why a file has no kernel that can be launched."""

    KERNEL = ""
    """It has none at all."""
    VISIBLE = "visible"
    """It is in an anonymous namespace."""
    INSTANCE = "instance"
    """The template cannot have the lab's arguments."""
    ARGUMENTS = "arguments"
    """It is a template that nothing in the file instantiates, in a lab that names no template arguments."""


@dataclass(frozen=True, slots=True)
class NoKernel:
    """No kernel with this name, which is the lab's or that of one which cannot be launched."""

    name: Quoted
    cause: KernelLack = KernelLack.KERNEL


@dataclass(frozen=True, slots=True)
class SeveralKernels:
    """Several kernels, none or more than one of them with the lab's name; one may be close to it."""

    names: tuple[Quoted, ...]
    wanted: Quoted
    near: Quoted


@dataclass(frozen=True, slots=True)
class MissingLibraries:
    """Headers of libraries that the machine lacks, and the compiler's error."""

    libraries: tuple[Quoted, ...]
    text: Quoted


@dataclass(frozen=True, slots=True)
class RefusedByNvrtc:
    """An error of NVRTC, which refuses what nvcc may accept."""

    compiler: Quoted
    text: Quoted
    line: Line
    log: Log


OfFile = LaunchMistake | LineDirective | NoLaunch | NoKernel | SeveralKernels
OfCompiler = CompilerStopped | CompilerError | RefusedInclude | TooMuchShared | TooLarge | RefusedByNvrtc
CompileFinding = OfFile | OfCompiler | MissingLibraries
