"""Most modules, functions and records are short enough to be read at once; longer ones are named, with a reason."""

import ast
import re
from collections.abc import Iterator
from statistics import median, quantiles

from tests.test_architecture import PATHS, nodes

MODULES = {name.removeprefix("grader."): path.read_text(encoding="utf-8") for name, path in PATHS.items()}
MOST_ANY = 40  # lines

# Lines: the median, nine in ten, and from how many on a module or a function is named below.
USUAL_MODULE, LONG_MODULE, LONGEST_MODULE = 122, 220, 250
USUAL_FUNCTION, LONG_FUNCTION, LONGEST_FUNCTION = 7, 17, 40
LONG_MODULES = {
    "pipeline": "every step of a grade on one page",
    "ptxsim.generate.code": "the state of one translation; its modules are the families of instructions",
    "ptxsim.generate.translation": "the tables of all instructions that are translated",
}
LONG_FUNCTIONS: dict[str, str] = {}

MOST_FIELDS = 12
LARGE_RECORDS = {
    "Counters": "published: one field for each number that a report states",
    "DeviceFault": "any stop of a launch, before it is told apart",
    "GpuFigures": "a row of the table of GPUs",
    "Interface": "published: how a rubric says that its kernel is called",
    "LoopMix": "published: one field for each number that a report states",
    "Report": "published: a grade is one document",
    "Rubric": "published: the fields of a rubric's file",
    "Story": "published: what happened to one element of C",
    "Work": "one field for each resource of a GPU",
}
# Records of more than six fields that are built from an unpacked sequence, whose order nothing checks.
MOST_FIELDS_OF_A_SEQUENCE = 6
FROM_A_SEQUENCE = {
    "Accesses": "its fields are columns, and `_COLUMNS` names them in their order",
    "Simulator": "what identifies a kernel",
}


def functions() -> Iterator[tuple[str, int]]:
    """The name of each function, and its lines."""
    for name in PATHS:
        for node in nodes(name):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{name}: {node.name}", (node.end_lineno or node.lineno) - node.lineno + 1


def records() -> dict[str, int]:
    """Record -> the number of its fields."""
    return {
        node.name: sum(isinstance(part, ast.AnnAssign) for part in node.body)
        for name in PATHS
        for node in nodes(name)
        if isinstance(node, ast.ClassDef) and any("dataclass" in ast.unparse(each) for each in node.decorator_list)
    }


def built_from_a_sequence() -> set[str]:
    """The names of what is called with unpacked positional arguments."""
    calls = (node for name in PATHS for node in nodes(name) if isinstance(node, ast.Call))
    return {
        ast.unparse(call.func).rpartition(".")[2]
        for call in calls
        if any(isinstance(each, ast.Starred) for each in call.args)
    }


def test_modules_are_short_but_for_those_with_a_reason():
    lengths = {name: len(text.splitlines()) for name, text in MODULES.items()}
    assert median(lengths.values()) <= USUAL_MODULE
    assert quantiles(lengths.values(), n=10)[-1] <= LONG_MODULE
    assert {name for name, length in lengths.items() if length > LONGEST_MODULE} == LONG_MODULES.keys()


def test_functions_are_short_but_for_those_with_a_reason():
    lengths = dict(functions())
    assert median(lengths.values()) <= USUAL_FUNCTION
    assert quantiles(lengths.values(), n=10)[-1] <= LONG_FUNCTION
    assert {name for name, length in lengths.items() if length > LONGEST_FUNCTION} == LONG_FUNCTIONS.keys()


def test_records_have_few_fields_but_for_those_with_a_reason():
    assert {name for name, fields in records().items() if fields > MOST_FIELDS} == LARGE_RECORDS.keys()


def test_a_large_record_is_not_built_from_a_sequence_without_a_reason():
    large = {name for name, fields in records().items() if fields > MOST_FIELDS_OF_A_SEQUENCE}
    assert built_from_a_sequence() & large == FROM_A_SEQUENCE.keys()


def test_few_types_are_any():
    lines = [line for text in MODULES.values() for line in text.splitlines() if re.search(r"\bAny\b", line)]
    assert len(lines) <= MOST_ANY, "\n".join(lines)
