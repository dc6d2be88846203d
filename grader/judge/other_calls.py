"""Find the call for which a kernel computes the product, if the lab's is another: by trying, on the simulator."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain

from grader.contract.inputs import CHECKED, RUNS
from grader.contract.layout import check_values
from grader.errors import InfrastructureError, SubmissionError
from grader.explain.other_call import with_call, with_types
from grader.explain.parameters import in_lab, in_labs, name_of
from grader.explain.source_text import SourceText
from grader.judge.compiling import Artifact, check_signature, compile_source
from grader.judge.conditions import Conditions
from grader.judge.kernel_setup import KernelSetup
from grader.judge.one_case import run_case
from grader.judge.own_launch import with_own_launch
from grader.judge.submission import without_magic
from grader.model import Build, Case, CaseResult, Fault, Interface, KernelCall, Launch, Rubric, Shape, Verdict
from grader.model.expressions import NoValueError
from grader.model.kernels import values
from grader.model.scenes import Story
from grader.rubric import labs
from grader.rubric.host_code import text_of
from grader.rubric.load import load
from grader.rubric.other_calls import Symptoms, other_calls, other_elements
from grader.sandbox.client import Worker
from grader.sandbox.starting import worker

SECONDS = 3.0  # of the worker's CPU time, for all calls
MOST_FLOPS = Shape(130, 130, 130).flops  # of a size that is tried
MOST_PROVED = 2 * 1100**3  # FLOP of a larger size, at which a call is proved
MOST_SIZES = 2
WHOLE_TILES = Shape(32, 64, 96)  # for a kernel with other parameters, which may have no conditions
OF_LAUNCH = {Verdict.OUT_OF_BOUNDS, Verdict.UNSET_MEMORY, Verdict.LAUNCH_FAILED, Verdict.CRASHED}
MAY_BE_CALLED_OTHERWISE = {*OF_LAUNCH, Verdict.WRONG_ANSWER}


@dataclass(frozen=True, slots=True)
class Trying:
    """A submission of a lab whose calls are tried, and where."""

    conditions: Conditions
    content: bytes
    name: str

    @property
    def rubric(self) -> Rubric:
        return self.conditions.rubric

    @property
    def simulated(self) -> Conditions:
        """The conditions on the backend on which calls are tried."""
        return self.conditions.on(self.conditions.backend.tracer or self.conditions.backend)

    @property
    def source(self) -> bytes:
        """The file as it is compiled, without the magic of a notebook."""
        return without_magic(self.content)

    @property
    def text(self) -> str:
        """The text that tells of other calls; nothing if it is too long."""
        return text_of(self.source.decode("utf-8", "replace"), self.rubric.headers)

    @property
    def visible_sizes(self) -> tuple[Shape, ...]:
        every = (*self.rubric.sizes, *self.rubric.quick_sizes)
        return tuple(shape for shape in every if shape not in self.rubric.hidden_sizes)

    def build(self) -> Artifact:
        """Compile the kernel, whatever its parameters are. Raises as `compile_source` does."""
        artifact = compile_source(self.simulated, self.source, self.name)
        return with_own_launch(artifact, self.source, self.rubric)


def refused(trying: Trying, fault: Fault) -> Fault:
    """Return the fault of a kernel with other parameters than the lab's, and the call that fits if there is one."""
    if fault.verdict is not Verdict.WRONG_SIGNATURE:
        return fault
    try:
        artifact = trying.build()
        call = correct_call(trying, artifact, *of_parameters(trying.visible_sizes))
    except (SubmissionError, InfrastructureError):
        call = None
    if call and (names := _labs_with(call.interface)):
        return in_labs(fault, names, trying.rubric.title)
    return in_lab(_with_call(trying, artifact.build, fault, call) if call else fault, trying.rubric.title)


def _labs_with(interface: Interface) -> list[str]:
    """Return the labs that come with the grader and call their kernel in this way, whatever its name is."""
    every = {name: load(labs.rubric(name)).interface for name in labs.names()}
    return [name for name, other in every.items() if _unnamed(other) == _unnamed(interface)]


def _unnamed(interface: Interface) -> Interface:
    return replace(interface, name="", parameters=tuple(values(interface.parameters)), accuracy=1.0)


def of_parameters(sizes: Iterable[Shape]) -> tuple[tuple[Shape, ...], Symptoms]:
    """Return where to try a kernel with other parameters, and what may differ."""
    small = _small(sizes)
    is_oblong = any(len({shape.M, shape.N, shape.K}) > 1 for shape in small)
    return (WHOLE_TILES,) if is_oblong else small, Symptoms(of_order=True)


def failed(
    trying: Trying, compiled: Artifact, results: Sequence[CaseResult], judged: Sequence[CaseResult]
) -> tuple[CaseResult, ...]:
    """Return the results of a kernel that is wrong at every visible size, with the call for which it is correct.

    If there is none, the types of elements that the file declares otherwise may be the cause. Where arguments or types
    are others than the lab's, what a launch with these did tells nothing: the faults are then as they were `judged`.
    """
    artifact = compiled if trying.simulated.backend is trying.conditions.backend else compiled.traced
    visible = [each for each in results if each.case.shape in trying.visible_sizes]
    shapes, seen = of_results(visible)
    is_wrong = all(each.verdict is not Verdict.OK for each in visible if each.case.shape in shapes)
    if not (artifact and shapes and is_wrong):
        return tuple(results)
    call = None
    with suppress(InfrastructureError):
        call = correct_call(trying, artifact, shapes, seen)
    elements = other_elements(trying.text, name_of(compiled.build), trying.rubric.interface)

    def explained(fault: Fault) -> Fault:
        if call:
            return _with_call(trying, compiled.build, fault, call)
        return with_types(fault, elements) if elements else fault

    ours, theirs = trying.rubric.interface, call and call.interface
    has_others = (theirs.parameters, theirs.types) != (ours.parameters, ours.types) if theirs else bool(elements)
    return tuple(
        replace(each, fault=explained((before if has_others else each).fault or each.fault))
        if each.fault and each in visible and each.verdict in MAY_BE_CALLED_OTHERWISE
        else each
        for each, before in zip(results, judged, strict=True)
    )


