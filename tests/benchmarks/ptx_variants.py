"""Variants of instructions on numbers and bits: which ptxas accepts, and whether the simulator computes each right.

python tests/benchmarks/ptx_variants.py         on operands of 4 seeds
python tests/benchmarks/ptx_variants.py 20      of so many

First, all that the simulator translates, against the reference of `tests/ptxsim/generate/`. Then what ptxas
accepts and the simulator refuses, among the same instructions with one word more, one less or another type.
"""

import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from grader.ptxsim.generate.translation import ARITHMETIC, LOGIC, VALUES, VARIANTS  # noqa: E402
from grader.ptxsim.syntax.records import WIDTHS  # noqa: E402
from tests.ptxsim.generate.sweep import instructions, wrong  # noqa: E402
from tests.ptxsim.generate.written import HEAD, NAMES, Written, held, line, written  # noqa: E402

TABLES = (ARITHMETIC, LOGIC, VALUES)
ARCHITECTURE = "sm_90a"
MANY = 20_000  # lines of one file
PASSES = 100  # ptxas ends before it has seen all mistakes of a file
_WORDS = (
    *("ftz", "sat", "relu", "NaN", "xorsign", "abs", "rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi", "rs"),
    *("approx", "full", "hi", "lo", "wide", "cc", "satfinite", "oob", "noftz", "clamp", "wrap", "shiftamt", "to"),
    *("and", "or", "xor", "eq", "ne", "l", "r", "f4e", "b4e", "rc8", "rc16", "ecl", "ecr", "pack"),
)


def refused_by_ptxas(lines: Sequence[str]) -> dict[int, str]:
    """Return the numbers of the lines that ptxas does not accept, with what it says."""
    found: dict[int, str] = {}
    with tempfile.TemporaryDirectory() as box:
        path = Path(box) / "lines.ptx"
        for _ in range(PASSES):
            body = "\n".join("" if number in found else text for number, text in enumerate(lines))
            path.write_text(f"{HEAD}{body}\nret;\n}}\n", encoding="utf-8")
            command = ["ptxas", f"-arch={ARCHITECTURE}", "-O0", "-o", "/dev/null", str(path)]
            ran = subprocess.run(command, capture_output=True, text=True, check=False)
            if ran.returncode == 0:
                return found
            for match in re.finditer(r"line (\d+); (?:error|fatal)\s*: (.*)", ran.stderr):
                found.setdefault(int(match[1]) - HEAD.count("\n") - 1, match[2])
    raise RuntimeError(ran.stderr)


def is_translated(opcode: str, modifiers: tuple[str, ...]) -> bool:
    """Whether the simulator has a variant with these modifiers."""
    return any(variant.has(modifiers) for variant in VARIANTS[opcode])


def neighbours(instruction: Written) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the word that makes a difference, and the modifiers with it."""
    modifiers = instruction.modifiers
    kinds = sum(word in WIDTHS for word in modifiers)
    yield from ((word, (*modifiers[:-kinds], word, *modifiers[-kinds:])) for word in _WORDS if word not in modifiers)
    for place, word in enumerate(modifiers):
        others = WIDTHS if word in WIDTHS else ()
        yield from ((other, (*modifiers[:place], other, *modifiers[place + 1 :])) for other in others)
        yield f"no {word}", modifiers[:place] + modifiers[place + 1 :]


def not_translated(listed: Sequence[Written]) -> Iterator[tuple[str, Written]]:
    """Yield neighbours that the simulator refuses, once each."""
    seen = set()
    for instruction in listed:
        for word, modifiers in neighbours(instruction):
            key = instruction.opcode, modifiers
            if key in seen or is_translated(*key) or not WIDTHS.keys() & {*modifiers}:
                continue
            seen.add(key)
            other = written(*key)
            if all(kind in WIDTHS and held(kind) in NAMES for kind in (other.to, *other.sources)):
                yield word, other


def main(seeds: int) -> None:
    """Print what was found."""
    listed = [instruction for table in TABLES for instruction in instructions(table)]
    illegal = Counter(refused_by_ptxas([line(instruction) for instruction in listed]).values())
    print(f"{len(listed)} variants, of which ptxas refuses {illegal.total()}: {dict(illegal)}")
    for seed in range(seeds):
        for text in wrong(listed, 1000 * seed):
            print("WRONG", text)
    others = list(not_translated(listed))
    legal: dict[tuple[str, str], list[str]] = {}
    for first in range(0, len(others), MANY):
        part = others[first : first + MANY]
        refused = refused_by_ptxas([line(other) for _, other in part])
        for number, (word, other) in enumerate(part):
            if number not in refused:
                legal.setdefault((other.opcode, word), []).append(other.name)
    print(f"{len(others)} others, of which ptxas accepts {sum(map(len, legal.values()))}:")
    for (opcode, word), names in sorted(legal.items()):
        print(f"{len(names):6} {opcode} with {word}, such as {names[0]}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4)
