"""A submission of several files as one text: what it includes of its own is put where it is included. Pure.

The text is what is hashed, compiled, compared and shown. Marks in it, which are comments, tell which lines are whose.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import islice
from os import fsdecode, fsencode
from pathlib import Path
from posixpath import dirname, join, normpath

from grader.model import SourcePart
from grader.text.clean import one_line

INCLUDE = re.compile(
    rb"""/\*.*?(?:\*/|\Z) | //[^\n]* | \bR"([^()\\\s]{0,16})\(.*?(?:\)\1"|\Z)  # comments and raw strings
    | (?:^|\A\xef\xbb\xbf)[ \t]*\#[ \t]*(?:include|import)[ \t]*
      (?: "(?P<name>[^"\n]{1,200})" | (?P<macro>[A-Za-z_]\w{0,99}\b) )[^\n]*\n?
    | "(?:\\.|[^"\\\n])*"? | '(?:\\.|[^'\\\n])*'?""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
ONCE = re.compile(rb"^[ \t]*#[ \t]*(?:pragma[ \t]+once|ifndef[ \t]+(\w+)\s+#[ \t]*define[ \t]+\1)\b", re.MULTILINE)
PRAGMA = re.compile(rb"^[ \t]*#[ \t]*pragma[ \t]+once\b", re.MULTILINE)  # compilers warn of it in a main file
DEFINED = re.compile(rb'^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w{0,99})[ \t]+"([^"\n]{1,200})"', re.MULTILINE)
BEGIN, END = b"// >>>>> ", b"// <<<<< "
LONGEST_NAME, LARGEST, DEEPEST, MOST_PARTS = 120, 1 << 20, 32, 500
PROVIDED = tuple(Path(__file__).parents[1] / place for place in ("include", "worker/frontend/standins"))

Find = Callable[[str], bytes | None]  # the content of a file by its path; None if there is none


def joined(content: bytes, path: str, find: Find) -> bytes:
    """Return the text of the file at `path` with the files that it includes.

    A file with a guard counts once. What the grader has itself, such as lab.h, is left to it, and so is what leads out
    of the submission, or is larger or deeper than a submission may be.
    """
    find, once, bytes_ = cache(find), set[str](), len(content)

    def with_files(text: bytes, path: str, around: tuple[str, ...]) -> bytes:
        def replaced(found: re.Match[bytes]) -> bytes:
            nonlocal bytes_
            name = _name(found)
            there = normpath(join(dirname(path), name))
            if not name or there.startswith(("/", "..")) or any((place / name).is_file() for place in PROVIDED):
                return found[0]
            if there in (*around, path) or there in once:
                return b"// " + found[0]
            if bytes_ > LARGEST or len(around) == DEEPEST or (inner := find(there)) is None:
                return found[0]
            bytes_ += len(found[0]) + len(inner)
            if ONCE.search(inner):
                once.add(there)
            inner = PRAGMA.sub(rb"// \g<0>", inner.removeprefix(b"\xef\xbb\xbf"))
            inner = with_files(inner, there, (*around, path))
            shown = found["name"] or fsencode(name)
            return b"%s%s\n%s\n%s%s\n" % (BEGIN, shown, inner, END, shown)

        return INCLUDE.sub(replaced, text)

    return with_files(content, path, ())


def included(content: bytes) -> tuple[str, ...]:
    """Return the names of the files that a text includes in quotation marks, or by a macro that is such a name."""
    return tuple(filter(None, map(_name, INCLUDE.finditer(content))))


def _name(found: re.Match[bytes]) -> str:
    """Return the name of the file that is included; Windows separates folders by backslashes, too."""
    name: bytes = found["name"] or _definitions(found.string).get(found["macro"], b"")
    return fsdecode(name).replace("\\", "/")


@lru_cache(maxsize=2 * DEEPEST)  # a hostile text may include a macro in every line
def _definitions(text: bytes) -> dict[bytes, bytes]:
    """Return the name of a file that a macro of the text is, for each that is defined once only."""
    found = DEFINED.findall(text)
    often = Counter(macro for macro, _ in found)
    return {macro: name for macro, name in found if often[macro] == 1}


def parts(content: bytes) -> tuple[SourcePart, ...]:
    """Return where the text of each file begins; nothing for a single file. A student may have written the marks."""
    return tuple(islice(_parts(content), MOST_PARTS)) if BEGIN in content else ()


def _parts(content: bytes) -> Iterator[SourcePart]:
    outer, name, own = list[tuple[str, int]](), "", 0
    for line, text in enumerate(content.split(b"\n"), 1):
        own += 1
        if text.startswith(BEGIN):
            outer.append((name, own))
            name, own = one_line(text.removeprefix(BEGIN).decode("utf-8", "replace"), LONGEST_NAME), 0
            yield SourcePart(line + 1, name, 1)
        elif text.startswith(END) and outer:
            name, own = outer.pop()
            yield SourcePart(line + 1, name, own + 1)
