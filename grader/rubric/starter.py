"""The files that students start a lab with: a kernel, a README, the rubric, and what grades every push."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from grader.contract import structs
from grader.errors import UsageError
from grader.host import installation
from grader.model import Criterion, Interface, Launch, Rubric, Shape
from grader.model.expressions import is_real
from grader.rubric import errors, labs
from grader.rubric.calls import launch_fields, launch_line
from grader.rubric.criteria import KINDS
from grader.rubric.labs import OWN_RUBRIC
from grader.rubric.load import find_kernel, load
from grader.rubric.visible import hidden, visible_rubric

WORKFLOWS = (".github/workflows/grade.yml", ".gitlab-ci.yml")
TYPES = {kind: name for name, kind in reversed(errors.TYPES.items())}
HEADERS = {"float16": "fp16", "bfloat16": "bf16"}
FACTORS = {"alpha", "beta"}


def starter(wanted: Path) -> dict[str, bytes]:
    """Return the files to start a lab with, which is a rubric or the name of one that comes with the grader.

    Those of the default lab are as they are. Raises UsageError for a rubric that has a mistake, or sizes that students
    may not see.
    """
    if str(wanted) == labs.DEFAULT:
        folder = installation.folder("student_template")
        return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    path = labs.rubric_at(wanted)
    loaded = load(path)
    is_own = path.parent != installation.folder("rubrics")
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
    kinds = interface.types | {matrix.name: matrix.type for matrix in interface.matrices}
    types = {name: TYPES[kind] for name, kind in kinds.items()}
    includes = "".join(f"#include <cuda_{HEADERS[kind]}.h>\n" for kind in HEADERS if kind in kinds.values())
    symbols = "".join(f"// Set before each launch: {text}\n" for text in interface.symbols)
    before = (_empty(kernel.name, kernel.parameters, "", types) for kernel in interface.before)
    kernels = "\n".join([*before, _empty(interface.name, interface.parameters, interface.template, types)])
    line = "" if launch.grid_by or launch.block_by or launch.shared_by else f"\n{launch_line(launch)}\n"
    return f"{includes}#include <lab.h>\n\n{symbols}{kernels}{line}"


def _empty(name: str, parameters: tuple[str, ...], arguments: str, types: dict[str, str]) -> str:
    """Return a kernel with nothing in it, below the structs that it takes."""
    structs_, declared = zip(*(_declared(number, text, types) for number, text in enumerate(parameters)), strict=True)
    given = (text.strip() for text in arguments.split(",") if text)
    template = ", ".join(f"{_kind(text)} T{number}" for number, text in enumerate(given))
    start = f"template <{template}> __global__ void" if template else 'extern "C" __global__ void'
    return f"{''.join(structs_)}{start} {name}({', '.join(declared)})\n{{\n}}\n"


def _kind(argument: str) -> str:
    """Return what a template's parameter is, by an argument."""
    return "int" if argument.isdigit() else "bool" if argument in {"true", "false"} else "typename"


def _declared(number: int, text: str, types: dict[str, str]) -> tuple[str, str]:
    """Return the definition of a parameter's struct, if it is one, and its declaration."""
    name, _, value = (part.strip() for part in text.partition("="))
    if not structs.is_struct(value):
        return "", f"{_type(value or name, types, types['C'])}{name}"
    typed = enumerate(structs.typed_values(value))
    fields = (f"{f'{kind} ' if kind else _type(each, types, 'float')}field{place};" for place, (kind, each) in typed)
    return f"struct Struct{number} {{ {' '.join(fields)} }};\n\n", f"Struct{number} {name}"


def _type(value: str, types: dict[str, str], real: str) -> str:
    """Return the type of what gets a matrix, a size, a factor or the value of an expression."""
    if value in types:
        return f"{'const ' if value in {'A', 'B'} else ''}{types[value]} *"
    return "void *" if value == "null" else f"{real} " if value in FACTORS or is_real(value) else "int "