def _with_call(trying: Trying, build: Build, fault: Fault, call: KernelCall) -> Fault:
    """Return the fault with the call, in the words of the file: its kernel, and its LAUNCH line if it has one."""
    lab = KernelCall(trying.rubric.interface, build.launch or trying.rubric.launch)
    line = SourceText.of(trying.source).launch if build.launch else 0
    ours, other = (replace(each, interface=replace(each.interface, name=name_of(build))) for each in (lab, call))
    return with_call(fault, ours, other, line)


def of_results(results: Sequence[CaseResult]) -> tuple[tuple[Shape, ...], Symptoms]:
    """Return where to try a kernel that failed, and what may differ."""
    wrong = [each for each in results if each.verdict in MAY_BE_CALLED_OTHERWISE]
    untouched = any(each.mismatch and each.mismatch.region.never_written for each in wrong)
    changed = any(each.mismatch is None and each.verdict is Verdict.WRONG_ANSWER for each in wrong)
    of_launch = untouched or any(each.verdict in OF_LAUNCH for each in wrong)
    stored = [_stored_tile(story, each.case.shape) for each in wrong if (story := each.fault and each.fault.story)]
    return _small(result.case.shape for result in wrong), Symptoms(
        of_launch, changed, tiles=tuple(filter(None, stored))
    )


def _stored_tile(story: Story, shape: Shape) -> tuple[int, int] | None:
    """Return the columns and rows that a block stores, with the side of its tile where C ends; None if not known."""
    if not story.reach:
        return None
    (top, bottom, left, right), (first, last, start, end) = story.reach, story.tile
    columns = end - start if right + 1 == shape.N else right - left
    return columns + 1, (last - first if bottom + 1 == shape.M else bottom - top) + 1


def correct_call(trying: Trying, artifact: Artifact, shapes: Sequence[Shape], seen: Symptoms) -> KernelCall | None:
    """Return the first other call with which the kernel is correct at these sizes. Raises InfrastructureError."""
    declared = artifact.build.launch
    lab = KernelCall(trying.rubric.interface, declared or trying.rubric.launch)
    tried = other_calls(trying.text, lab, shapes, seen, is_declared=declared is not None)
    possible = (call for call in tried if _fits(artifact, call, shapes))
    larger = trying.visible_sizes if seen.of_launch else ()
    return _first_correct(trying, artifact, possible, shapes, larger) if shapes else None


def _first_correct(
    trying: Trying, artifact: Artifact, possible: Iterator[KernelCall], shapes: Sequence[Shape], larger: Sequence[Shape]
) -> KernelCall | None:
    """Try calls until one is correct, or the worker is lost or has used its time."""
    limits = replace(trying.rubric.limits, case_seconds=min(SECONDS, trying.rubric.limits.case_seconds))
    conditions = trying.simulated.within(limits)
    small = [Case(shape, run, 1) for shape in shapes for run in (*RUNS, CHECKED)]
    if not (first := next(possible, None)):
        return None
    with worker(conditions.backend, trying.rubric.limits, conditions.start) as current:
        artifact.put_into(current)
        for call in chain([first], possible):
            cases = [*small, *_beyond_blocks(larger, call.launch)]
            called = replace(conditions, rubric=replace(conditions.rubric, interface=call.interface))
            is_right = _is_right(KernelSetup(artifact, call.launch, called), current, cases)
            if is_right:
                return call
            if is_right is None or current.running.processor_seconds() > SECONDS:
                return None
    return None


def _beyond_blocks(sizes: Iterable[Shape], launch: Launch) -> list[Case]:
    """Return a run of the smallest size longer than a block: another launch may have the blocks for others only."""
    longest = max(*launch.block, *launch.tile)
    larger = {each for each in sizes if max(each.M, each.N) > longest and MOST_FLOPS < each.flops <= MOST_PROVED}
    return [Case(each, RUNS[0], 1) for each in sorted(larger, key=lambda shape: shape.flops)[:1]]


def _is_right(setup: KernelSetup, current: Worker, cases: Iterable[Case]) -> bool | None:
    """Return whether all cases are correct, and nothing in them is odd; None if the worker can run no more."""
    for case in cases:
        ran = run_case(current, setup, case, (), None)
        if ran.spent:
            return None
        result = ran.judge().result
        if result.verdict is not Verdict.OK or result.remark:  # such as two threads that compute the same element
            return False
    return True


def _fits(artifact: Artifact, call: KernelCall, shapes: Sequence[Shape]) -> bool:
    try:
        check_signature(artifact.build, call.interface)
        check_values(call.interface, call.launch, shapes)
    except (SubmissionError, NoValueError):
        return False
    return True


def _small(shapes: Iterable[Shape]) -> tuple[Shape, ...]:
    """Return the sizes to try: one whose lengths differ most, and the smallest others."""
    small = (shape for shape in shapes if shape.flops <= MOST_FLOPS)
    every = sorted(set(small), key=lambda shape: shape.flops)
    first = sorted(every, key=lambda shape: -len({shape.M, shape.N, shape.K}))[:1]
    return tuple(dict.fromkeys([*first, *every]))[:MOST_SIZES]
