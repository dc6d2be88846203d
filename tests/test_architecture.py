"""Folders are rooms: imports between them go one way, and each dangerous thing has its one place."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import grader

ROOT = Path(grader.__file__).parent
PATHS = {
    ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(ROOT.rglob("*.py"))
}
AT_THE_TOP = {"grader", "grader.__main__", "grader.errors", "grader.pipeline"}
ONLY_IN = {
    "pycuda": "grader.worker.cuda",
    "nvmath": "grader.worker.cuda",
    "click": "grader.cli",
    "subprocess": "grader.host.process",
    "psutil": "grader.host.process",
    "docker": "grader.sandbox.container",
    "llvmlite": "grader.ptxsim",
    "distributed": "grader.batch.dask",
    "matplotlib": ("grader.pages", "grader.report.html", "grader.study.present", "grader.batch.present"),
    "yaml": "grader.batch.intake.gradescope_export",
}
GUARD = "if __name__ == "
TYPES_ONLY = {"subprocess": {"grader.sandbox.forking"}}


@cache
def parsed(module: str) -> ast.Module:
    return ast.parse(PATHS[module].read_text())


@cache
def nodes(module: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(parsed(module)))


@cache
def imports(module: str) -> frozenset[str]:
    return frozenset(_imports(nodes(module)))


def _imports(among: Iterable[ast.AST]) -> Iterator[str]:
    for node in among:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def importers(package: str) -> set[str]:
    return {
        name for name in PATHS if any(target == package or target.startswith(f"{package}.") for target in imports(name))
    }


@cache
def calls(module: str) -> frozenset[str]:
    return frozenset(dotted(node.func) for node in nodes(module) if isinstance(node, ast.Call))


def dotted(called: ast.expr) -> str:
    """The name of what is called, as the code has it; of something without a name, its last part only."""
    if isinstance(called, ast.Attribute):
        return f"{dotted(called.value)}.{called.attr}"
    return called.id if isinstance(called, ast.Name) else ""


def room(module: str) -> str:
    """The folder of a module; a module at the top is a room of its own."""
    folder = PATHS[module].parent
    return module if folder == ROOT else ".".join(folder.relative_to(ROOT.parent).parts)


@cache
def arrows() -> dict[str, set[str]]:
    """Room -> the rooms that its modules import from."""
    targets_of: dict[str, set[str]] = defaultdict(set)
    for name in PATHS:
        targets = {room(target) for target in imports(name) if target in PATHS and target != "grader"}
        targets_of[room(name)] |= targets - {room(name)}
    return targets_of


def reachable(start: str) -> set[str]:
    """The rooms that a room imports from, directly or through others."""
    ahead = [start]
    seen: set[str] = set()
    while ahead:
        for target in arrows()[ahead.pop()] - seen:
            seen.add(target)
            ahead.append(target)
    return seen


def test_the_top_holds_the_pipeline_and_the_errors_only():
    assert {name for name in PATHS if PATHS[name].parent == ROOT} == AT_THE_TOP


def test_imports_between_rooms_go_one_way():
    """`static_order` raises CycleError, which names the rooms of a cycle."""
    assert set(TopologicalSorter(arrows()).static_order()) >= {room(name) for name in PATHS} - {"grader"}


def test_imports_between_modules_form_no_cycle():
    graph = {name: {target for target in imports(name) if target in PATHS} - {name} for name in PATHS}
    assert len(tuple(TopologicalSorter(graph).static_order())) == len(PATHS)


@pytest.mark.parametrize(
    "package", sorted(path.parent for path in ROOT.rglob("__init__.py")), ids=lambda path: path.name
)
def test_a_room_says_what_belongs_there(package: Path):
    assert ast.get_docstring(ast.parse((package / "__init__.py").read_text()))


def test_the_records_import_nothing_of_the_grader_but_records_of_the_simulator():
    assert reachable("grader.model") == {"grader.ptxsim.records"}
    assert reachable("grader.ptxsim.records") == set()


def test_a_worker_imports_no_more_than_the_contract_and_the_machine():
    allowed = {"grader.contract", "grader.model", "grader.host", "grader.host.confinement", "grader.errors"}
    beyond = {
        target for target in reachable("grader.worker") if not target.startswith(("grader.worker.", "grader.ptxsim."))
    }
    assert beyond <= allowed


def test_the_simulator_stands_by_itself():
    inside = {name for name in map(room, PATHS) if name.startswith("grader.ptxsim")}
    assert {target for name in inside for target in reachable(name)} <= inside


def test_only_a_worker_simulates():
    others = {name for name in importers("grader.ptxsim") if not name.startswith(("grader.worker.", "grader.ptxsim."))}
    targets = {target for name in others for target in imports(name) if target.startswith("grader.ptxsim")}
    assert all(target.startswith("grader.ptxsim.records.") for target in targets)


def test_nothing_but_a_worker_imports_a_worker():
    assert not [name for name in importers("grader.worker") if not name.startswith("grader.worker")]


@pytest.mark.parametrize(("package", "place"), ONLY_IN.items())
def test_a_package_is_used_in_one_place(package: str, place: str | tuple[str, ...]):
    assert {name for name in importers(package) if not name.startswith(place)} <= TYPES_ONLY.get(package, set())


def test_containers_have_one_module():
    assert len(importers("docker")) <= 1


def test_only_the_command_prints_and_exits():
    speaking = {"print", "sys.exit", "exit", "quit", "input"}
    speakers = [name for name in PATHS if speaking & calls(name)]
    assert [name for name in speakers if not name.startswith("grader.cli.")] == []


def test_nothing_is_unpickled_or_evaluated():
    forbidden = {"eval", "exec", "pickle.load", "pickle.loads", "os.system", "os.popen", "np.load"}
    assert [name for name in PATHS if forbidden & calls(name)] == []


def public_classes() -> Iterator[tuple[str, str]]:
    """The name and the module of each public class."""
    for module in PATHS:
        classes = (node for node in nodes(module) if isinstance(node, ast.ClassDef))
        yield from ((node.name, module) for node in classes if not node.name.startswith("_"))


def test_every_public_class_has_a_name_of_its_own():
    places = defaultdict(list)
    for name, module in public_classes():
        places[name].append(module)
    assert {name: modules for name, modules in places.items() if len(modules) > 1} == {}


def test_no_worker_writes_a_sentence_for_a_student():
    """Workers report records; what a student reads of them is written in one room."""
    assert not [
        name
        for name in PATHS
        if name.startswith(("grader.worker.", "grader.ptxsim.")) and {"Fault", "SubmissionError"} & calls(name)
    ]


def test_what_a_student_reads_of_a_mistake_is_written_in_one_room():
    """Others decide what is wrong and hand over facts, so that a sentence changes without a verdict."""
    assert not [name for name in PATHS if "Fault" in calls(name) and not name.startswith("grader.explain.")]


def test_a_program_begins_behind_all_that_it_needs():
    ends = {name for name in PATHS if ast.unparse(parsed(name).body[-1]).startswith(GUARD)}
    assert ends == {name for name in PATHS if any(ast.unparse(each).startswith(GUARD) for each in parsed(name).body)}
    assert "grader.worker.main" in ends
