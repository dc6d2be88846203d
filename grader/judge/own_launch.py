"""The launch of a file: by its LAUNCH line, by its own host code, or as the rubric says."""

from dataclasses import replace

from grader.contract.layout import check_values
from grader.errors import SubmissionError
from grader.explain.launches import no_own_launch, no_value
from grader.judge.compiling import Artifact
from grader.judge.submission import with_constants
from grader.model import Fault, Interface, Launch, Rubric, Shape
from grader.model.expressions import ExpressionError, NoValueError
from grader.rubric.host_code import file_launch, text_of, with_tiles


def with_own_launch(artifact: Artifact, content: bytes, rubric: Rubric) -> Artifact:
    """Return the artifact with the launch of its host code, if the lab wants it and no LAUNCH line has another.

    Raises SubmissionError if the host code has none, or none that is possible at every size of the lab, or if a LAUNCH
    line leaves a parameter of the lab without a value. Students see all of this, so hidden sizes decide nothing of it,
    nor whether the launch is one of tiles.
    """
    every = dict.fromkeys((*rubric.sizes, *rubric.quick_sizes, *rubric.timed_sizes))
    shapes = tuple(shape for shape in every if shape not in rubric.hidden_sizes)
    launch = artifact.build.launch
    if rubric.launch.of_file and not launch:
        compiled = with_constants(content, rubric.interface.constants)
        launch = file_launch(text_of(compiled.decode("utf-8", "replace"), rubric.headers), rubric.interface, shapes)
        if launch is None:
            raise SubmissionError(no_own_launch(rubric.interface.name))
        launch = replace(launch if rubric.hidden_sizes else with_tiles(launch, shapes), of_file=True)
    try:
        check_values(rubric.interface, launch or rubric.launch, shapes)
    except NoValueError as error:
        raise SubmissionError(no_value(error)) from error
    return replace(artifact, build=replace(artifact.build, launch=launch))


def impossible_at(shape: Shape, launch: Launch, interface: Interface) -> Fault | None:
    """Return the fault of a file's own launch at a size; None where it is possible, as at all that are not hidden."""
    try:
        check_values(interface, launch, (shape,))
    except NoValueError as error:
        return no_value(error)
    except ExpressionError:
        return no_own_launch(interface.name)
    return None
