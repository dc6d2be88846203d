"""What a submission's text may contain, and the few words in it that a host compiler spells otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from grader.errors import SubmissionError
from grader.model import Fault, Verdict

NAME = "submission.cu"  # what the copy in the box is called

_TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_DIRECTIVE = re.compile(r"^[ \t]*(?:#|%:|\?\?=)[ \t]*(line\b|\d|embed\b)", re.MULTILINE)
_INCLUDE = re.compile(r"^[ \t]*(?:#|%:)[ \t]*include[ \t]*[<\"]([^>\"\n]+)[>\"]", re.MULTILINE)
_MARKER = re.compile(r'^# (\d+) "((?:[^"\\]|\\.)*)"')
_UNROLL = re.compile(
    r"^([ \t]*#[ \t]*pragma[ \t]+)unroll[ \t]*(\(?[ \t]*(\w*)[ \t]*\)?)[ \t]*(?://[^\n]*)?\r?$(?=\s*(?:for|while|do)\b)",
    re.MULTILINE,  # gcc refuses the pragma anywhere but before a loop
)
_NOINLINE = re.compile(r"(?<!\(\()\b__noinline__\b")

# Headers of the toolkit that stand for something the simulator does not have.
_HEADERS = (
    (r"cute/.*|cutlass/.*", "templates for tensor cores"),
    (r"cooperative_groups/(?!reduce\.h).*", "cooperative groups beyond a block"),
    (r"cuda_(?:fp16|bf16)\.hpp|cuda_fp[864]\.h", "small floating-point types"),
    (r"cuda/.*|cub/.*|thrust/.*|cudaTypedefs\.h", "libraries of the CUDA toolkit"),
    (r"cublas.*|cudnn.*|curand.*|cusparse.*|cusolver.*|nvrtc\.h", "libraries of the CUDA toolkit"),
    (r"texture.*|surface.*", "textures"),
)

# What the preprocessed text of a kernel may not contain, and what that is called.
_WORDS = (
    (r"\b(?:asm|__asm__|__asm)\b", "uses inline PTX (asm)"),
    (r"<<<", "has a kernel launch (<<<...>>>)"),
    (r"\bexperimental\s*::\s*precision\b|\bbmma_sync\b", "uses experimental types of tensor cores"),
    (
        r"\b(?:this_grid|this_multi_grid|this_cluster|grid_group|cluster_group|memcpy_async|labeled_partition)\b",
        "uses cooperative groups beyond a block",
    ),
    (r"\bcuda\s*::\s*\w+", "uses libcu++ (cuda::)"),
    (r"\btexture\s*<|\bcudaTextureObject_t\b|\b(?:tex|surf)[123]D\w*\s*[<(]", "uses textures"),
    (r"\bcuda[A-Z]\w*\s*\(", "calls the CUDA host API"),
    (r"\b__pipeline_arrive_on\b|\bnvcuda\s*::\s*experimental\b", "uses asynchronous barriers"),
    # gcc writes the name of a section into its assembly as it stands: another way to say `asm`.
    (
        r"\b_*(?:section|alias|weakref|symver|ifunc|init_priority)_*\s*\(|\b_*constructor_*\s*[,)(]",
        "places code or data itself",
    ),
)


def write_copy(source: Path, box: Path) -> str:
    """Copy the submission into the box, with each line where it was, and return its text without comments.

    Raises:
        SubmissionError: a directive or a header that has no place in a kernel for the simulator.

    """
    text = source.read_bytes().decode("latin-1")  # one character per byte: whatever it was, it is written back
    bare = without_comments(text)
    _check_directives(bare)
    _check_headers(bare)
    (box / NAME).write_bytes(_respell(text).encode("latin-1"))
    return bare


def without_comments(text: str) -> str:
    """Return the text with comments blanked and continued lines joined, each line where it was."""

    def blank(match: re.Match[str]) -> str:
        token = match[0]
        return token if token[0] in "\"'" else " " + "\n" * token.count("\n")

    return re.sub(r"\\[ \t]*\r?\n", "", _TOKEN.sub(blank, re.sub(r"\\[ \t]*\r?\n", "", text)))


def check_includes(files: Iterable[Path], allowed: Iterable[Path], bare: str) -> None:
    """Every file that the compiler opened lies in a folder of headers.

    Raises:
        SubmissionError: one does not; nothing of its contents is in the fault.

    """
    folders = [folder.resolve() for folder in allowed]
    for file in files:
        real = file.resolve()
        if not any(real.is_relative_to(folder) for folder in folders):
            raise forbidden_include(str(file), bare)


def forbidden_include(name: str, bare: str) -> SubmissionError:
    """Return the refusal of a header, with the line that names it if one does."""
    quoted = next((match for match in _INCLUDE.finditer(bare) if Path(match[1]).name == Path(name).name), None)
    return SubmissionError(
        Fault(
            Verdict.COMPILE_ERROR,
            f'The file includes "{quoted[1] if quoted else name}", which is not a header a kernel may use.',
            "Put everything the kernel needs into the one file.",
            line_of(bare, quoted.start()) if quoted else None,
        )
    )


def check_words(preprocessed: str) -> None:
    """Look through the submission's own lines, macros expanded, for what the simulator lacks.

    Raises:
        SubmissionError: they ask for it; not the student's fault.

    """
    numbers, lines = zip(*own_lines(preprocessed), strict=True)
    text = "\n".join(lines)  # as one, for a word and its parenthesis may stand in two lines
    for pattern, what in _WORDS:
        found = re.search(pattern, text)
        if found:
            raise not_supported(f"The file {what}", numbers[text.count("\n", 0, found.start())])


def own_lines(preprocessed: str) -> Iterator[tuple[int, str]]:
    """Yield number and text of the lines that come from the submission itself, without strings."""
    line, own = 0, False
    for text in preprocessed.split("\n"):
        marker = _MARKER.match(text)
        if marker:
            line, own = int(marker[1]), marker[2] == NAME
        else:
            if own:
                yield line, _TOKEN.sub('""', text)
            line += 1


def not_supported(what: str, line: int | None) -> SubmissionError:
    """Return a refusal that costs no points."""
    hint = (
        "The simulator runs device code alone: leave out host code, and grade the rest on a machine with an NVIDIA GPU."
    )
    return SubmissionError(Fault(Verdict.NOT_SUPPORTED, f"{what}, which is not supported here.", hint, line))


def line_of(text: str, position: int) -> int:
    """Return the line, from one, on which a position lies."""
    return text.count("\n", 0, position) + 1


def _check_directives(bare: str) -> None:
    directive = _DIRECTIVE.search(bare)
    if directive:
        raise not_supported(f"The file has a #{directive[1]} directive", line_of(bare, directive.start()))
    probe = bare.find("__has_include")
    if probe >= 0:
        raise not_supported("The file asks which headers exist (__has_include)", line_of(bare, probe))


def _check_headers(bare: str) -> None:
    for include in _INCLUDE.finditer(bare):
        for pattern, what in _HEADERS:
            if re.fullmatch(pattern, include[1].strip()):
                raise not_supported(f"The file includes <{include[1]}> ({what})", line_of(bare, include.start()))


def _respell(text: str) -> str:
    """Line for line the same program: `#pragma unroll` and `__noinline__` mean nothing to a host compiler."""
    return _NOINLINE.sub("__attribute__((noinline))", _UNROLL.sub(_unroll, text))


def _unroll(match: re.Match[str]) -> str:
    count = match[3] or "64"
    return f"{match[1]}GCC unroll {count}" if count.isdigit() else match[0]
