"""The layout of matrices in memory, and a launch's argument for each parameter of the rubric."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from grader.contract import inputs, structs
from grader.errors import InfrastructureError
from grader.model import Argument, Case, Interface, Launch, Operand, Shape, expressions
from grader.model.matrices import MATRICES

BAND = 65536  # bytes of guard on each side of a matrix in device memory, a multiple of cudaMalloc's 256
BUFFERS = frozenset(MATRICES)
NULL = "null"  # the value of a pointer to nothing
COLUMNS = 64  # of a transposed matrix that are copied at a time
GUARD = 0xFF  # the byte of guards and of padding between lines: a NaN in every float format, -1 in an integer one

# What C holds before a launch. Signalling NaNs, because arithmetic makes a NaN quiet and so changes its bits, while a
# copy keeps them; the payload tells them from the NaN of guards and of a simulated block's fresh shared memory.
POISON = {"float16": 0x7DA5, "float32": 0x7FA5A5A5, "float64": 0x7FF5A5A5A5A5A5A5, "int32": 0xA5A5A5A5}
# The same where the kernel has a parameter beta, which is zero: numbers, because BLAS and most kernels that follow it
# may compute beta * C. No sum of whole numbers equals them, and each such sum but 0 changes their bits if it is added.
NUMBERS = {"float16": 0x61A5, "float32": 0x447A5A5B, "float64": 0x408F4B4B4B4B4B4B, "int32": 0xA5A5A5A5}


def operands(interface: Interface, shape: Shape) -> dict[str, Operand]:
    """A, B and C as they lie in memory for `shape`, their leading dimensions included."""
    logical = {"A": (shape.M, shape.K), "B": (shape.K, shape.N), "C": (shape.M, shape.N)}
    types = interface.types
    result = {}
    for name, (rows, columns) in logical.items():
        lines, length = (columns, rows) if lines_are_columns(name, interface) else (rows, columns)
        result[name] = Operand(name, stored_type(types[name]), lines, length, length + interface.padding)
    return result


def stored_type(kind: str) -> str:
    """NumPy's type for the words of a matrix: it has no bfloat16, which is the upper half of a float32."""
    return "uint16" if kind == "bfloat16" else kind


def stored_as(name: str, interface: Interface) -> str:
    """Say how many lines of how many elements a matrix has, in the lab's names; nothing if all are square."""
    if not {"M", "K"} <= set(interface.parameters):
        return ""
    rows, columns = {"A": ("M", "K"), "B": ("K", "N"), "C": ("M", "N")}[name]
    if lines_are_columns(name, interface):
        return f"{name} is stored as {columns} columns of {rows} elements."
    return f"{name} is stored as {rows} rows of {columns} elements."


def matrix_bytes(shape: Shape, interface: Interface) -> int:
    """Bytes of A, B and C together, padding excluded: the least that any kernel moves."""
    matrices = operands(interface, shape).values()
    return sum(matrix.lines * matrix.length * np.dtype(matrix.dtype).itemsize for matrix in matrices)


def arguments(interface: Interface, shape: Shape, launch: Launch | None = None) -> tuple[Argument, ...]:
    """The launch's arguments in call order; without a launch, values that are expressions are 0.

    Raises NoValueError if the launch leaves one without a value.
    """
    strides = {f"ld{name.lower()}": operand.stride for name, operand in operands(interface, shape).items()}
    integers = {**shape.lengths, **strides}
    reals = {"alpha": interface.alpha, "beta": interface.beta}
    names = {**integers, **launch.names(shape)} if launch else None

    def argument(symbol: str) -> Argument:
        if symbol in integers:
            return Argument("integer", symbol, integers[symbol])
        if symbol in reals:
            return Argument("integer" if interface.type_c == "int32" else "real", symbol, reals[symbol])
        name, _, text = symbol.partition("=")
        return _valued(name.strip(), text.strip(), names) if text else Argument("buffer", symbol)

    return tuple(argument(symbol) for symbol in interface.parameters)


def launch_at(launch: Launch, shape: Shape) -> Launch:
    """The launch of a size, in numbers. Raises InfrastructureError, because a rubric is checked at its own sizes."""
    try:
        return launch.at(shape)
    except expressions.ExpressionError as error:
        raise InfrastructureError(f"The rubric has no launch for {shape}: an expression in it {error}.") from error


def blocks_that_run(case: Case, launch: Launch) -> NDArray[np.int64] | None:
    """Linear numbers of the blocks of a launch; None for all. Only blocks of known tiles can be shared out."""
    if not launch.has_tiles and case.run != inputs.CHECKED:
        return None
    return inputs.blocks(case, launch.grid(case.shape))


def signature(interface: Interface) -> tuple[Argument, ...]:
    """The arguments of a launch whose values do not matter: their kinds and the bytes of structs."""
    return arguments(interface, Shape(1, 1, 1))


def symbols(interface: Interface, shape: Shape, launch: Launch) -> dict[str, Argument]:
    """The values of the file's variables before a launch, by their names. Raises as `arguments` does."""
    values = arguments(replace(interface, parameters=interface.symbols), shape, launch)
    return {argument.name: argument for argument in values}


