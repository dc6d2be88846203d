"""What a student reads of a file that is no kernel's source, or not one file."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

from grader.model import Fault, Verdict

AS_UTF8 = "Save it as UTF-8 in your editor, and submit it again."
SOURCE_TEXT = "Submit the .cu source file, in UTF-8."
EMPTY = Fault(Verdict.BAD_FILE, "The file is empty.", "Was it saved, and is it the right file?")
TOO_LARGE = Fault(Verdict.BAD_FILE, "The file is larger than 1 MiB.", "Submit the source file, not a binary or data.")
HAS_NUL = Fault(Verdict.BAD_FILE, "The file is not text: it has NUL bytes.", SOURCE_TEXT)
BEGINNINGS = (  # how a file begins, what it then is, and what to do; nothing that begins so compiles
    (rb"\xff\xfe\0\0|\0\0\xfe\xff", "text in UTF-32", AS_UTF8),
    (rb"\xff\xfe|\xfe\xff", "text in UTF-16", AS_UTF8),
    (rb"\x1f\x8b|BZh\d1AY|\xfd7zXZ\0|7z\xbc\xaf|PK\x03\x04", "compressed", "Submit the .cu file that it contains."),
    (rb"%PDF-", "a PDF document", "Submit the .cu file itself, not a printed one."),
    (rb"\s*\{\\rtf", "a document of a word processor", "Save the kernel as plain text, in a .cu file."),
    (rb"\s*<(?i:!doctype|html|\?xml)", "a web page", "Was it saved instead of a download? Submit the .cu file."),
    (rb"version https://git-lfs\.", "a pointer of Git LFS", "Run `git lfs pull`, then submit the .cu file itself."),
    (rb'\s*\{\s*"(?:cells|metadata|nbformat)', "a notebook", "Submit the kernel's cell alone, as a .cu file."),
    (rb"\s*```", "Markdown", "Delete the lines that begin with ```: the first, and the one below the kernel."),
)
CONFLICT = tuple(re.compile(mark, re.MULTILINE) for mark in (rb"^<{7} ", rb"^={7}\r?$", rb"^>{7} "))


def not_text(line: int) -> Fault:
    """The fault of a file with control characters in this line."""
    return Fault(Verdict.BAD_FILE, f"Line {line} is not text.", SOURCE_TEXT, line)


def not_read(sentence: str) -> Fault:
    """The fault of a file in a folder or an archive that is not read; the `sentence` says why."""
    return Fault(Verdict.BAD_FILE, sentence, "Submit one .cu file of source text.")


def other_kind(content: bytes) -> Fault | None:
    """The fault of a file that its beginning shows to be something else."""
    for beginning, what, hint in BEGINNINGS:
        if re.match(beginning, content):
            return Fault(Verdict.BAD_FILE, f"The file is {what}.", hint)
    return None


def as_written(fault: Fault, content: bytes) -> Fault:
    """The fault of a file that does not compile, by what its text shows: a merge conflict, or a character of prose."""
    conflict = _with_conflict(fault, content)
    return _with_foreign_character(fault, content) if conflict is fault else conflict


def _with_conflict(fault: Fault, content: bytes) -> Fault:
    at, lines = 0, []
    for mark in CONFLICT:
        if (found := mark.search(content, at)) is None:
            return fault
        at = found.end()
        lines.append(content.count(b"\n", 0, at) + 1)
    first, _, last = lines
    if not first <= (fault.line or 0) <= last:
        return fault
    cause = f"lines {first} to {last} are a merge conflict that is not resolved."
    hint = "Keep the lines that you want, and delete those that begin with <<<<<<<, ======= and >>>>>>>."
    return replace(fault, sentence=f"It does not compile: {cause}", hint=hint, line=first, cause=cause)


def _with_foreign_character(fault: Fault, content: bytes) -> Fault:
    """Name the first character in the fault's line that looks like one of C++, or like nothing, and is neither."""
    lines, number = content.decode("utf-8-sig", "replace").splitlines(), fault.line or 0
    code = lines[number - 1].partition("//")[0] if 0 < number <= len(lines) else ""
    found = next((each for each in code if not each.isascii() and unicodedata.category(each)[0] in "PSZC"), None)
    if found is None:
        return fault
    name = unicodedata.name(found, "without a name").lower()
    shown = f'"{found}" ({name})' if found.isprintable() and not found.isspace() else f"an invisible character ({name})"
    cause = f"line {fault.line} has {shown}, which is no character of C++."
    hint = "Type that part of the line again. Documents, chats and PDF files replace characters of code by others."
    return replace(fault, sentence=f"It does not compile: {cause}", hint=hint, cause=cause)
