"""Run failed launches again from a debug build, to add details to their explanations.

The build is compiled, and its worker opens, while other cases run. It never changes a verdict. If anything fails, no
details are added.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.contract.files import file_name
from grader.contract.found import REPLAYED, Finding
from grader.contract.layout import launch_at
from grader.contract.messages import Replay, Replayed
from grader.errors import InfrastructureError, SubmissionError
from grader.explain.several_cases import CheckedCase
from grader.host import timeline
from grader.host.process import Running
from grader.judge.compiling import Artifact, compile_source
from grader.judge.other_calls import Trying
from grader.model import Backend, Build, Case, CaseResult, Launch, Limits, Purpose, Shape, Verdict, decisive
from grader.model.findings import OutOfTime, Thread
from grader.ptxsim.records.races import Races
from grader.sandbox.client import Worker, WorkerLostError
from grader.sandbox.starting import worker

DEBUG = "-G"
SOMEWHERE = OutOfTime(Thread((0, 0, 0), (0, 0, 0), 0), 1)  # a device does not say where a kernel was
COMPILE_SECONDS = 5.0  # of CPU time, at most: a plain kernel takes one
SECONDS = 15.0  # for one request; the worker limits itself to fewer on a quiet machine
MOST_REPLAYED = 3
LARGE_ENOUGH = 8  # rows, columns or terms; a trace of one term explains little


@dataclass
class DebugBuild:
    """A debug build of the submission, which is compiled in a thread, and a worker that runs its launches again."""

    trying: Trying
    thread: ThreadPoolExecutor
    keeper: ExitStack
    made: Future[tuple[Artifact, Worker] | None] | None = None
    compilers: list[Running] = field(default_factory=list)
    ended: bool = False

    def begin(self) -> None:
        """Begin to compile, unless the kernel works on what others have left, which no repeated launch has."""
        if self.made is None and self.trying.rubric.interface.is_alone:
            self.made = self.thread.submit(self._compiled)

    def replayed(
        self, chosen: Sequence[CaseResult], request: Callable[[CaseResult, Build], Replay]
    ) -> Iterator[tuple[CaseResult, Replayed]]:
        """Yield what the worker finds in the launches of these results."""
        if not chosen or self.made is None or (made := self.made.result()) is None:
            return
        artifact, current = made
        try:
            current.finish_opening()
            current.install(artifact.files())
            for result in chosen:
                answer = current.ask(request(result, artifact.build), SECONDS)
                if isinstance(answer, Replayed):
                    yield result, answer
        except (InfrastructureError, WorkerLostError):
            return
        finally:
            self.keeper.close()

    def _compiled(self) -> tuple[Artifact, Worker] | None:
        """Compile while a worker opens."""
        rubric, simulated = self.trying.rubric, self.trying.simulated
        limits = replace(rubric.limits, compile_seconds=min(rubric.limits.compile_seconds, COMPILE_SECONDS))
        with_debug = replace(rubric, flags=(*rubric.flags, DEBUG), limits=limits)
        debugging = replace(simulated, rubric=with_debug, start=self._started)
        try:
            current = self.keeper.enter_context(worker(simulated.backend, rubric.limits, simulated.start))
            current.begin_opening()
            return compile_source(debugging, self.trying.source, file_name(self.trying.name)), current
        except (SubmissionError, InfrastructureError):
            return None

    def _started(self, box: Path, backend: Backend, limits: Limits, purpose: Purpose) -> Running:
        compiler = self.trying.conditions.start(box, backend, limits, purpose)
        self.compilers.append(compiler)
        if self.ended:  # while it started
            compiler.kill()
        return compiler

    def end(self) -> None:
        """End the compilers."""
        self.ended = True
        for compiler in self.compilers:
            compiler.kill()


@dataclass
class FailedCases:
    """The findings of failed cases so far, and the debug build with which some of them run again."""

    trying: Trying
    launch: Launch
    build: DebugBuild
    findings: dict[Case, Finding] = field(default_factory=dict)
    failed: Shape | None = None  # the first size that failed

    @property
    def any(self) -> bool:
        """Whether a case has failed."""
        return self.failed is not None

    def note(self, checked: CheckedCase) -> None:
        """Record a case. The build begins with the size after the first failed one, because a grade may end before."""
        if checked.finding is not None:
            self.findings[checked.result.case] = checked.finding
        if self.any and checked.result.case.shape != self.failed:
            self.build.begin()
        if checked.result.verdict.is_students_fault and not self.any:
            self.failed = checked.result.case.shape

    def explained(self, results: Sequence[CaseResult]) -> tuple[CaseResult, ...]:
        """Return the results, with details from the repeated launches added to their faults."""
        hidden = [each for each in results if each.case.shape in self.trying.rubric.hidden_sizes]
        visible = [each for each in results if each not in hidden]
        chosen = [*self._chosen(visible), *self._chosen(hidden)]  # nothing of a hidden size is said of a visible one
        from grader.explain.located import located
        from grader.explain.reruns import Rerun, with_changes
        from grader.explain.scenes import detailed, with_wrong_index
        from grader.explain.source_text import SourceText

        source = SourceText.of(self.trying.source)
        faults = {each.case: each.fault for each in results if each.fault is not None}
        if chosen:
            self.build.begin()
        with timeline.span("replay"):
            for result, replayed in self.build.replayed(chosen, self._request):
                again = Rerun(source, result.case.shape, self.findings.get(result.case), self.trying.rubric.interface)
                faults[result.case] = detailed(faults[result.case], replayed, again)
                alike = hidden if result in hidden else visible
                # What was tried helps the first case with the same verdict, too, which is of another size.
                first = next(each.case for each in decisive(alike) if each.verdict is result.verdict)
                faults[first] = with_changes(faults[first], replayed.changes, source)
                for race in (each.case for each in alike if self._is_of_stores(each.case) and each.case in faults):
                    faults[race] = with_wrong_index(faults[race], replayed, again)
        is_alone = self.trying.rubric.interface.is_alone
        told = {
            case: located(fault, source, self.findings.get(case), is_alone=is_alone) for case, fault in faults.items()
        }
        return tuple(replace(each, fault=told.get(each.case)) for each in results)

    def _chosen(self, results: Sequence[CaseResult]) -> list[CaseResult]:
        """Return, for each verdict, the first result whose launch can be replayed."""
        from grader.explain.buffers import is_of_buffers
        from grader.explain.source_text import SourceText

        source = SourceText.of(self.trying.source)
        first: dict[Verdict, CaseResult] = {}
        is_undefined = any(  # it explains every wrong element
            result.verdict.is_undefined and not self._is_of_stores(result.case) for result in results
        )
        for result in decisive(results):
            found = self.findings.get(result.case)
            is_located = isinstance(found, REPLAYED) or (
                isinstance(found, Races) and is_of_buffers(found.races[0], source)
            )
            is_one_launch = result.case.launches == 1 and not result.case.shared_out
            has_story = result.mismatch is not None and is_one_launch and not is_undefined
            if is_located or has_story or result.verdict is Verdict.TIMEOUT:
                known = first.setdefault(result.verdict, result)
                if _is_small(known) and not (_is_small(result) or isinstance(found, Races)):
                    first[result.verdict] = result
        return list(first.values())[:MOST_REPLAYED]

    def _is_of_stores(self, case: Case) -> bool:
        """Return whether all that was found are stores of several threads to one element: of a wrong index, mostly."""
        found = self.findings.get(case)
        return isinstance(found, Races) and all(
            race.memory.name == "C" and not race.first.reads and not race.second.reads for race in found.races
        )

    def _request(self, result: CaseResult, build: Build) -> Replay:
        case, launch = result.case, launch_at(self.launch, result.case.shape)
        stored_twice = [found for other, found in self.findings.items()
                        if other.shape == case.shape and self._is_of_stores(other)]  # fmt: skip
        somewhere = SOMEWHERE if result.verdict is Verdict.TIMEOUT else None
        finding = next(iter(stored_twice), self.findings.get(case) or somewhere)
        element, got = None, None
        if (finding is None or stored_twice) and (mismatch := result.mismatch):
            element = mismatch.first.row, mismatch.first.column
            untouched = mismatch.region.never_written == mismatch.region.wrong
            got = None if untouched else mismatch.first.got
        return Replay(build, launch, case, self.trying.rubric.interface, finding, element, got)


def _is_small(result: CaseResult) -> bool:
    shape = result.case.shape
    return min(shape.M, shape.N, shape.K) < LARGE_ENOUGH


@contextmanager
def failed_cases(trying: Trying, launch: Launch) -> Iterator[FailedCases]:
    """Give a record of failed cases, with a thread for the debug build, which nobody waits for after this."""
    with ExitStack() as keeper, ThreadPoolExecutor(max_workers=1) as thread:
        build = DebugBuild(trying, thread, keeper)
        try:
            yield FailedCases(trying, launch, build)
        finally:
            build.end()
