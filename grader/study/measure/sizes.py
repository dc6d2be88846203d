"""Sizes as a person writes them on a command line. Pure.

- `256,512`: these; `512x768x1024`: M x N x K; `curve`: a word for many
- `255:2049:3`: from, to, step, and the end counts; `256:4096:*2`: from, to, factor
- `255:2049/22`: from, to, how many, evenly spread
"""

import re
from collections.abc import Iterable
from itertools import count, takewhile

from grader.errors import UsageError
from grader.model import Shape

LARGEST = 32768
MOST = 1000
HINT = "Write for example 256,512 or 255:2049:3 or 256:4096:*2 or 255:2049/22 or 512x768x1024 or curve."

# More than twenty from 255 to 2049: powers of two, both neighbours of each, round numbers, and multiples of 128.
CURVE = (255, 256, 257, 384, 400, 480, 511, 512, 513, 640, 768, 800, 896, 1000, 1023, 1024, 1025, 1152, 1200, 1280,
         1500, 1536, 1600, 1800, 1920, 2000, 2047, 2048, 2049)  # fmt: skip
WORDS = {"curve": CURVE, "powers": (256, 512, 1024, 2048, 4096)}
RUBRIC = "rubric"

_RANGE = re.compile(r"(\d+):(\d+)(:|:\*|/)(\d+)")
_BOX = re.compile(r"(\d+)x(\d+)x(\d+)")


def parse(text: str, rubric: tuple[Shape, ...]) -> tuple[Shape, ...]:
    """Return the shapes that `text` names, each once, in order; the word `rubric` means the rubric's own sizes.

    Raises UsageError for what is not a size.
    """
    shapes = dict.fromkeys(shape for part in text.split(",") for shape in _part(part.strip(), rubric))
    if len(shapes) > MOST:
        raise UsageError(f"--sizes: {len(shapes)} sizes are more than {MOST}.", "Take a larger step.")
    return tuple(shapes)


def _part(part: str, rubric: tuple[Shape, ...]) -> tuple[Shape, ...]:
    if part == RUBRIC:
        return rubric
    if box := _BOX.fullmatch(part):
        m, n, k = (_length(side, part) for side in box.groups())
        return (Shape(m, n, k),)
    return tuple(Shape(n, n, n) for n in _lengths(part))


def _lengths(part: str) -> Iterable[int]:
    if part in WORDS:
        return WORDS[part]
    return _range(found, part) if (found := _RANGE.fullmatch(part)) else (_length(part, part),)


def _range(found: re.Match[str], part: str) -> Iterable[int]:
    first, last, number = _length(found[1], part), _length(found[2], part), int(found[4])
    if last < first:
        raise UsageError(f"--sizes: {part} ends before it begins.", HINT)
    if number < (1 if found[3] == ":" else 2):
        raise UsageError(f"--sizes: {part} has no second size.", HINT)
    if found[3] == ":":
        return range(first, last + 1, number)
    if found[3] == "/":
        return (first + round(i * (last - first) / (number - 1)) for i in range(min(number, MOST + 1)))
    return takewhile(lambda length: length <= last, (first * number**power for power in count()))


def _length(word: str, part: str) -> int:
    if not re.fullmatch(r"\d{1,9}", word) or not 1 <= int(word) <= LARGEST:
        raise UsageError(f"--sizes: {part[:40]} is not a size from 1 to {LARGEST}.", HINT)
    return int(word)
