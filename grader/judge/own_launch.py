"""The launch of a file: by its LAUNCH line, by its own host code, or as the rubric says."""

from __future__ import annotations

from dataclasses import replace

from grader.contract.layout import check_values
from grader.errors import SubmissionError
from grader.explain.launches import no_own_launch, no_value
from grader.judge.compiling import Artifact
from grader.judge.submission import with_constants, without_magic
from grader.model import Rubric
from grader.model.expressions import NoValueError
from grader.rubric.host_code import file_launch, text_of


def with_own_launch(artifact: Artifact, content: bytes, rubric: Rubric) -> Artifact:
    """Return the artifact with the launch of its host code, if the lab wants it and no LAUNCH line has another.

    Raises SubmissionError if the host code has none, or none that is possible at every size of the lab, or if a LAUNCH
    line leaves a parameter of the lab without a value.
    """
    shapes = tuple(dict.fromkeys((*rubric.sizes, *rubric.quick_sizes, *rubric.timed_sizes)))
    launch = artifact.build.launch
    if rubric.launch.of_file and not launch:
        compiled = with_constants(without_magic(content), rubric.interface.constants)
        launch = file_launch(text_of(compiled.decode("utf-8", "replace"), rubric.headers), rubric.interface, shapes)
        if launch is None:
            raise SubmissionError(no_own_launch(rubric.interface.name))
        launch = replace(launch, of_file=True)
    try:
        check_values(rubric.interface, launch or rubric.launch, shapes)
    except NoValueError as error:
        raise SubmissionError(no_value(error)) from error
    return replace(artifact, build=replace(artifact.build, launch=launch))
