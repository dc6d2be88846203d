"""The files that students start a lab with: a kernel, a README, the rubric, and what grades every push."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from grader.contract import structs
from grader.contract.layout import BUFFERS
from grader.errors import UsageError
from grader.host import resources
from grader.model import Interface, Launch, Rubric
from grader.model.expressions import is_real
from grader.rubric import labs
from grader.rubric.load import find_kernel, load
from grader.rubric.visible import hidden, visible_rubric

OWN_RUBRIC = "lab.toml"
WORKFLOWS = (".github/workflows/grade.yml", ".gitlab-ci.yml")
TYPES = {"float16": "half", "float32": "float", "float64": "double", "int32": "int"}
TYPES |= {"bfloat16": "__nv_bfloat16", "int8": "signed char", "uint8": "unsigned char"}
FACTORS = {"alpha", "beta"}


def starter(wanted: Path) -> dict[str, bytes]:
    """Return the files to start a lab with, which is a rubric or the name of one that comes with the grader.

    Those of the default lab are as they are. Raises UsageError for a rubric that has a mistake, or sizes that students
    may not see.
    """
    if str(wanted) == labs.DEFAULT:
        folder = resources.folder("student_template")
        return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    path = labs.rubric_at(wanted)
    loaded = load(path)
    is_own = path.parent != resources.folder("rubrics")
    if is_own and hidden(loaded, datetime.now(UTC)):
        raise UsageError(f"{path} has hidden sizes, and students get a copy of it.", "Name a copy without these sizes.")
    lab = visible_rubric(loaded, datetime.now(UTC))
    naive = find_kernel(lab.naive, path.parent) if lab.naive else None
    kernel = naive.read_bytes() if naive else stub(lab.interface, lab.launch).encode()
    name = OWN_RUBRIC if is_own else path.stem
    files = {"matmul.cu": kernel, "README.md": _readme(lab, name).encode(), **dict(_workflows(name))}
    files |= {header.name: header.content for header in lab.headers}
    if is_own:
        files |= {OWN_RUBRIC: path.read_bytes()} | ({lab.naive: kernel} if naive else {})
    return files


def stub(interface: Interface, launch: Launch) -> str:
    """Return a file with the declarations of the kernels and nothing in them."""
    kinds = {"A": interface.type_a, "B": interface.type_b, "C": interface.type_c}
    kinds |= {matrix.name: matrix.type for matrix in interface.matrices}
    types = {name: TYPES[kind] for name, kind in kinds.items()}
    before = (replace(interface, name=each.name, parameters=each.parameters, template="") for each in interface.before)
    kernels = "\n".join(_empty(each, types) for each in (*before, interface))
    includes = "".join(f"#include <cuda_{name}.h>\n" for name in ("fp16", "bf16") if _uses(types, name))
    symbols = "".join(f"// Set before each launch: {text}\n" for text in interface.symbols)
    line = "" if launch.grid_by or launch.block_by or launch.shared_by else f"\n{_launch(launch)}\n"
    return f"{includes}#include <lab.h>\n\n{symbols}{kernels}{line}"


def _empty(interface: Interface, types: dict[str, str]) -> str:
    """Return a kernel with nothing in it, below the structs that it takes."""
    parameters = list(_parameters(interface, types))
    declared = "".join(f"{definition}\n\n" for definition, _ in parameters if definition)
    given = (text.strip() for text in interface.template.split(",") if text)
    template = ", ".join(f"{_kind(text)} T{number}" for number, text in enumerate(given))
    start = f"template <{template}> __global__ void" if template else 'extern "C" __global__ void'
    declarations = ", ".join(text for _, text in parameters)
    return f"{declared}{start} {interface.name}({declarations})\n{{\n}}\n"


def _kind(argument: str) -> str:
    """Return what a template's parameter is, by an argument."""
    return "int" if argument.isdigit() else "bool" if argument in {"true", "false"} else "typename"


def _uses(types: dict[str, str], header: str) -> bool:
    return {"fp16": "half", "bf16": "__nv_bfloat16"}[header] in types.values()


def _parameters(interface: Interface, types: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each parameter, with the definition of its struct before it if it is one."""
    for number, text in enumerate(interface.parameters):
        name, _, value = (part.strip() for part in text.partition("="))
        matrix = value or name
        if structs.is_struct(value):
            yield f"struct Struct{number} {{ {' '.join(_fields(value, types))} }};", f"Struct{number} {name}"
        elif matrix in types:
            yield "", f"{'const ' if matrix in {'A', 'B'} else ''}{types[matrix]} *{name}"
        elif value == "null":
            yield "", f"void *{name}"
        elif name in FACTORS or (value and is_real(value)):
            yield "", f"{types['C']} {name}"
        else:
            yield "", f"int {name}"


def _fields(struct: str, types: dict[str, str]) -> Iterator[str]:
    for number, (kind, value) in enumerate(structs.typed_values(struct)):
        pointer = f"{types[value]} *elements;" if value in BUFFERS else f"void *field{number};"
        is_pointer = value in BUFFERS or value == "null"
        yield pointer if is_pointer else f"{kind or ('float' if is_real(value) else 'int')} field{number};"


def _launch(launch: Launch) -> str:
    block = ", ".join(map(str, launch.block[: 3 if launch.block[2] > 1 else 2]))
    shared = f", .shared = {launch.shared}" if launch.shared else ""
    rows = ", .grid_x = ROWS" if launch.grid_x == "rows" else ""
    return f"LAUNCH(.block = {{{block}}}, .tile = {{{launch.tile[0]}, {launch.tile[1]}}}{shared}{rows});"


def _readme(lab: Rubric, name: str) -> str:
    criteria = "\n".join(f"| {criterion.title} | {criterion.points:g} |" for criterion in lab.criteria)
    return f"""# {lab.title}

{_task(lab.interface)} The line `LAUNCH`, if there is
one, sets the launch. The answers must be correct at {", ".join(map(str, lab.sizes))}.

    grade check matmul.cu --rubric {name}     checks correctness at a few small sizes
    grade run matmul.cu --rubric {name}       runs the whole grade, with speed if there is an NVIDIA GPU

If your course has set it up, every push is graded on the simulator.

| criterion | points |
|---|---|
{criteria}
"""


def _task(interface: Interface) -> str:
    names = ", ".join(f"`{name}`" for name in (*(each.name for each in interface.before), interface.name))
    if interface.before:
        return f"Write the kernels {names} in `matmul.cu`. Keep their names and their parameters."
    return f"Write the kernel {names} in `matmul.cu`. Keep its name and its parameters."


def _workflows(name: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files that grade every push, with this rubric."""
    folder = resources.folder("student_template")
    for file in WORKFLOWS:
        text = (folder / file).read_text(encoding="utf-8")
        text = text.replace("submission: matmul.cu\n", f"submission: matmul.cu\n          rubric: {name}\n")
        yield file, text.replace("grade run matmul.cu ", f"grade run matmul.cu --rubric {name} ").encode()
