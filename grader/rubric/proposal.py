"""A rubric for a course's own program: what its text shows, and guesses that say how sure they are. Pure."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from grader.contract.structs import split
from grader.errors import UsageError
from grader.model import Header, Interface, Shape
from grader.rubric import calls
from grader.rubric.errors import TYPES
from grader.rubric.host_code import launch_table
from grader.rubric.load import schema
from grader.rubric.proposed_launch import TILE, Draft, constant, launch_lines, sizes
from grader.rubric.size_names import SIZES, side, size_of
from grader.rubric.source_calls import Declared, SourceKernel, SourceLaunch, SourceProgram, program

PRODUCT = re.compile(r"mul|gemm|mm|prod", re.IGNORECASE)
LETTER = re.compile(r"(?i)(?:\w*_)?([abc])(?:_\w*)?")
NO_SIZE = re.compile(rf"{TILE.pattern}|^ld[abc]$")
FACTORS = {"alpha": 1, "beta": 0}
NO_KERNEL = (
    "There is no kernel in the file.",
    "A kernel begins with __global__ void. It may also be in a file beside this one that it includes.",
)


def proposed(source: str, wanted: str = "", headers: Iterable[Header] = ()) -> str:
    """Return the text of a rubric for a kernel of a program with its own headers.

    Raises UsageError if there is no such kernel.
    """
    headers = tuple(headers)
    read = program("\n".join([*(header.text for header in headers), source]))
    kernel = _kernel(read, wanted)
    site = _site(read, kernel)
    read = replace(read, names=site.names) if site else read
    draft = Draft(template=_template(read, kernel, site))
    if len(read.kernels) > 1 and not wanted:
        draft.remarks.append(f"The file has {len(read.kernels)} kernels; --kernel names another one.")
    if kernel.template and not (site and site.template):
        draft.remarks.append(f"The template {kernel.name} gets {', '.join(draft.template.values())}.")
    _parameters(draft, read, kernel, site)
    draft.sizes = sizes(draft, read, kernel)
    read = replace(read, names=read.names | {name: str(length) for name, length in draft.constants.items()})
    launch = list(launch_lines(draft, read, kernel, site))
    return "\n".join(_lines(draft, read, kernel, launch, [header.name for header in headers])) + "\n"


def proposed_interface(source: str, wanted: str) -> Interface | None:
    """Return how the kernel, or another one of the file, would be called by a proposed rubric; None without sense."""
    for name in (wanted, ""):
        with suppress(UsageError, tomllib.TOMLDecodeError):
            table = tomllib.loads(proposed(source, name))
            kernel = {"kernel": table["kernel"]}
            wrong = not schema().is_valid(table) or any(calls.mistakes(kernel, {"": Shape(64, 64, 64)}))
            return None if wrong else calls.interface_record(table["kernel"])
    return None


def _kernel(read: SourceProgram, wanted: str) -> SourceKernel:
    named = [each for each in read.kernels if wanted in ("", each.name)]
    if not named:
        names = ", ".join(each.name for each in read.kernels)
        raise UsageError(*(f"There is no kernel {wanted}.", f"Its kernels: {names}.") if names else NO_KERNEL)
    launched = {each.name for each in read.launches}
    return max(
        named, key=lambda each: (PRODUCT.search(each.name) is not None, each.name in launched, len(each.parameters))
    )


def _site(read: SourceProgram, kernel: SourceKernel) -> SourceLaunch | None:
    """Return the first launch of the kernel, of several templates one that names the width of its block."""

    def names_block(site: SourceLaunch) -> bool:
        block = launch_table({}, replace(read, names=site.names), site.how)["block"]
        return block[0] in split(site.template)

    return max((each for each in read.launches if each.name == kernel.name), key=names_block, default=None)


def _template(read: SourceProgram, kernel: SourceKernel, site: SourceLaunch | None) -> dict[str, str]:
    """Return what the parameters of a template are: as launched, or else a tile of 16 and float."""
    types = {each.type for each in kernel.parameters}
    given = split(site.template) if site and re.fullmatch(r"[\w\s,]+", site.template) else ()
    given = given or tuple("float" if name in types else "16" for name in kernel.template)
    values = (str(constant(read, part) or read.names.get(part, part)) for part in given)
    return dict(zip(kernel.template, values, strict=False))


def _parameters(draft: Draft, read: SourceProgram, kernel: SourceKernel, site: SourceLaunch | None) -> None:
    """Give each parameter a role."""
    matrices = _matrices(kernel, read)
    if missing := sorted({*"ABC"}.difference(matrices.values())):
        draft.remarks.append(f"Not found among the parameters: {', '.join(missing)}.")
    named = [*zip("abc", "ABC", strict=True), *matrices.items()]
    pitches = {f"ld{name.lower()}": f"ld{matrix.lower()}" for name, matrix in named}
    factors = {each.name for each in kernel.parameters if _is_factor(draft, read, each)}
    counts = [each.name for each in kernel.parameters if each.name not in {*matrices, *factors}]
    arguments = dict(zip((each.name for each in kernel.parameters), site.arguments if site else (), strict=False))
    if in_order := _in_order(counts, arguments):
        draft.remarks.append(f"{', '.join(in_order)} are taken for M, K and N, in this order.")
    for each in kernel.parameters:
        argument = arguments.get(each.name, "")
        if matrix := matrices.get(each.name):
            text = _matrix(draft, read, each, matrix)
            draft.names[argument] = matrix
        elif each.is_pointer:
            text = f"{each.name} = null"
            draft.remarks.append(f"{each.name} is passed as a null pointer.")
        elif pitch := pitches.get(each.name.lower()):
            text = pitch
        elif each.name in factors:
            text = each.name if each.name in FACTORS else f"{each.name} = 1.0"
        elif each.name in FACTORS:
            text = f"{each.name} = {FACTORS[each.name]}"
        elif each.type == "bool":
            text = f"{each.name} = 0"
        else:
            text = in_order.get(each.name) or _size(draft, read, each.name, counts, argument)
        size = text.split(" = ")[-1]
        role = size if size in SIZES else draft.names.get(argument, "")
        draft.names |= {argument: role} if role and re.fullmatch(r"\w+", argument) else {}
        draft.parameters.append(text)


def _matrices(kernel: SourceKernel, read: SourceProgram) -> dict[str, str]:
    """Return which parameters are A, B and C: by their names, or else in order; C is the one that is stored."""
    given = [each for each in kernel.parameters if each.is_pointer or each.type in read.structs][:3]
    letters = [LETTER.fullmatch(each.name) for each in given]
    by_name = {found[0]: found[1].upper() for found in letters if found}
    stored = [each for each in given if _stores(kernel, each.name)]
    is_known = len(set(by_name.values())) == len(given) == len("ABC")
    if is_known and (len(stored) != 1 or by_name[stored[0].name] == "C"):
        return by_name
    writable = [each for each in given if not each.is_const]
    outputs = [*(stored if len(stored) == 1 else ()), *reversed(writable), *reversed(given)][:1]
    inputs = [each for each in given if each not in outputs]
    return {each.name: letter for each, letter in zip([*inputs, *outputs], "ABC", strict=False)}


def _matrix(draft: Draft, read: SourceProgram, declared: Declared, matrix: str) -> str:
    fields = read.structs.get(declared.type, ())
    kind = _known(next((each.type for each in fields if each.is_pointer), declared.type), draft.template, read)
    draft.types[matrix] = TYPES.get(kind, "float32")
    if kind not in TYPES:
        draft.remarks.append(f"{matrix} has the type {kind}, which is taken for float.")
    if not fields:
        return matrix
    sides = (f"{each.type} {side(matrix, each.name)}".removeprefix("int ") for each in fields)
    words = (matrix if each.is_pointer else word for each, word in zip(fields, sides, strict=True))
    return f"{matrix if declared.name in SIZES else declared.name} = {{{', '.join(words)}}}"


def _is_factor(draft: Draft, read: SourceProgram, declared: Declared) -> bool:
    kind = _known(declared.type, draft.template, read)
    return not declared.is_pointer and kind in {"float", "double", "half", "__half"}


def _known(kind: str, template: Mapping[str, str], read: SourceProgram) -> str:
    """Return the type behind a name of the program's own."""
    for names in (template, read.names, read.names, read.names):
        kind = names.get(kind, kind)
    return kind


