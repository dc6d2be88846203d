"""What a worker may find, remark, and find when it compiles."""

from grader.model.diagnostics import CompileFinding
from grader.model.findings import Misaligned, OutOfBounds, OutOfTime, Stop
from grader.model.launches import Refusal
from grader.model.watched import DriverFailed, NotWatched, Tolerated, Watched
from grader.ptxsim.records.traced import NotSearched, Odd, OutsideVariable, Traced, UnsetRead, UnsetVariable

__all__ = ["REPLAYED", "CompileFinding", "Finding", "Remark"]

Remark = Odd | NotSearched | Tolerated | NotWatched
Finding = Stop | Refusal | Traced | DriverFailed | Watched | NotWatched
REPLAYED = (OutOfBounds, OutsideVariable, Misaligned, OutOfTime, UnsetRead, UnsetVariable)
"""What a thread can be seen to do when its launch runs again."""
