"""Writes formulas in LLVM IR."""

from __future__ import annotations

from grader.ptxsim.generate.emitter import Emitter
from grader.ptxsim.generate.integers import intrinsic
from grader.ptxsim.generate.values import LaneType


class Writer:
    """Writes operations on values of one type, so that each step of a formula is one short call."""

    def __init__(self, emitter: Emitter, kind: LaneType) -> None:
        self.emitter = emitter
        self.kind = kind

    def op(self, text: str, *names: str | int) -> str:
        """Return the result of an operation on values and numbers."""
        listing = ", ".join(self.kind.number(name) if isinstance(name, int) else name for name in names)
        return self.emitter.pure(f"{text} {self.kind} {listing}")

    def choose(self, truth: str, yes: str | int, no: str | int) -> str:
        """Return `yes` where `truth` holds and `no` where it does not."""
        if_true, if_false = (self.kind.number(name) if isinstance(name, int) else name for name in (yes, no))
        return self.emitter.pure(f"select {self.kind.of('i1')} {truth}, {self.kind} {if_true}, {self.kind} {if_false}")

    def call(self, name: str, *names: str | int) -> str:
        """Return the result of an intrinsic."""
        values = [self.kind.number(item) if isinstance(item, int) else item for item in names]
        return intrinsic(name)(self.emitter, self.kind, values)