def check_values(interface: Interface, launch: Launch, shapes: Iterable[Shape]) -> None:
    """Raise NoValueError if a launch leaves a parameter or a variable without a value at one of these sizes."""
    for shape in shapes:
        arguments(interface, shape, launch.at(shape))
        symbols(interface, shape, launch.at(shape))


def _valued(name: str, text: str, names: Mapping[str, int] | None) -> Argument:
    """A parameter with a value, or 0 without names. One with a decimal point is a real number, as in C."""
    if text == NULL:
        return Argument("null", name)
    if text in BUFFERS:
        return Argument("buffer", text)
    if structs.is_struct(text):
        fields, nbytes = structs.lay_out(text, BUFFERS | {NULL})
        parts = tuple((at, size, _valued(name, value, names)) for at, size, value in fields)
        return Argument("struct", name, fields=parts, nbytes=nbytes)
    try:
        if expressions.is_real(text):
            return Argument("real", name, 0.0 if names is None else float(expressions.value(text, names)))
        return Argument("integer", name, 0 if names is None else expressions.whole(text, names))
    except expressions.ExpressionError as error:
        raise expressions.NoValueError(f"{name}: `{text}` {error}") from error


def guarded_bytes(operand: Operand) -> int:
    """Bytes of the operand with its guards, the second of which ends at a multiple of 256."""
    return 2 * BAND + operand.nbytes + -operand.nbytes % 256


def elements_between(content: NDArray[np.uint8], operand: Operand) -> NDArray[np.generic]:
    """The operand's elements in memory order, between the guards."""
    return content[BAND : BAND + operand.nbytes].view(operand.dtype)


def store(matrix: NDArray[np.generic] | None, operand: Operand, interface: Interface) -> NDArray[np.generic]:
    """The operand's elements in memory order, flat. Without a matrix, and between the lines of C, they are poison."""
    memory = np.empty(operand.elements, operand.dtype)
    _lay(memory, matrix, operand, interface)
    return memory


def store_guarded(matrix: NDArray[np.generic] | None, operand: Operand, interface: Interface) -> NDArray[np.uint8]:
    """The bytes of the operand in device memory: guard, elements as of `store`, guard."""
    content = np.empty(guarded_bytes(operand), np.uint8)
    content[:BAND] = content[BAND + operand.nbytes :] = GUARD
    _lay(elements_between(content, operand), matrix, operand, interface)
    return content


def _lay(
    memory: NDArray[np.generic], matrix: NDArray[np.generic] | None, operand: Operand, interface: Interface
) -> None:
    """Write the elements of an operand in memory order, some columns at a time: their lines fit into a CPU's cache."""
    if matrix is None or operand.stride > operand.length:
        memory.view(f"u{memory.itemsize}")[:] = _blank(operand, held_before(interface))
    if matrix is not None:
        lines = _words(matrix.T if lines_are_columns(operand.name, interface) else matrix, operand)
        target = memory.reshape(operand.lines, operand.stride)[:, : operand.length]
        width = operand.length if lines.flags.c_contiguous else COLUMNS
        for first in range(0, operand.length, width):
            target[:, first : first + width] = lines[:, first : first + width]


def load(memory: NDArray[np.generic], operand: Operand, interface: Interface) -> NDArray[np.generic]:
    """The logical matrix out of an operand's memory; the inverse of `store`."""
    lines = memory.reshape(operand.lines, operand.stride)[:, : operand.length]
    return lines.T if lines_are_columns(operand.name, interface) else lines


def padding(memory: NDArray[np.generic], operand: Operand) -> NDArray[np.generic]:
    """What lies between the lines."""
    return memory.reshape(operand.lines, operand.stride)[:, operand.length :]


def guarded(elements: NDArray[np.generic], operand: Operand) -> NDArray[np.uint8]:
    """The bytes of elements in memory order, with guards."""
    content = np.full(guarded_bytes(operand), GUARD, np.uint8)
    content[BAND : BAND + operand.nbytes] = elements.view(np.uint8)
    return content


def bits(elements: NDArray[np.generic]) -> NDArray[np.unsignedinteger]:
    """The same elements as unsigned integers, for comparisons that no NaN can spoil."""
    return np.ascontiguousarray(elements).view(np.dtype(f"u{elements.itemsize}"))


def _words(lines: NDArray[np.generic], operand: Operand) -> NDArray[np.generic]:
    if operand.dtype != stored_type("bfloat16"):
        return lines
    return (np.ascontiguousarray(lines, np.float32).view(np.uint32) >> np.uint32(16)).astype(np.uint16)


def held_before(interface: Interface) -> Mapping[str, int]:
    """Return what C holds before a launch without numbers of its own, by the type of C."""
    if interface.start == "zero":
        return dict.fromkeys(POISON, 0)
    return NUMBERS if any(text.partition("=")[0].strip() == "beta" for text in interface.parameters) else POISON


def _blank(operand: Operand, poison: Mapping[str, int]) -> int:
    """The word between lines, and in a C without a matrix."""
    size = np.dtype(operand.dtype).itemsize
    return poison[operand.dtype] if operand.name == "C" else int.from_bytes([GUARD] * size, "little")


def lines_are_columns(name: str, interface: Interface) -> bool:
    """Whether the contiguous lines in memory are columns of the logical matrix."""
    transposed = {"A": interface.transpose_a, "B": interface.transpose_b, "C": False}[name]
    return transposed != (interface.layout == "column")
