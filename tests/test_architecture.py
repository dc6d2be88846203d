"""Imports point one way, and each dangerous thing has its one place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import grader

ROOT = Path(grader.__file__).parent
MODULES = {
    ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__"): ast.parse(path.read_text())
    for path in sorted(ROOT.rglob("*.py"))
}
WORKER_SIDE = ("grader.worker", "grader.backends")
ONLY_IN = {
    "pycuda": "grader.backends",
    "nvmath": "grader.backends",
    "click": "grader.cli",
    "subprocess": "grader.process",
    "psutil": "grader.process",
    "docker": "grader.container",
    "distributed": "grader.batch.cluster",
    "matplotlib": ("grader.plots", "grader.report", "grader.study", "grader.batch.distributions"),
    "yaml": "grader.batch.gradescope",
}
TYPES_ONLY = {"subprocess": {"grader.sandbox"}}


def imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def importers(package: str) -> set[str]:
    return {
        name
        for name, tree in MODULES.items()
        if any(one == package or one.startswith(f"{package}.") for one in imports(tree))
    }


def calls(tree: ast.AST) -> set[str]:
    return {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}


@pytest.mark.parametrize(("package", "place"), ONLY_IN.items())
def test_a_package_is_used_in_one_place(package: str, place: str):
    assert {name for name in importers(package) if not name.startswith(place)} <= TYPES_ONLY.get(package, set())


@pytest.mark.parametrize("package", ["docker", "distributed"])
def test_a_way_to_run_elsewhere_has_one_module_at_most(package: str):
    assert len(importers(package)) <= 1


def test_the_model_stands_alone():
    records = [tree for name, tree in MODULES.items() if name.startswith("grader.model")]
    ours = {one for tree in records for one in imports(tree) if one.startswith("grader")}
    assert {one for one in ours if not one.startswith("grader.model.")} == set()


def test_the_judge_imports_no_backend():
    """But for the search for compilers, which says what the machine can do."""
    judge_side = {name for name in importers("grader.backends") if not name.startswith(WORKER_SIDE)}
    assert judge_side <= {"grader.machine", "grader.doctor"}


def test_the_worker_side_never_sees_what_judges():
    judging = {
        "grader.verify",
        "grader.verdicts",
        "grader.explain",
        "grader.score",
        "grader.pipeline",
        "grader.comparison",
        "grader.checking",
    }
    seen = {name for one in judging for name in importers(one)}
    assert not [name for name in seen if name.startswith(WORKER_SIDE)]


def test_only_the_command_prints_and_exits():
    speaking = {"print", "sys.exit", "exit", "quit", "input"}
    found = [name for name, tree in MODULES.items() if speaking & calls(tree)]
    assert [name for name in found if not name.startswith("grader.cli.")] == []


def test_nothing_is_unpickled_or_evaluated():
    forbidden = {"eval", "exec", "pickle.load", "pickle.loads", "os.system", "os.popen", "np.load"}
    assert [name for name, tree in MODULES.items() if forbidden & calls(tree)] == []


def test_imports_form_no_circle():
    ahead = {name: {one for one in imports(tree) if one in MODULES} - {name} for name, tree in MODULES.items()}
    while free := [name for name, wanted in ahead.items() if not wanted & ahead.keys()]:
        for name in free:
            del ahead[name]
    assert ahead == {}
