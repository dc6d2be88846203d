"""How a rubric describes the call of a kernel: its parameters and its launch, as records and with their mistakes."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

import cattrs

from grader.contract import structs
from grader.contract.launch_limits import MAX_BLOCK, MAX_GRID, MAX_THREADS
from grader.contract.layout import BUFFERS, NULL, operands
from grader.model import Interface, Launch, Shape, expressions
from grader.model.expressions import ExpressionError
from grader.model.matrices import MATRICES
from grader.rubric import errors
from grader.rubric.errors import Names, Table, extents, nearest, shown, whole_number

SIZES, PITCHES = ("M", "N", "K"), ("lda", "ldb", "ldc")
SHARED_NAMES = (*MATRICES, *SIZES, *PITCHES, "alpha", "beta")
NAME = re.compile(r"[A-Za-z_]\w{0,99}", re.ASCII)
MOST_SHARED = 262144  # bytes
DEFAULT: Table = {"block": [16, 16]}
OF_FILE = "file"  # the launch of a file's own host code


def mistakes(table: Table, sizes: Mapping[str, Shape]) -> Iterator[str]:
    """Yield every mistake in the call of a kernel at `sizes`, which are given by their places."""
    kernel, launch = table["kernel"], table.get("launch", DEFAULT)
    launch = DEFAULT if launch == OF_FILE else launch
    shapes = tuple(dict.fromkeys(sizes.values()))
    every = [text for each in (*table.get("before", []), kernel) for text in each["parameters"]]
    given = [*every, *kernel.get("symbols", [])]
    known = set(given).union(*map(_names_in, given))  # by itself or in a value
    yield from _matrices(kernel["parameters"], every)
    yield from _pitches(kernel, known)
    yield from _factors(kernel, every)
    yield from _known_sizes(known, sizes)
    yield from call(("kernel", "launch"), kernel, launch, shapes, table.get("matrices", {}))


def call(
    places: tuple[str, str], kernel: Table, launch: Table, shapes: Sequence[Shape], matrices: Iterable[str] = ()
) -> Iterator[str]:
    """Yield the mistakes in the parameters and in the launch of one kernel, which the rubric has at these places."""
    of_kernel, of_launch = places
    lengths = {shape: shape.lengths for shape in shapes}
    wrong = list(extents(f"{of_launch}.block", launch["block"], lengths, MAX_BLOCK, MAX_THREADS, "threads"))
    yield from wrong
    if not wrong:
        sized = {shape: launch_record(launch, shape).names(shape) for shape in shapes}
        for axis, blocks in enumerate(launch.get("grid", [])):
            yield from whole_number(f"{of_launch}.grid[{axis}]", blocks, sized, 1, MAX_GRID[axis])
        yield from whole_number(f"{of_launch}.shared", launch.get("shared", 0), sized, 0, MOST_SHARED)
        yield from _parameters(of_kernel, kernel, sized, (*SHARED_NAMES, *matrices))


def interface_record(kernel: Table) -> Interface:
    """Return how a kernel is called."""
    types = kernel.get("types", {})
    fields = {name: value for name, value in kernel.items() if name != "types"}
    name, _, arguments = kernel["name"].partition("<")
    fields |= {"name": name, "template": arguments.removesuffix(">").strip()}
    fields |= {f"type_{name.lower()}": value for name, value in types.items()}
    return cattrs.structure(fields, Interface)


def launch_record(table: Table | str | None, example: Shape) -> Launch:
    """Return how a kernel is launched. A block that depends on the size is shown as at the `example`."""
    launch = table if isinstance(table, dict) else DEFAULT
    threads = [str(each) for each in launch["block"]]
    x, y, z = (*(expressions.whole(each, example.lengths) for each in threads), 1, 1)[:3]
    columns, rows = launch.get("tile", (x, y))
    is_same, shared = not any(map(expressions.names_in, threads)), launch.get("shared", 0)
    return Launch(
        (x, y, z),
        (int(columns), int(rows)),
        shared if isinstance(shared, int) else 0,
        launch.get("grid_x", "columns"),
        grid_by=tuple(str(each) for each in launch.get("grid", [])),
        block_by=() if is_same else tuple(threads),
        shared_by="" if isinstance(shared, int) else str(shared),
        of_file=table == OF_FILE,
    )


def launch_fields(launch: Launch) -> Iterator[str]:
    """Yield the fields of a launch as a rubric has them."""
    yield f"block = {_list(launch.threads_along)}"
    if launch.grid_by:
        yield f"grid = {_list(launch.grid_by)}"
    elif launch.tile != launch.block[:2] or launch.block_by:
        yield f"tile = {_list(launch.tile)}"
    if launch.shared or launch.shared_by:
        yield f"shared = {json.dumps(launch.shared_by or launch.shared)}"
    if launch.grid_x == "rows":
        yield 'grid_x = "rows"'


def launch_line(launch: Launch) -> str:
    """Return a LAUNCH line for a launch in numbers."""
    columns, rows = launch.tile
    fields = [f".block = {{{', '.join(launch.threads_along)}}}", f".tile = {{{columns}, {rows}}}"]
    fields += [f".shared = {launch.shared}"] if launch.shared else []
    fields += [".grid_x = ROWS"] if launch.grid_x == "rows" else []
    return f"LAUNCH({', '.join(fields)});"


def _list(numbers: Iterable[int | str]) -> str:
    texts = map(str, numbers)
    return f"[{', '.join(text if text.isdigit() else json.dumps(text) for text in texts)}]"


def _matrices(own: Sequence[str], every: Sequence[str]) -> Iterator[str]:
    """Yield the matrices that a kernel is given twice, or not at all; those before it may be given A and B."""
    given, anywhere = ([name for text in texts for name in _shared_names(text)] for texts in (own, every))
    for name in MATRICES:
        if name not in (given if name == "C" else anywhere):
            yield f"kernel.parameters: {name} is missing, and without it there is no product"
        elif given.count(name) > 1:
            yield f"kernel.parameters: {name} is listed twice"


def _pitches(kernel: Table, known: Collection[str]) -> Iterator[str]:
    """Yield the mistakes in what a kernel knows of the lines of the matrices."""
    given, missing = ([name for name in PITCHES if (name in known) is is_given] for is_given in (True, False))
    if given and "layout" not in kernel:
        must = "kernel.layout must say whether it counts along a row or a column"
        yield f"kernel.parameters: {given[0]} is given, so {must}"
    if kernel.get("padding", 0) and missing:
        why = f"because {missing[0]} is not one of its parameters"
        yield f"kernel.padding: the kernel cannot know of the padding, {why}"


def _factors(kernel: Table, every: Collection[str]) -> Iterator[str]:
    """Yield the mistakes in alpha and beta."""
    for factor, neutral in (("alpha", 1), ("beta", 0)):
        value = kernel.get(factor, neutral)
        if value != neutral and factor not in every:
            yield f"kernel.{factor}: the kernel cannot know of it, because {factor} is not one of its parameters"
        if "int32" in type_names(kernel) and value % 1:
            yield f"kernel.{factor}: it must be a whole number, because C is int32, which keeps no fractions"


def type_names(kernel: Table) -> set[str]:
    """Return the types of the elements of A, B and C."""
    return set(kernel.get("types", {"C": "float32"}).values())


def _values_of(text: str) -> tuple[str, ...]:
    """Return the value of a parameter, or those of the fields of a struct; nothing for a name alone."""
    value = text.partition("=")[2].strip()
    return structs.values(value) if structs.is_struct(value) else (value,) if value else ()


def _shared_names(text: str) -> tuple[str, ...]:
    """Return the matrices, sizes and factors that a parameter is, or has as its fields."""
    return tuple(value for value in _values_of(text) if value in BUFFERS) if "=" in text else (text,)


def _names_in(text: str) -> frozenset[str]:
    """Return what the values of a parameter depend on; nothing if it has none, or a wrong one."""
    names = set[str]()
    for value in _values_of(text):
        with suppress(ExpressionError):
            names |= expressions.names_in(value)
    return frozenset(names)


def _known_sizes(names: set[str], sizes: Mapping[str, Shape]) -> Iterator[str]:
    """Yield the sizes of which a kernel cannot know: one that is given none is written for a single size."""
    known = [name for name in SIZES if name in names]
    if names.isdisjoint((*SIZES, *PITCHES)) and len(set(sizes.values())) > 1:
        yield (
            "kernel.parameters: none of M, N and K is given, so the kernel is written for one size, but the lab has "
            f"{', '.join(map(str, dict.fromkeys(sizes.values())))}"
        )
    for place, size in sizes.items():
        if len(known) == 1 and not size.is_square:
            yield f"{place}: {size} is not square, but the kernel is given only {', '.join(known)} of M, N and K"


def _parameters(place: str, kernel: Table, sized: Names, shared: Sequence[str]) -> Iterator[str]:
    interface, names = interface_record(kernel), dict[Shape, dict[str, int]]()
    for shape, known in sized.items():
        pitches = {f"ld{name.lower()}": operand.stride for name, operand in operands(interface, shape).items()}
        names[shape] = {**known, **pitches}
    for index, text in enumerate(kernel["parameters"]):
        yield from _parameter(f"{place}.parameters[{index}]", text, names, shared)
    for index, text in enumerate(kernel.get("symbols", [])):
        at = f"kernel.symbols[{index}]"
        if "=" not in text or BUFFERS & set(_values_of(text)):
            yield f"{at}: must be a name and its value in numbers, such as `size = N`, but is {shown(text)}"
        else:
            yield from _parameter(at, text, names, shared)


def _parameter(at: str, text: str, names: Names, shared: Sequence[str]) -> Iterator[str]:
    name, _, value = (part.strip() for part in text.partition("="))
    may_be = BUFFERS if structs.is_struct(value) else {"alpha", "beta"}
    if "=" not in text and text not in shared:
        allowed = f"one of {', '.join(shared)}, or a name and its value, such as `side = tile_x`"
        yield f"{at}: must be {allowed}, but is {shown(text)}{nearest(name, shared)}"
    elif value and (name in set(shared) - may_be or not NAME.fullmatch(name)):
        yield f"{at}: `{shown(name)}` cannot be the name of a parameter with a value"
    elif "=" in text and not _values_of(text):
        yield f"{at}: `{shown(name)}` has no value"
    for each in _values_of(text):
        if each not in {NULL, *BUFFERS}:
            yield from errors.in_expression(at, each, names, _number)


def _number(text: str, names: Mapping[str, int]) -> object:
    return expressions.value(text, names) if expressions.is_real(text) else expressions.whole(text, names)