def _in_order(counts: list[str], arguments: Mapping[str, str]) -> dict[str, str]:
    """Return M, K and N for three sizes of which the names do not tell each, such as m, n and p; else nothing."""
    known = {size_of(name) for name in counts} - {""}
    others = [name for name in counts if NO_SIZE.search(name) or arguments.get(name, "").isdigit()]
    are_vague = not known or all(len(name) == 1 for name in counts)
    is_open = len(known) < len(counts) == len(SIZES) and are_vague and not others
    return dict(zip(counts, "MKN", strict=True)) if is_open else {}


def _size(draft: Draft, read: SourceProgram, name: str, counts: list[str], argument: str) -> str:
    if len(counts) == 1:
        return "N"
    if size := size_of(name):
        return size
    known = [size_of(other) for other in counts]
    missing = {*SIZES}.difference(known)
    value = missing.pop() if len(missing) == known.count("") == 1 else "N"
    if TILE.search(name):
        value = str(constant(read, argument) or "tile_x")
    elif argument.isdigit():
        value = argument
    draft.remarks.append(f"{name} is taken for {value}.")
    return f"{name} = {value}"


def _stores(kernel: SourceKernel, name: str) -> list[str]:
    """Return the operators that store elements of a matrix, of which a struct may have the elements."""
    return re.findall(rf"\b{name}\b(?:\s*\.\s*\w+)?\s*(?:\[[^\];]*\]\s*)+([-+*/]?=(?!=)|\+\+)", kernel.body)


def _adds(kernel: SourceKernel, read: SourceProgram) -> bool:
    """Whether the kernel adds to C, and never assigns to it."""
    name = next((name for name, matrix in _matrices(kernel, read).items() if matrix == "C"), "")
    found = [*_stores(kernel, name), *re.findall(rf"\batomicAdd\w*\s*\(\s*&?\s*{name}\b", kernel.body)]
    return bool(name and found) and "=" not in found


def _lines(
    draft: Draft, read: SourceProgram, kernel: SourceKernel, launch: list[str], headers: list[str]
) -> Iterator[str]:
    yield 'format = 1\ntitle = "Matrix multiplication"\npoints = 100\n'
    arguments = ", ".join(draft.template.values())
    is_zeroed = any(draft.names.get(name) == "C" for name in read.zeroed)
    if (adds := _adds(kernel, read)) and not is_zeroed:
        draft.remarks.append("The kernel adds to C, which is taken to be zero before each launch.")
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
    if draft.constants:
        yield f"constants = {json.dumps([f'{name} = {length}' for name, length in draft.constants.items()])}"
    if is_zeroed or adds:
        yield 'start = "zero"'
    yield from ("\n[launch]", *launch) if launch else ()
    if headers:
        yield f"\n[files]\nheaders = {json.dumps(headers)}"
    lengths = [each.N if each.is_square else list(each.lengths.values()) for each in draft.sizes]
    yield f"\n[sizes]\ncorrectness = {lengths}"
    yield '\n[[criteria]]\nid = "correct"\ntitle = "Correct answers"\nkind = "correct"\npoints = 100'