def _readme(lab: Rubric, name: str) -> str:
    """Return a README with what differs from that of the default lab, and the parts of that which are right for all."""
    template = (installation.folder("student_template") / "README.md").read_text(encoding="utf-8")
    _, grading, pushing, launching, rules = template.split("\n## ")
    simulator = grading.split("\n\n")[2]
    option = "" if name == OWN_RUBRIC else f" --rubric {name}"
    criteria = "\n".join(
        f"| {criterion.title} | {criterion.points:g} | {_counted(lab, criterion)} |" for criterion in lab.criteria
    )
    sections = (
        f"# {lab.title}\n\n{_task(lab.interface)}\n\n{_product(lab)}\n\n"
        f"The answers must be correct at {_listed(lab.sizes)}.\n",
        "Grade it yourself\n\n"
        f"    grade check matmul.cu{option}     checks correctness at {_listed(lab.quick_sizes)}\n"
        f"    grade run matmul.cu{option}       runs the whole grade, including speed if there is an NVIDIA GPU\n\n"
        f"{simulator}\n",
        f"Points\n\n| criterion | points | what earns them |\n|---|---|---|\n{criteria}\n",
        pushing,
        f"LAUNCH\n\n{_launch(lab.launch)}\n\n| field{launching.partition('| field')[2]}",
        rules.replace("`float`", f"`{TYPES[lab.interface.type_c]}`"),
    )
    return "\n## ".join(sections)


def _listed(shapes: tuple[Shape, ...]) -> str:
    return ", ".join(map(str, shapes))


def _counted(lab: Rubric, criterion: Criterion) -> str:
    """Return what earns the points of a criterion: at which sizes, and which speeds which share."""
    kind, sizes = KINDS[criterion.kind], _listed(criterion.sizes)
    quantity = kind.quantity
    if not quantity:
        return f"{kind.earns}, of {sizes}" if criterion.sizes not in ((), lab.sizes) else kind.earns
    knots = (f"{share:.0%} for {quantity.text.format(value)}" for value, share in criterion.curve)
    return f"{', '.join(knots)}, linear in between; measured on a GPU only, at {sizes}"


def _task(interface: Interface) -> str:
    names = ", ".join(f"`{name}`" for name, _ in interface.kernels)
    many, kept = ("s", "their names and their") if interface.before else ("", "its name and its")
    return f"Write the kernel{many} {names} in `matmul.cu`. Keep {kept} parameters."


def _product(lab: Rubric) -> str:
    """Return what the kernel computes, with the extents, types and layout of the matrices."""
    given, line = lab.interface, lab.interface.layout
    factor, added = (f"{value:g} * " if value != 1 else "" for value in (given.alpha, given.beta))
    extents = ("N x N",) * 3 if all(shape.is_square for shape in lab.sizes) else ("M x K", "K x N", "M x N")
    types = [TYPES[kind] for kind in given.types.values()]
    each = dict(zip("ABC", (f"{size} of `{kind}`" for size, kind in zip(extents, types, strict=True)), strict=True))
    is_alike = len({*each.values()}) == 1
    matrices = (
        f"each matrix is {each['A']}" if is_alike else ", ".join(f"{name} is {what}" for name, what in each.items())
    )
    gap = f", with {given.padding} elements between the end of one and the start of the next" if given.padding else ""
    sentences = [
        f"The result is `C = {factor}A * B{f' + {added}C' if given.beta else ''}`: {matrices}.",
        f"All are stored {line} by {line}{gap}.",
        *(f"{name} is stored transposed." for name in "AB" if getattr(given, f"transpose_{name.lower()}")),
        *(["C is zero before the launch."] if given.start == "zero" and not given.beta else []),
        *([f"A kernel may round A and B to {given.math}."] if given.math != "full" else []),
        *([f"Your file is compiled with `{' '.join(lab.flags)}`."] if lab.flags else []),
    ]
    return " ".join(sentences)


def _launch(launch: Launch) -> str:
    """Return how the kernel is launched."""
    if launch.of_file:
        return "A line `LAUNCH` sets the launch of your kernel. Without it, the launch in your host code counts."
    if launch.grid_by or launch.block_by or launch.shared_by:
        fields = ", ".join(f"`{field}`" for field in launch_fields(launch))
        return f"A line `LAUNCH` sets the launch of your kernel. Without it, the launch is {fields}."
    return f"""The last line of the file sets the launch configuration of your kernel. Without it, it is as with

    {launch_line(launch)}"""


def _workflows(name: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files that grade every push, with this rubric."""
    folder = installation.folder("student_template")
    for file in WORKFLOWS:
        text = (folder / file).read_text(encoding="utf-8")
        text = text.replace("submission: matmul.cu\n", f"submission: matmul.cu\n          rubric: {name}\n")
        yield file, text.replace("grade run matmul.cu ", f"grade run matmul.cu --rubric {name} ").encode()
