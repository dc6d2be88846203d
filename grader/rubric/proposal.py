"""A rubric for a course's own program: what its text shows, and guesses that say how sure they are. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from grader.errors import UsageError
from grader.model import Shape, expressions
from grader.rubric import host_arithmetic
from grader.rubric.host_arithmetic import side, size_of
from grader.rubric.source_calls import Declared, SourceKernel, SourceLaunch, SourceProgram, program, split

TYPES = {"float": "float32", "double": "float64", "half": "float16", "__half": "float16", "int": "int32"}
TYPES |= {"__nv_bfloat16": "bfloat16", "int8_t": "int8", "char": "int8", "uint8_t": "uint8"}
PRODUCT = re.compile(r"mul|gemm|mm|prod", re.IGNORECASE)
LETTER = re.compile(r"(?i)(?:\w*_)?([abc])(?:_\w*)?")
OUTPUT = re.compile(r"(?i)out|res|prod|c$|p$")
TILE = re.compile(r"(?i)tile|block|side|^[bt]s$")
FACTORS = {"alpha": 1, "beta": 0}
WHOLE_TILES, ANY_SIZE, LARGEST = [64, 128, 256], [33, 64, 130], 1024


@dataclass(slots=True)
class Draft:
    """A proposal in the making: its parameters, and remarks on what is not certain."""

    parameters: list[str] = field(default_factory=list)
    types: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)  # of the host code, and what they are here
    remarks: list[str] = field(default_factory=list)
    sizes: list[int] = field(default_factory=lambda: ANY_SIZE)


def proposed(source: str, wanted: str = "") -> str:
    """Return the text of a rubric for a kernel of a program. Raises UsageError if there is no such kernel."""
    read = program(source)
    kernel = _kernel(read, wanted)
    site = next((each for each in read.launches if each.name == kernel.name), None)
    draft = Draft()
    if len(read.kernels) > 1 and not wanted:
        draft.remarks.append(f"The file has {len(read.kernels)} kernels; --kernel names another one.")
    _parameters(draft, read, kernel, site)
    launch = list(_launch(draft, read, site)) if site else []
    return "\n".join(_lines(draft, read, kernel, site, launch)) + "\n"


def _kernel(read: SourceProgram, wanted: str) -> SourceKernel:
    named = [each for each in read.kernels if wanted in ("", each.name)]
    if not named:
        names = ", ".join(each.name for each in read.kernels)
        hint = f"Its kernels: {names}." if names else "A kernel begins with __global__ void."
        raise UsageError(f"There is no kernel {wanted if names else 'in the file'}.", hint)
    launched = {each.name for each in read.launches}
    return max(
        named, key=lambda each: (PRODUCT.search(each.name) is not None, each.name in launched, len(each.parameters))
    )


def _parameters(draft: Draft, read: SourceProgram, kernel: SourceKernel, site: SourceLaunch | None) -> None:
    """Give each parameter a role."""
    matrices = _matrices(kernel, read)
    counts = [each.name for each in kernel.parameters if each.name not in matrices and not _is_factor(each)]
    for index, each in enumerate(kernel.parameters):
        argument = site.arguments[index] if site and index < len(site.arguments) else ""
        if matrix := matrices.get(each.name):
            text = _matrix(draft, read, each, matrix)
            draft.names[argument] = matrix
        elif each.is_pointer:
            text = f"{each.name} = null"
            draft.remarks.append(f"{each.name} is passed as a null pointer.")
        elif _is_factor(each):
            text = each.name if each.name in FACTORS else f"{each.name} = 1.0"
        elif each.name in FACTORS:
            text = f"{each.name} = {FACTORS[each.name]}"
        else:
            text = _size(draft, each.name, counts)
        role = text if text in {"M", "N", "K"} else draft.names.get(argument, "")
        draft.names |= {argument: role} if role and re.fullmatch(r"\w+", argument) else {}
        draft.parameters.append(text)


def _matrices(kernel: SourceKernel, read: SourceProgram) -> dict[str, str]:
    """Return which parameters are A, B and C: by their names, or else the constant ones first."""
    given = [each for each in kernel.parameters if each.is_pointer or each.type in read.structs][:3]
    letters = [LETTER.fullmatch(each.name) for each in given]
    by_name = {found[0]: found[1].upper() for found in letters if found}
    if len(set(by_name.values())) == len(given) == len("ABC"):
        return by_name
    writable = [each for each in given if not each.is_const]
    outputs = [*(each for each in writable if OUTPUT.search(each.name)), *reversed(writable), *reversed(given)][:1]
    inputs = [each for each in given if each not in outputs]
    return {each.name: letter for each, letter in zip([*inputs, *outputs], "ABC", strict=False)}


def _matrix(draft: Draft, read: SourceProgram, declared: Declared, matrix: str) -> str:
    fields = read.structs.get(declared.type, ())
    kind = next((each.type for each in fields if each.is_pointer), declared.type)
    draft.types[matrix] = TYPES.get(kind, "float32")
    if kind not in TYPES:
        draft.remarks.append(f"{matrix} has the type {kind}, which is taken for float.")
    if not fields:
        return matrix
    kinds = ("" if each.type == "int" else f"{each.type} " for each in fields)
    words = [
        matrix if each.is_pointer else f"{kind}{side(matrix, each.name)}"
        for each, kind in zip(fields, kinds, strict=True)
    ]
    return f"{declared.name} = {{{', '.join(words)}}}"


def _is_factor(declared: Declared) -> bool:
    return not declared.is_pointer and declared.type in {"float", "double", "half", "__half"}


def _size(draft: Draft, name: str, counts: list[str]) -> str:
    if re.fullmatch(r"ld[abc]", name):
        return name
    if len(counts) == 1:
        return "N"
    if size := size_of(name):
        return size
    value = "tile_x" if TILE.search(name) else "N"
    draft.remarks.append(f"{name} is taken for {value}.")
    return f"{name} = {value}"


def _launch(draft: Draft, read: SourceProgram, site: SourceLaunch) -> Iterator[str]:
    """Yield the lines of [launch], if the launch reduces to numbers and sizes."""
    grid, block = (_sides(draft, read, text) for text in site.how[:2]) if len(site.how) > 1 else ([], [])
    if not grid or not block or "" in (*grid, *block):
        draft.remarks.append(f"The launch <<<{', '.join(site.how)}>>> could not be read: see [launch].")
        return
    yield f"block = {_list(block)}"
    if not _is_of_tiles(draft, grid, block):
        yield f"grid = {_list(grid)}"
    for text in site.how[2:3]:
        if (shared := host_arithmetic.expression(draft.names, read, text)) not in {"", "0"}:
            yield f"shared = {_list([shared])[1:-1]}"


def _sides(draft: Draft, read: SourceProgram, text: str) -> list[str]:
    inline = re.fullmatch(r"dim3\s*[({](.*)[)}]", text, re.DOTALL)
    sides = read.dimensions.get(text) or (split(inline[1]) if inline else (text,))
    return [host_arithmetic.expression(draft.names, read, each) for each in sides]


def _is_of_tiles(draft: Draft, grid: list[str], block: list[str]) -> bool:
    """Whether the grid is that of tiles as large as the block, at sizes of whole tiles at least."""
    if not all(each.isdigit() for each in block):
        return False
    columns, rows = (*map(int, block), 1)[:2]
    for size in (*WHOLE_TILES, ANY_SIZE[0]):
        try:
            sides = (*(expressions.whole(each, Shape(size, size, size).lengths) for each in grid), 1)[:2]
        except expressions.ExpressionError:
            sides = (0, 0)
        draft.sizes = draft.sizes if sides == (-(-size // columns), -(-size // rows)) else WHOLE_TILES
        if draft.sizes is WHOLE_TILES:
            return size not in WHOLE_TILES
    return True


def _list(texts: list[str]) -> str:
    return f"[{', '.join(text if text.isdigit() else json.dumps(text) for text in texts)}]"


def _lines(
    draft: Draft, read: SourceProgram, kernel: SourceKernel, site: SourceLaunch | None, launch: list[str]
) -> Iterator[str]:
    yield 'format = 1\ntitle = "Matrix multiplication"\npoints = 100\n'
    template = site.template if site and re.fullmatch(r"[\w ,]+", site.template) else ""
    if kernel.template and not template:
        template = ", ".join("16" for _ in kernel.template)
        draft.remarks.append(f"The template {kernel.name} gets 16 for {', '.join(kernel.template)}.")
    arguments = ", ".join(read.numbers.get(part, read.variables.get(part, part)) for part in split(template))
    draft.remarks += [f"{name} is set to N before each launch." for name in read.symbols]
    yield from (f"# To check: {remark}" for remark in draft.remarks)
    yield f"[kernel]\nname = {json.dumps(f'{kernel.name}<{arguments}>' if kernel.template else kernel.name)}"
    yield f"parameters = {json.dumps(draft.parameters)}"
    types = {letter: draft.types.get(letter, "float32") for letter in "ABC"}
    yield f"types = {{ {', '.join(f'{letter} = {json.dumps(kind)}' for letter, kind in types.items())} }}"
    if any(re.fullmatch("ld[abc]", text) for text in draft.parameters):
        yield 'layout = "row"'
    if read.symbols:
        yield f"symbols = {json.dumps([f'{name} = N' for name in read.symbols])}"
    if {name for name, role in draft.names.items() if role == "C"} & read.zeroed:
        yield 'start = "zero"'
    yield from ("\n[launch]", *launch) if launch else ()
    if read.headers:
        yield f"\n[files]\nheaders = {json.dumps(list(read.headers))}"
    yield f"\n[sizes]\ncorrectness = {_correctness(draft, read)}"
    yield '\n[[criteria]]\nid = "correct"\ntitle = "Correct answers"\nkind = "correct"\npoints = 100'


def _correctness(draft: Draft, read: SourceProgram) -> list[int]:
    """Return sizes at which the program's own launch covers C; for a size that is a constant, only that."""
    if read.symbols or any(re.search(r"\b[MNK]\b", text) for text in draft.parameters):
        return draft.sizes
    numbers = {**read.variables, **read.numbers}
    constant = next((value for name, value in numbers.items() if size_of(name) == "N"), "")
    return [int(constant) if constant.isdigit() and 0 < int(constant) <= LARGEST else WHOLE_TILES[-1]]
