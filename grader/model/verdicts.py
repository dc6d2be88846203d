"""Verdicts on a case, and the fault that explains one to the student."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from grader.model.fields import ADDED_LATER, Count, Positive
from grader.model.scenes import Scene, Story


class Verdict(StrEnum):
    """The outcome of one case, as a fixed word that reports and exports use."""

    OK = "ok"
    WRONG_ANSWER = "wrong-answer"
    OUT_OF_BOUNDS = "out-of-bounds"
    CRASHED = "crashed"
    DATA_RACE = "data-race"
    UNSET_MEMORY = "unset-memory"
    WARP_MASK = "warp-mask"
    BARRIER = "barrier"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT = "output"
    LAUNCH_FAILED = "launch-failed"
    COMPILE_ERROR = "compile-error"
    BAD_FILE = "bad-file"
    NO_KERNEL = "no-kernel"
    WRONG_SIGNATURE = "wrong-signature"
    IMPOSSIBLE_RATE = "impossible-rate"
    NOT_SUPPORTED = "not-supported"
    SKIPPED = "skipped"

    @property
    def words(self) -> str:
        """The verdict in plain text, such as "wrong answer"."""
        return _WORDS.get(self, self.replace("-", " "))

    @property
    def is_undecided(self) -> bool:
        """Neither correct nor incorrect: the machine could not run the case, or it was not tried."""
        return self in {Verdict.NOT_SUPPORTED, Verdict.SKIPPED}

    @property
    def is_students_fault(self) -> bool:
        """Costs points."""
        return self is not Verdict.OK and not self.is_undecided

    @property
    def is_undefined(self) -> bool:
        """The result depends on chance, so that a correct answer proves nothing."""
        return self in {Verdict.DATA_RACE, Verdict.UNSET_MEMORY, Verdict.WARP_MASK}

    @property
    def stopped_at_a_limit(self) -> bool:
        """The rubric's limit of time, memory or printed output ended the case."""
        return self in {Verdict.TIMEOUT, Verdict.MEMORY, Verdict.OUTPUT}

    @property
    def lost_the_worker(self) -> bool:
        """The worker did not survive a timed launch, so that later sizes cannot be timed in it."""
        return self in {Verdict.CRASHED, Verdict.TIMEOUT, Verdict.OUT_OF_BOUNDS}

    @property
    def severity(self) -> int:
        """Order by how bad a verdict is: correct, not supported, skipped, and last every fault of the student."""
        return {Verdict.OK: 0, Verdict.NOT_SUPPORTED: 1, Verdict.SKIPPED: 2}.get(self, 3)


_WORDS = {
    "ok": "correct",
    "unset-memory": "memory read before it is set",
    "warp-mask": "wrong warp mask",
    "barrier": "barrier not reached by all threads",
    "timeout": "time limit exceeded",
    "memory": "memory limit exceeded",
    "output": "printed too much",
    "bad-file": "not a source file",
    "no-kernel": "no kernel found",
    "wrong-signature": "wrong parameters",
    "impossible-rate": "faster than the device can be",
    "not-supported": "not supported on this machine",
}


def words_of(verdicts: Iterable[Verdict]) -> str:
    """Return every verdict other than ok in words, each once; "correct" if there is none."""
    wrong = dict.fromkeys(verdict.words for verdict in verdicts if verdict is not Verdict.OK)
    return ", ".join(wrong) or Verdict.OK.words


class AccessKind(StrEnum):
    """What a thread does in a line that takes part in a fault."""

    READS = "reads"
    WRITES = "writes"
    UPDATES = "updates"
    COPIES_TO = "copies to"
    COPIES_FROM = "copies from"
    ARRIVES = "arrives"
    WAITS = "waits"
    OTHER = "executes"


@dataclass(frozen=True, slots=True)
class ThreadAccess:
    """A thread that takes part in a fault, with what it does and where."""

    line: Positive | None
    """Its line of the submission; null where no line is known."""
    does: AccessKind
    """What it does there."""
    block: tuple[Count, Count, Count] | None = None
    """The block, as x, y and z; null where it may be any."""
    thread: tuple[Count, Count, Count] | None = None
    """The thread of the block, as x, y and z; null for several threads."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong, explained to the student: what happened, where, and what to try."""

    verdict: Verdict
    """Kind of the fault."""
    sentence: str
    """What happened, as one sentence."""
    hint: str = ""
    """What to try next; may be empty."""
    line: Positive | None = None
    """Line of the submission that caused it; null where no line is known."""
    detail: str = ""
    """The compiler's log, or the addresses involved; may be empty."""
    accesses: Annotated[tuple[ThreadAccess, ...], ADDED_LATER] = ()
    """The threads that take part: the two accesses of a data race, the one that goes wrong; may be empty."""
    memory: Annotated[str, ADDED_LATER] = ""
    """What the two accesses of a data race have in common, such as an element of a shared array; empty for others."""
    missing: Annotated[str, ADDED_LATER] = ""
    """What is missing between the two accesses of a data race; empty for others."""
    diagnosis: Annotated[str, ADDED_LATER] = ""
    """What was found, as a fixed word such as outside-shared; empty where it has none."""
    scene: Annotated[Scene | None, ADDED_LATER] = None
    """The variables of the thread that failed; null where they are not known."""
    story: Annotated[Story | None, ADDED_LATER] = None
    """How a wrong element of C came about; null where that is not known."""
    cause: Annotated[str, ADDED_LATER] = ""
    """The first message of the compiler, for a compile error; empty for others."""
