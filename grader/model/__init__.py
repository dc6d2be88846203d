"""The records that flow through the grader: frozen, and free of imports from any other folder.

The text below a field is its description in the published schemas.
"""

from grader.model.answers import Accuracy, Case, CaseResult, Element, Mismatch, Order, Region, WrongPart, decisive
from grader.model.backends import WITHOUT_GPU, Backend, Capabilities, Purpose
from grader.model.counters import AccessCount, Counters, LoopMix, Profile, ProfiledCount, ResourceUse
from grader.model.kernels import (
    Build,
    BuiltBefore,
    Demands,
    Interface,
    KernelBefore,
    KernelCall,
    Launch,
    PtxFacts,
    Resources,
)
from grader.model.labs import Criterion, Header, Limits, Rubric, Timing, Undefined
from grader.model.matrices import Argument, FurtherMatrix, Operand, Shape
from grader.model.reports import CriterionScore, Machine, Report, Score, Source, SourcePart, State
from grader.model.speeds import Advice, AdviceItem, Bound, Interval, Measurement, SharedBaselines, Telemetry
from grader.model.verdicts import AccessKind, Fault, ThreadAccess, Verdict

__all__ = [
    "WITHOUT_GPU",
    "AccessCount", "AccessKind", "Accuracy", "Advice", "AdviceItem", "Argument", "Backend", "Bound", "Build",
    "BuiltBefore", "Capabilities", "Case", "CaseResult", "Counters", "Criterion", "CriterionScore", "Demands",
    "Element", "Fault", "FurtherMatrix", "Header", "Interface", "Interval", "KernelBefore", "KernelCall", "Launch",
    "Limits", "LoopMix", "Machine", "Measurement", "Mismatch", "Operand", "Order", "Profile",
    "ProfiledCount", "PtxFacts", "Purpose", "Region", "Report", "ResourceUse", "Resources", "Rubric", "Score", "Shape",
    "SharedBaselines", "Source", "SourcePart", "State", "Telemetry", "ThreadAccess", "Timing", "Undefined",
    "Verdict", "WrongPart", "decisive",
]  # fmt: skip
