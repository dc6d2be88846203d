"""A rubric for a course's own program: what its text shows, and guesses that say how sure they are. Pure."""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import suppress

from grader.errors import UsageError
from grader.model import Header, Interface, Shape
from grader.rubric import calls
from grader.rubric.host_code import first_launch
from grader.rubric.load import schema
from grader.rubric.proposed_call import ProposedCall, proposed_call
from grader.rubric.proposed_launch import proposed_launch
from grader.rubric.proposed_sizes import proposed_sizes
from grader.rubric.source_calls import SourceKernel, SourceLaunch, SourceProgram, program

PRODUCT = re.compile(r"mul|gemm|mm|prod", re.IGNORECASE)
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
    launch = first_launch(read, kernel.name) or SourceLaunch(kernel.name, "", (), (), read.names)
    others = [f"The file has {len(read.kernels)} kernels; --kernel names another one."]
    remarks = others if len(read.kernels) > 1 and not wanted else []
    lines = _lines(read, proposed_call(read, kernel, launch), remarks, [header.name for header in headers])
    return "\n".join(lines) + "\n"


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


def _lines(read: SourceProgram, call: ProposedCall, remarks: list[str], headers: list[str]) -> Iterator[str]:
    sizes = proposed_sizes(call, read.symbols)
    launched = proposed_launch(call.with_constants(sizes.constants), sizes.shapes)
    is_zeroed = any(call.roles.get(name) == "C" for name in read.zeroed)
    yield 'format = 1\ntitle = "Matrix multiplication"\npoints = 100\n'
    remarks = [*remarks, *call.remarks, *sizes.remarks, *launched.remarks]
    if call.adds and not is_zeroed:
        remarks.append("The kernel adds to C, which is taken to be zero before each launch.")
    remarks += [f"{name} is set to N before each launch." for name in read.symbols]
    yield from (f"# To check: {remark}" for remark in remarks)
    arguments = f"<{', '.join(call.template.values())}>" if call.kernel.template else ""
    yield f"[kernel]\nname = {json.dumps(call.kernel.name + arguments)}"
    yield f"parameters = {json.dumps(launched.parameters)}"
    types = (f"{matrix} = {json.dumps(call.types.get(matrix, 'float32'))}" for matrix in "ABC")
    yield f"types = {{ {', '.join(types)} }}"
    yield from (f"{name} = {number}" for name, number in sorted(call.factors.items()))
    if any(re.fullmatch("ld[abc]", text) for text in launched.parameters):
        yield 'layout = "row"'
    if read.symbols:
        yield f"symbols = {json.dumps([f'{name} = N' for name in read.symbols])}"
    if sizes.constants:
        yield f"constants = {json.dumps([f'{name} = {length}' for name, length in sizes.constants.items()])}"
    if (is_zeroed or call.adds) and "beta" not in call.factors:
        yield 'start = "zero"'
    if launched.launch:
        yield from ("\n[launch]", *calls.launch_fields(launched.launch))
    if headers:
        yield f"\n[files]\nheaders = {json.dumps(headers)}"
    lengths = [each.N if each.is_square else list(each.lengths.values()) for each in launched.shapes]
    yield f"\n[sizes]\ncorrectness = {lengths}"
    yield '\n[[criteria]]\nid = "correct"\ntitle = "Correct answers"\nkind = "correct"\npoints = 100'
