"""Mutants of the reference kernels: each differs from a correct kernel in one place, which one rule has changed.

The tiles of `pipelined.cu` for larger matrices do not run at the sizes of a test, so it has no mutants.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.host import installation

REFERENCE = installation.folder("reference")
LEFT_OUT = {"pipelined.cu"}
# Text that no rule changes: comments, directives other than #define, templates' heads, and the launch.
KEPT = re.compile(
    r"//[^\n]*|^#(?!define)[^\n]*|template <[^\n]*|^LAUNCH[^\n]*|extern \"C\"|static_assert[^\n]*", re.MULTILINE
)
LENGTH = r"(?:[MNK]|first|TILE|BLOCK|DEPTH|PER_THREAD|THREADS|WIDTH|ROWS|COLS)"

# rule: where it applies, and what may stand there instead
RULES: dict[str, tuple[str, tuple[str, ...]]] = {
    "barrier dropped": (r"__syncthreads\(\);", (";", "__syncwarp();")),
    "comparison changed": (r" < (?=\w)", (" <= ", " > ")),
    "comparison with zero or equality changed": (r" (?:==|!=) ", (" > ",)),
    "bound off by one": (rf"(?<= < ){LENGTH}\b", (r"(\g<0> - 1)", r"(\g<0> + 1)")),
    "index of a thread or block swapped": (r"\b(thread|block)Idx\.x\b", (r"\1Idx.y",)),
    "second index of a thread or block swapped": (r"\b(thread|block)Idx\.y\b", (r"\1Idx.x",)),
    "indices of an array swapped": (r"(\w+)\[([\w +*]+)\]\[([\w +*]+)\](?=[^;]*[;)])", (r"\1[\3][\2]",)),
    "local index swapped": (r"(?<=\[)tx\b|(?<=\[)ty\b|(?<=\[)i\b|(?<=\[)j\b", ("k", "0")),
    "sum assigned": (r" \+= (?=[^;\n]*;)", (" = ", " -= ")),
    "store adds": (r"(?<=\]) = (?=\w*sum)", (" += ",)),
    "number changed": (r"(?<![\w.])\d+(?![\w.])", (r"(\g<0> + 1)", r"(\g<0> - 1)")),
    "type narrowed": (r"\bint (?=\w+ =)", ("signed char ", "bool ")),
    "sum narrowed": (r"\b(?:float|ELEMENT) (?=sum)", ("int ", "_Float16 ")),
    "stride changed": (r"\* ([MNK])\b", (r"* (\1 + 1)", r"* (\1 - 1)")),
    "stride K instead of N": (r"(?<=\* )N(?= \+)", ("K",)),
    "stride N instead of K": (r"(?<=\* )K(?= \+)", ("N",)),
    "initial value removed": (r" = (?:0\.0f|0|\{\});", (";",)),
    "zeros beyond the edge replaced": (r" : 0(?:\.0f)?", (" : 1",)),
    "one condition instead of both": (r" && ", (" || ",)),
    "operation changed": (r"(?<=\w) \+ (?=\w)", (" - ",)),
    "product replaced": (r"(?<=[\])]) \* (?=\w)", (" + ",)),
    "step of a loop changed": (r"\+\+(k|i|j)\b", (r"\1 += 2",)),
    "step over a tile changed": (r"(?<=first) \+= (\w+)", (r" += \1 - 1", r" += \1 + 1")),
    "early return dropped": (r"\breturn;", (";",)),
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A kernel with one change: in which file and line, by which rule, and the text before and after."""

    file: Path
    rule: str
    line: int
    before: str
    after: str
    code: str

    def __str__(self) -> str:
        where = f"{self.file.relative_to(REFERENCE)}:{self.line}"
        return f"{where}: {self.rule}: `{self.before.strip()}` to `{self.after.strip()}`"


def sources() -> list[Path]:
    """The reference kernels of the square and the rectangular lab."""
    files = [*REFERENCE.glob("*.cu"), *(REFERENCE / "rectangular").glob("*.cu")]
    return sorted(file for file in files if file.name not in LEFT_OUT)


def mutants() -> list[Mutant]:
    """Every mutant that the rules give, each program once."""
    every = [mutant for file in sources() for mutant in _mutants_of(file)]
    return list({(mutant.file, mutant.code): mutant for mutant in every}.values())


def _mutants_of(file: Path) -> Iterator[Mutant]:
    code = file.read_text(encoding="utf-8")
    visible = KEPT.sub(lambda kept: "\0" * len(kept[0]), code)
    for rule, (pattern, replacements) in RULES.items():
        for place in re.finditer(pattern, visible):
            for replacement in replacements:
                after = place.expand(replacement)
                changed = code[: place.start()] + after + code[place.end() :]
                if after != place[0] and "\0" not in place[0]:
                    yield Mutant(file, rule, code.count("\n", 0, place.start()) + 1, place[0], after, changed)


def sample(every: Sequence[Mutant], per_rule: int, seed: int = 1) -> list[Mutant]:
    """At most so many mutants of each rule at random, the rules in turn; the same ones for the same seed."""
    generator = random.Random(seed)  # noqa: S311 - a choice of tests, no secret
    by_rule = [[mutant for mutant in every if mutant.rule == rule] for rule in RULES]
    shuffled = [generator.sample(members, len(members)) for members in by_rule]
    return [members[turn] for turn in range(per_rule) for members in shuffled if turn < len(members)]
