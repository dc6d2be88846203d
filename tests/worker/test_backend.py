"""A backend is a folder in `worker/` and a line of the table; nothing else in the grader knows it by name."""

import ast
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import grader
from grader import pipeline
from grader.errors import InfrastructureError
from grader.model import Backend, Limits, Machine, Purpose, State, Verdict, decisive
from grader.model.backends import CHECKS_ONLY
from grader.sandbox.forking import Local
from grader.worker.backend import Runner, load
from grader.worker.simulator.executor import Executor
from tests import lab
from tests.worker import numpy_backend

ROOT = Path(grader.__file__).parent
START = "import runpy, sys; sys.path.append('{}'); runpy.run_module('{}', run_name='__main__', alter_sys=True)"
TABLE = ROOT / "model" / "backends.py"


def test_every_backend_of_the_table_has_a_folder_and_every_folder_a_line():
    assert {path.parent.name for path in (ROOT / "worker").glob("*/backend.py")} == {
        str(backend) for backend in Backend
    }


def test_only_the_table_names_a_backend():
    naming = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in ROOT.rglob("*.py")
        if path != TABLE
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and ast.unparse(node) in {f"Backend.{backend.name}" for backend in Backend}
    ]
    assert naming == []


@pytest.mark.parametrize("backend", [pytest.param(Backend.CUDA), pytest.param(Backend.SIMULATOR)])
def test_compiling_needs_no_device(backend: Backend):
    """The module loads without PyCUDA. That it satisfies the Protocol is for mypy: its last line says so."""
    assert {"compile", "open"} <= set(dir(load(backend)))


@pytest.mark.parametrize(
    "request_", [lambda r: r.prepare(None, None), lambda r: r.time_round(None, None),
                 lambda r: r.time_transfers(None), lambda r: r.survey(None)],
)  # fmt: skip
def test_a_backend_that_measures_no_speed_says_so(request_):
    runner: Runner = Executor()
    with pytest.raises(InfrastructureError, match="measures no speed"):
        request_(runner)


def third_backend() -> Backend:
    """What the line `NUMPY = "numpy"` would add to the table."""
    member = str.__new__(Backend, "numpy")
    member._name_, member._value_, member.capabilities = "NUMPY", "numpy", CHECKS_ONLY
    return member


def start(box: Path, _backend: Backend, _limits: Limits, purpose: Purpose) -> Local:
    """A worker that finds the third backend where a folder of `worker/` would put it."""
    command = "-c", START.format(Path.cwd(), numpy_backend.__name__), str(box), purpose
    return lab.in_place_of_a_worker(box, sys.executable, *command)


@pytest.mark.parametrize(("expression", "verdict"), [("A @ B", Verdict.OK), ("A @ B + 1", Verdict.WRONG_ANSWER)])
def test_a_third_backend_grades_a_submission(tmp_path: Path, expression: str, verdict: Verdict):
    source = tmp_path / "matmul.cu"
    source.write_text(expression)
    plan = replace(lab.plan(source, lab.write_rubric(tmp_path, timed=(33,))), start=start)
    report = pipeline.grade(plan, Machine(third_backend(), "it was requested", "a test"), lambda *_: None)
    assert report.state is State.FINISHED, report.infrastructure
    assert {result.verdict for result in decisive(report.results)} == {verdict}
    assert report.measurements == ()
