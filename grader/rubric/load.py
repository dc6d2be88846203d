"""Load a rubric: read the TOML, check it, and build the frozen record. Every mistake is one sentence with its place."""

import codecs
import hashlib
import json
import tomllib
from dataclasses import replace
from datetime import date, datetime
from functools import cache
from math import isfinite
from pathlib import Path

import cattrs
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.validators import extend

from grader.errors import UsageError
from grader.host import installation
from grader.model import Criterion, Header, Limits, Rubric, Shape, Timing
from grader.rubric import calls, course_files, further, semantics
from grader.rubric.criteria import KINDS
from grader.rubric.errors import Table

LARGEST_FILE = 1 << 20
HINT = "docs/rubric.md explains every field; rubrics/square.toml is an example."

SCHEMA = Path(__file__).parents[1] / "schemas" / "rubric.schema.json"


def load(path: Path) -> Rubric:
    """Read and check the rubric at `path`.

    Raises UsageError that lists every mistake on a line of its own when the file cannot be read as a rubric.
    """
    content = _read(path)
    table = _parse(path, content)
    mistakes = semantics.mistakes(table, schema(), has_kernel=lambda name: bool(find_kernel(name, path.parent)))
    if mistakes:
        raise UsageError("\n".join(f"{path}: {mistake}" for mistake in mistakes), HINT)
    headers = course_files.read(table.get("files", {}).get("headers", []), path)
    hashes = "".join(header.sha256 for header in headers)
    return _rubric(table, hashlib.sha256(content + hashes.encode()).hexdigest(), headers)


def find_kernel(name: str, beside: Path) -> Path | None:
    """Find the naive kernel that a rubric in the folder `beside` names; None where there is no such file."""
    candidates = (beside / name, installation.folder("reference") / name)
    return next((candidate for candidate in candidates if _is_file(candidate)), None)


@cache
def schema() -> Draft202012Validator:
    """Return the validator of the published JSON Schema."""
    numbers = Draft202012Validator.TYPE_CHECKER.redefine("number", _is_finite_number)
    validator: type[Draft202012Validator] = extend(Draft202012Validator, type_checker=numbers)  # type: ignore[no-untyped-call]
    formats = FormatChecker(())
    formats.checks("date-time", ValueError)(_has_offset)
    return validator(json.loads(SCHEMA.read_text(encoding="utf-8")), format_checker=formats)


def _has_offset(text: object) -> bool:
    """Whether a text is a date with its time and offset from UTC. Raises ValueError for no date."""
    return not isinstance(text, str) or datetime.fromisoformat(text).utcoffset() is not None


def _is_finite_number(_checker: object, value: float) -> bool:
    """Whether a value is a number that comparisons order, which NaN is not."""
    return Draft202012Validator.TYPE_CHECKER.is_type(value, "number") and (isinstance(value, int) or isfinite(value))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that is too long, or a folder without permission
        return False


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        hint = "Name a .toml file, and check the spelling of its path and its permissions."
        raise UsageError(f"{path}: the rubric cannot be read: {error.strerror}.", hint) from error
    if len(content) > LARGEST_FILE:
        raise UsageError(f"{path}: the file is larger than 1 MiB, so it is not a rubric.", HINT)
    return content


def _parse(path: Path, content: bytes) -> Table:
    has_mark = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))  # as Windows writes it
    try:
        return _with_text_date(tomllib.loads(content.decode("utf-16" if has_mark else "utf-8-sig")))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UsageError(
            f"{path}: line {line} is not {error.encoding.upper()} text.", "Save the file as UTF-8."
        ) from error
    except RecursionError:
        raise UsageError(f"{path}: values are nested too deeply.", HINT) from None
    except ValueError as error:  # TOMLDecodeError is a ValueError, and so is the error of int() for thousands of digits
        what = " ".join(str(error).split())
        raise UsageError(f"{path}: {what}.", "This is not valid TOML; see https://toml.io.") from error


def _with_text_date(table: Table) -> Table:
    """Return the table with the date as text, which is what JSON Schema and records know."""
    sizes = table.get("sizes")
    if isinstance(sizes, dict) and isinstance(moment := sizes.get("visible_after"), date):
        return {**table, "sizes": {**sizes, "visible_after": moment.isoformat()}}
    return table


def _rubric(table: Table, sha256: str, headers: tuple[Header, ...]) -> Rubric:
    sizes, baselines = table["sizes"], table.get("baselines", {})
    example = semantics.shape(sizes["correctness"][0])
    return Rubric(
        title=table["title"],
        interface=further.added(calls.interface_record(table["kernel"]), table, example),
        launch=calls.launch_record(table.get("launch"), example),
        flags=tuple(table.get("compile", {}).get("flags", ["-O3"])),
        sizes=_shapes(sizes["correctness"]),
        quick_sizes=_shapes(sizes.get("quick", sizes["correctness"][:1])),
        timed_sizes=_shapes([*sizes.get("timing", []), *sizes.get("large", [])]),
        limits=cattrs.structure(table.get("limits", {}), Limits),
        timing=cattrs.structure(table.get("timing", {}), Timing),
        naive=baselines.get("naive", ""),
        library=baselines.get("library", ""),
        criteria=tuple(_criterion(criterion, sizes) for criterion in table["criteria"]),
        sha256=sha256,
        undefined=table.get("checks", {}).get("undefined", "fails"),
        hidden_sizes=_shapes(sizes.get("hidden", [])),
        visible_after=sizes.get("visible_after", ""),
        headers=headers,
    )


def _criterion(criterion: Table, sizes: Table) -> Criterion:
    counted = [size for name in KINDS[criterion["kind"]].sizes for size in sizes.get(name, [])]
    others = {name: value for name, value in criterion.items() if name != "sizes"}
    return replace(cattrs.structure(others, Criterion), sizes=_shapes(criterion.get("sizes", counted)))


def _shapes(sizes: list[int | list[int]]) -> tuple[Shape, ...]:
    return tuple(semantics.shape(size) for size in sizes)
