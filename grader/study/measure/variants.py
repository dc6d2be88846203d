"""The kernels of a study: every file with every combination of macros, compiled side by side."""

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from grader.errors import SubmissionError, UsageError
from grader.host import cpus
from grader.judge.conditions import Conditions
from grader.judge.stages import CompiledKernel, compile_kernel
from grader.model import Fault
from grader.text.clean import one_line

MOST = 500
NAME_CHARACTERS = 60
HINT = "Write for example --define BLOCK=32; a sweep takes several values, as in --define BLOCK=8,16,32."

_DEFINE = re.compile(r"([A-Za-z_]\w*)=([^=]*)")
_VALUE = re.compile(r"[\w.+-]+")


@dataclass(frozen=True, slots=True)
class Variant:
    """A file with values for its macros. `file` tells it from the other files of the study, `name` from all others."""

    file: str
    content: bytes
    defines: Mapping[str, str]

    @property
    def name(self) -> str:
        return " ".join([self.file.removesuffix(".cu"), *(f"{name}={value}" for name, value in self.defines.items())])

    @property
    def flags(self) -> tuple[str, ...]:
        return tuple(f"-D{name}={value}" for name, value in self.defines.items())


def parse_defines(texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Read `BLOCK=8,16,32` and the like. Raises UsageError."""
    defines: dict[str, tuple[str, ...]] = {}
    for text in texts:
        match = _DEFINE.fullmatch(text)
        values = tuple(value.strip() for value in match[2].split(",")) if match else ()
        if not match or not all(_VALUE.fullmatch(value) for value in values):
            raise UsageError(f"--define: {one_line(text, 40)} does not give a macro its values.", HINT)
        if match[1] in defines:
            raise UsageError(f"--define: {match[1]} is given twice.", "Give all its values at once, between commas.")
        defines[match[1]] = tuple(dict.fromkeys(values))
    return defines


def variants(contents: Mapping[Path, bytes], defines: Mapping[str, tuple[str, ...]]) -> tuple[Variant, ...]:
    """Every file with every combination of values for those of the macros that it uses.

    Raises UsageError for a macro that would change nothing.
    """
    labels = _labels(tuple(contents))
    words = {path: set(re.findall(rb"\w+", content)) for path, content in contents.items()}
    used = {path: [name for name in defines if name.encode() in words[path]] for path in contents}
    for name in defines:
        _refuse_without_effect(name, {labels[path]: contents[path] for path in contents if name in used[path]})
    count = sum(math.prod(len(defines[name]) for name in names) for names in used.values())
    if count > MOST:
        raise UsageError(f"{count} kernels are more than {MOST}.", "Give fewer values.")
    return tuple(
        Variant(labels[path], content, dict(zip(used[path], values, strict=True)))
        for path, content in contents.items()
        for values in itertools.product(*(defines[name] for name in used[path]))
    )


def _refuse_without_effect(name: str, using: Mapping[str, bytes]) -> None:
    """A file's own definition replaces the one on the command line, except for one under #ifndef."""
    if not using:
        raise UsageError(f"--define: no file uses {name}.", "Check its spelling; case matters.")
    own, guard = rf"^\s*#\s*define\s+{name}\b".encode(), rf"^\s*#\s*if.*\b{name}\b".encode()
    for file, content in using.items():
        if re.search(own, content, re.MULTILINE) and not re.search(guard, content, re.MULTILINE):
            sentence = f"--define: {file} defines {name} itself, so that no other value has an effect."
            raise UsageError(sentence, f"Write #ifndef {name} before that line and #endif after it.")


def compile_all(conditions: Conditions, wanted: Sequence[Variant]) -> Iterator[tuple[Variant, CompiledKernel | Fault]]:
    """Compile as many at a time as there are cores, and yield them in order, each as soon as it is compiled."""

    def compiled(variant: Variant) -> CompiledKernel | Fault:
        try:
            return compile_kernel(conditions, variant.content, variant.file, variant.flags)
        except SubmissionError as error:
            return error.fault

    with ThreadPoolExecutor(len(cpus.allowed())) as pool:
        building = [pool.submit(compiled, variant) for variant in wanted]
        try:
            for variant, kernel in zip(wanted, building, strict=True):
                yield variant, kernel.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _labels(paths: tuple[Path, ...]) -> dict[Path, str]:
    """The file's name if no other file has it, else its path."""
    names = [one_line(path.name, NAME_CHARACTERS) for path in paths]
    return {
        path: name if names.count(name) == 1 else one_line(str(path), 2 * NAME_CHARACTERS)
        for path, name in zip(paths, names, strict=True)
    }
