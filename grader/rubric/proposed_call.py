"""How a proposed rubric calls a kernel: its template, and what each parameter gets. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from grader.contract.structs import split
from grader.rubric.arithmetic import constant
from grader.rubric.errors import TYPES
from grader.rubric.host_names import SIZES, TILE, HostNames, side, size_of, sizes_in
from grader.rubric.source_calls import Declared, SourceKernel, SourceLaunch, SourceProgram

LETTER = re.compile(r"(?i)(?:\w*_)?([abc])(?:_\w*)?")
NO_SIZE = re.compile(rf"{TILE.pattern}|^ld[abc]$")
FACTORS = {"alpha": 1, "beta": 0}
NUMBER = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)f?", re.IGNORECASE)
REALS = {"float", "double", "half", "__half"}

Structs = Mapping[str, tuple[Declared, ...]]  # the fields of each struct


@dataclass(frozen=True, slots=True)
class ProposedCall:
    """A kernel and its launch, which has no grid where the program has none, and how a rubric calls the kernel.

    `types` are those of the elements, and `roles` what variables of the host code are: matrices and sizes. `factors`
    are alpha and beta where they are not 1 and 0. `adds` is whether the kernel adds to C, and never assigns to it.
    """

    kernel: SourceKernel
    launch: SourceLaunch
    template: dict[str, str]
    parameters: tuple[str, ...]
    types: dict[str, str]
    roles: dict[str, str]
    factors: dict[str, float]
    adds: bool
    remarks: tuple[str, ...]

    @property
    def sizes(self) -> set[str]:
        """Which of M, N and K the kernel is given."""
        return sizes_in(self.parameters)

    def with_constants(self, constants: Mapping[str, int]) -> ProposedCall:
        """Return the call of a program whose constants have these values."""
        values = {name: str(length) for name, length in constants.items()}
        names = replace(self.launch.names, values=self.launch.names.values | values)
        return replace(self, launch=replace(self.launch, names=names))


def proposed_call(read: SourceProgram, kernel: SourceKernel, launch: SourceLaunch) -> ProposedCall:
    """Return how a kernel is called, by what its launch in the host code gives it."""
    template = _template(kernel, launch)
    given = _Parameters(kernel, launch, template, read.structs)
    chosen = [given.chosen(each) for each in kernel.parameters]
    of_template = [f"The template {kernel.name} gets {', '.join(template.values())}."]
    remarks = [*given.remarks(), *(each.remark for each in chosen if each.remark)]
    return ProposedCall(
        kernel,
        launch,
        template,
        parameters=tuple(each.text for each in chosen),
        types={
            given.matrices[each.name]: TYPES.get(kind, "float32")
            for each, kind in given.kinds.items()
            if each.name in given.matrices
        },
        roles=dict(given.roles(chosen)),
        factors=dict(given.factors(chosen)),
        adds=_adds(kernel, given.matrices),
        remarks=(*(of_template if kernel.template and not launch.template else ()), *remarks),
    )


def _template(kernel: SourceKernel, launch: SourceLaunch) -> dict[str, str]:
    """Return what the parameters of a template are: as launched, or else a tile of 16 and float."""
    types = {each.type for each in kernel.parameters}
    given = split(launch.template) if re.fullmatch(r"[\w\s,]+", launch.template) else ()
    given = given or tuple("float" if name in types else "16" for name in kernel.template)
    values = (str(constant(launch.names, part) or launch.names.values.get(part, part)) for part in given)
    return dict(zip(kernel.template, values, strict=False))


@dataclass(frozen=True, slots=True)
class _Chosen:
    """What a parameter gets, and a remark if that is not certain."""

    text: str
    remark: str = ""


class _Parameters:
    """The parameters of a kernel, and which of them are matrices, sizes and factors."""

    def __init__(
        self, kernel: SourceKernel, launch: SourceLaunch, template: Mapping[str, str], structs: Structs
    ) -> None:
        every = kernel.parameters
        self._every, self._names, self._structs = every, launch.names, structs
        self._arguments = dict(zip((each.name for each in every), launch.arguments, strict=False))
        self.matrices, self.kinds = _matrices(kernel, structs), dict(_kinds(kernel, structs, template, launch.names))
        named = [*zip("abc", "ABC", strict=True), *self.matrices.items()]
        self._pitches = {f"ld{name.lower()}": f"ld{matrix.lower()}" for name, matrix in named}
        numbers = [each for each in every if not each.is_pointer and each.type not in structs]
        self._factors = {each.name for each in numbers if self.kinds[each] in REALS}
        self._counts = [each.name for each in every if each.name not in {*self.matrices, *self._factors}]
        self._in_order = _in_order(self._counts, self._arguments)

    def remarks(self) -> Iterator[str]:
        """Yield what is not certain about all of them."""
        if missing := sorted({*"ABC"}.difference(self.matrices.values())):
            yield f"Not found among the parameters: {', '.join(missing)}."
        if self._in_order:
            yield f"{', '.join(self._in_order)} are taken for M, K and N, in this order."

    def roles(self, chosen: Sequence[_Chosen]) -> Iterator[tuple[str, str]]:
        """Yield the variables that are passed for matrices and sizes."""
        for declared, each in zip(self._every, chosen, strict=True):
            argument, value = self._arguments.get(declared.name, ""), each.text.rpartition(" = ")[2]
            role = value if value in SIZES else self.matrices.get(declared.name, "")
            if role and re.fullmatch(r"\w+", argument):
                yield argument, role

    def factors(self, chosen: Sequence[_Chosen]) -> Iterator[tuple[str, float]]:
        """Yield alpha and beta where the host code passes another number than 1 and 0."""
        for name in FACTORS.keys() & {each.text for each in chosen}:
            if (number := self._number_of(name)) not in {None, FACTORS[name]}:
                yield name, number

    def _number_of(self, name: str) -> float | None:
        argument = self._arguments.get(name, "")
        found = NUMBER.fullmatch(self._names.values.get(argument, argument))
        return float(found[1]) if found else None

    def chosen(self, declared: Declared) -> _Chosen:
        """Return what a parameter gets."""
        name = declared.name
        if matrix := self.matrices.get(name):
            return self._matrix(declared, matrix)
        if declared.is_pointer:
            return _Chosen(f"{name} = null", f"{name} is passed as a null pointer.")
        return self._number(name, declared.type)

    def _matrix(self, declared: Declared, matrix: str) -> _Chosen:
        name, kind, fields = declared.name, self.kinds[declared], self._structs.get(declared.type, ())
        remark = "" if kind in TYPES else f"{matrix} has the type {kind}, which is taken for float."
        sides = (f"{each.type} {side(matrix, each.name)}".removeprefix("int ") for each in fields)
        words = [matrix if each.is_pointer else word for each, word in zip(fields, sides, strict=True)]
        struct = f"{matrix if name in SIZES else name} = {{{', '.join(words)}}}"
        return _Chosen(struct if fields else matrix, remark)

    def _number(self, name: str, kind: str) -> _Chosen:
        if pitch := self._pitches.get(name.lower()):
            return _Chosen(pitch)
        if name in self._factors:
            is_known = name not in FACTORS or self._number_of(name) is not None
            remark = "" if is_known else f"{name} is taken for {FACTORS[name]}."
            return _Chosen(name if name in FACTORS else f"{name} = 1.0", remark)
        if name in FACTORS or kind == "bool":
            return _Chosen(f"{name} = {FACTORS.get(name, 0)}")
        return _Chosen(self._in_order[name]) if name in self._in_order else self._size(name)

    def _size(self, name: str) -> _Chosen:
        if size := "N" if len(self._counts) == 1 else size_of(name):
            return _Chosen(size)
        known = [size_of(other) for other in self._counts]
        missing = {*SIZES}.difference(known)
        value = missing.pop() if len(missing) == known.count("") == 1 else "N"
        argument = self._arguments.get(name, "")
        if TILE.search(name):
            value = str(constant(self._names, argument) or "tile_x")
        elif argument.isdigit():
            value = argument
        return _Chosen(f"{name} = {value}", f"{name} is taken for {value}.")


def _matrices(kernel: SourceKernel, structs: Structs) -> dict[str, str]:
    """Return which parameters are A, B and C: by their names, or else in order; C is the one that is stored."""
    given = [each for each in kernel.parameters if each.is_pointer or each.type in structs][:3]
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


def _adds(kernel: SourceKernel, matrices: Mapping[str, str]) -> bool:
    """Whether the kernel adds to C, and never assigns to it."""
    name = next((name for name, matrix in matrices.items() if matrix == "C"), "")
    found = [*_stores(kernel, name), *re.findall(rf"\batomicAdd\w*\s*\(\s*&?\s*{name}\b", kernel.body)]
    return bool(name and found) and "=" not in found


def _stores(kernel: SourceKernel, name: str) -> list[str]:
    """Return the operators that store elements of a matrix, of which a struct may have the elements."""
    return re.findall(rf"\b{name}\b(?:\s*\.\s*\w+)?\s*(?:\[[^\];]*\]\s*)+([-+*/]?=(?!=)|\+\+)", kernel.body)


def _kinds(
    kernel: SourceKernel, structs: Structs, template: Mapping[str, str], names: HostNames
) -> Iterator[tuple[Declared, str]]:
    """Yield the type of each parameter's numbers or elements, behind names of the program's own."""
    for declared in kernel.parameters:
        fields = structs.get(declared.type, ())
        kind = next((each.type for each in fields if each.is_pointer), declared.type)
        for known in (template, names.values, names.values, names.values):
            kind = known.get(kind, kind)
        yield declared, kind


def _in_order(counts: list[str], arguments: Mapping[str, str]) -> dict[str, str]:
    """Return M, K and N for three sizes of which the names do not tell each, such as m, n and p; else nothing."""
    known = {size_of(name) for name in counts} - {""}
    others = [name for name in counts if NO_SIZE.search(name) or arguments.get(name, "").isdigit()]
    are_vague = not known or all(len(name) == 1 for name in counts)
    is_open = len(known) < len(counts) == len(SIZES) and are_vague and not others
    return dict(zip(counts, "MKN", strict=True)) if is_open else {}
