"""The wheel, which students get: it contains every lab, and no solution."""

import tomllib

from grader.host.installation import CHECKOUT
from grader.rubric import labs
from grader.rubric.load import load


def test_the_wheel_contains_every_lab_and_of_all_kernels_those_that_a_rubric_compares_with_only():
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    naive = {f"reference/{name}" for lab in labs.names() if (name := load(labs.rubric(lab)).naive)}
    assert included == {path: f"grader/data/{path}" for path in {"rubrics", "student_template", *naive}}
