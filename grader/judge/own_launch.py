"""The launch of a lab whose files are launched as their own host code does."""

from __future__ import annotations

from dataclasses import replace

from grader.errors import SubmissionError
from grader.explain.launches import no_own_launch
from grader.judge.compiling import Artifact
from grader.judge.submission import with_constants, without_magic
from grader.model import Rubric
from grader.rubric.file_launch import file_launch, text_of


def with_own_launch(artifact: Artifact, content: bytes, rubric: Rubric) -> Artifact:
    """Return the artifact with the launch of its host code, if the lab wants it and no LAUNCH line has another.

    Raises SubmissionError if the host code has none, or none that is possible at every size of the lab.
    """
    if not rubric.launch.of_file or artifact.build.launch:
        return artifact
    compiled = with_constants(without_magic(content), rubric.interface.constants)
    text = text_of(compiled.decode("utf-8", "replace"), rubric.headers)
    shapes = tuple(dict.fromkeys((*rubric.sizes, *rubric.quick_sizes, *rubric.timed_sizes)))
    launch = file_launch(text, rubric.interface, shapes)
    if launch is None:
        raise SubmissionError(no_own_launch(rubric.interface.name))
    return replace(artifact, build=replace(artifact.build, launch=replace(launch, of_file=True)))
