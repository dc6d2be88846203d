"""Whether a lab's own kernel is correct in it, and if not, what is wrong in the rubric."""

from collections.abc import Iterator
from dataclasses import replace

from grader.contract.inputs import RUNS
from grader.errors import SubmissionError
from grader.explain.other_call import for_rubric
from grader.judge.checking import check
from grader.judge.compiling import Artifact, check_signature
from grader.judge.kernel_setup import KernelSetup
from grader.judge.other_calls import MOST_FLOPS, MOST_PROVED, Trying, correct_call, of_parameters, of_results
from grader.model import Case, KernelCall, Rubric, Shape, Verdict
from grader.model.kernels import values
from grader.rubric.errors import nearest
from grader.rubric.host_names import sizes_in
from grader.rubric.proposal import proposed_interface
from grader.rubric.source_calls import program

WHOLE_TILES = 8  # a multiple of it may consist of whole tiles


def mistakes(trying: Trying) -> Iterator[str]:
    """Yield what is wrong in a rubric, most with their places: its kernel is taken for correct.

    Raises InfrastructureError if nothing can compile it here.
    """
    wanted, file = trying.rubric.interface.name, trying.name
    names = [kernel.name for kernel in program(trying.text).kernels]
    if names and wanted not in names and not wanted.startswith("_Z"):
        yield f"kernel.name: {file} has no kernel {wanted}, but {', '.join(names)}{nearest(wanted, names)}"
        return
    try:
        artifact = trying.build()
    except SubmissionError as error:
        is_name = error.fault.verdict is Verdict.NO_KERNEL
        own = proposed_interface(trying.text, wanted) if is_name else None
        instance = f' The name may be "{own.name}<{own.template}>".' if own and own.template else ""
        yield f"{'kernel.name: ' if is_name else ''}{file}: {error.fault.sentence}{instance}"
        return
    yield from _of_call(trying, artifact)


def checked_sizes(rubric: Rubric) -> tuple[Shape, ...]:
    """Return the quick sizes that take seconds, of all such sizes the one that shows most, and one beyond the grid."""
    quick, every = (
        [shape for shape in sizes if shape.flops <= MOST_FLOPS]
        for sizes in (rubric.quick_sizes, (*rubric.quick_sizes, *rubric.sizes))
    )
    if not every:
        return (min(rubric.quick_sizes, key=lambda shape: shape.flops),)
    return tuple(dict.fromkeys((*quick, min(every, key=_hidden_mistakes), *_beyond_grid(rubric))))


def _beyond_grid(rubric: Rubric) -> list[Shape]:
    """Return the smallest size at which the rubric's grid has fewer threads along a side than C has elements."""
    beyond = list[Shape]()
    tried = [shape for shape in rubric.sizes if shape.flops <= MOST_PROVED]
    for shape in tried if rubric.launch.grid_by else ():
        launch = rubric.launch.at(shape)
        columns, rows = (blocks * side for blocks, side in zip(launch.grid(shape)[:2], launch.block[:2], strict=True))
        beyond += [shape] if columns < shape.N or rows < shape.M else []
    return sorted(beyond, key=lambda shape: shape.flops)[:1]


def hides_order(rubric: Rubric) -> bool:
    """Whether the checked sizes are square, although the kernel is given several of M, N and K."""
    given = sizes_in(values(rubric.interface.parameters))
    return len(given) > 1 and all(shape.is_square for shape in checked_sizes(rubric))


def _hidden_mistakes(shape: Shape) -> tuple[int, int]:
    """Count what a size does not show: the order of equal lengths, and a wrong tile or stride."""
    lengths = (shape.M, shape.N, shape.K)
    return -len({*lengths}), sum(length == 1 or length % WHOLE_TILES == 0 for length in lengths)


def _of_call(trying: Trying, artifact: Artifact) -> Iterator[str]:
    """Yield what is wrong if a compiled kernel does not give the product."""
    rubric, sizes = trying.rubric, checked_sizes(trying.rubric)
    try:
        check_signature(artifact.build, rubric.interface)
        setup = KernelSetup(artifact, artifact.launch_in(rubric), trying.simulated)
        results = [each.result for each in check(setup, [Case(shape, run, 1) for shape in sizes for run in RUNS])]
        wrong = next((each.fault.sentence for each in results if each.fault), "")
        shapes, seen = of_results(results)
        is_called_wrongly = False
    except SubmissionError as error:
        wrong, is_called_wrongly = error.fault.sentence, True
        shapes, seen = of_parameters(sizes)
    if not wrong:
        return
    own = proposed_interface(trying.text, rubric.interface.name)
    yield f"{trying.name} is not correct in this lab: {wrong}"
    if call := correct_call(trying, artifact, shapes, replace(seen, of_layout=True)):
        yield from for_rubric(KernelCall(rubric.interface, artifact.launch_in(rubric)), call)
    elif is_called_wrongly and own and own.parameters != rubric.interface.parameters:
        yield f"kernel.parameters: `grade rubric from {trying.name}` writes down how its program calls it"
