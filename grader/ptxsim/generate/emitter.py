"""Writes LLVM IR: numbered values, labels, and the types of lanes (LLVM Language Reference Manual)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache

from grader.ptxsim.analysis.shape import LANES, as_signed
from grader.ptxsim.syntax.records import WIDTHS

BITS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "i128": 128, "half": 16, "float": 32, "double": 64}


def vector(element: str, count: int = LANES) -> str:
    """Return the type of that many elements."""
    return f"<{count} x {element}>"


def bytes_of(type_: str) -> int:
    """Return how many bytes a value of a type takes in a warp's record."""
    if type_.startswith("<"):
        count, _, element = type_[1:-1].partition(" x ")
        return int(count) * max(8, BITS[element]) // 8
    return max(4, max(8, BITS[type_]) // 8)


def fresh_value(type_: str, *, traced: bool = False) -> str:
    """Return the initial value of a register: a NaN, or all ones, so that using it has a visible effect.

    In traced code it is a number: results that differ from those of other code depend on unset registers.
    """
    element = type_.rpartition(" x ")[2].rstrip(">")
    is_real = element in {"float", "double"}
    value = ("12.0" if is_real else "65") if traced else ("0x7FF8000000000000" if is_real else "-1")
    if type_ == "i1":
        return "false"
    return f"splat ({element} {value})" if type_.startswith("<") else value


ELEMENTS = {"f32": "float", "f64": "double", "pred": "i1", "tf32": "i32"}


def element_of(type_: str) -> str:
    """Return the LLVM type of a register of a PTX type. Narrow floating-point numbers are kept as their bits."""
    return ELEMENTS.get(type_) or f"i{max(8, WIDTHS[type_])}"


class Emitter:
    """Collects the lines of one function. Values that only depend on constants are made once for each block."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.entry: list[str] = []  # the beginning of the function, before all else
        self.declarations: set[str] = set()
        self._count = 0
        self._made: dict[str, str] = {}
        self._label = ""  # of the current block

    def sibling(self) -> Emitter:
        """Return an emitter for another function, with the same declarations."""
        other = Emitter()
        other.declarations = self.declarations
        return other

    def fresh(self) -> str:
        """Return a new name."""
        self._count += 1
        return f"%v{self._count}"

    def op(self, text: str) -> str:
        """Write an instruction that has a result, and return the result's name."""
        name = self.fresh()
        self.lines.append(f"  {name} = {text}")
        return name

    def pure(self, text: str) -> str:
        """Return the result of an instruction without side effects, written once for each text in a block."""
        name = self._made.get(text)
        if name is None:
            name = self._made[text] = self.op(text)
        return name

    def at_entry(self, text: str) -> str:
        """Write an instruction at the function's beginning."""
        name = self.fresh()
        self.entry.append(f"  {name} = {text}")
        return name

    def slot(self) -> str:
        """Return a place of 32 bits, which are zero at the function's beginning."""
        place = self.at_entry("alloca i32")
        self.entry.append(f"  store i32 0, ptr {place}")
        return place

    def counted(self, slot: str) -> str:
        """Add one to what is at a place, and return the sum."""
        count = self.op(f"add i32 {self.op(f'load i32, ptr {slot}')}, 1")
        self.do(f"store i32 {count}, ptr {slot}")
        return count

    def join(self, slot: str, lanes: str) -> None:
        """Add lanes to the mask at a place."""
        old = self.op(f"load i32, ptr {slot}")
        self.do(f"store i32 {self.op(f'or i32 {old}, {lanes}')}, ptr {slot}")

    def without(self, lanes: str, others: str) -> str:
        """Return a mask without the lanes of another one."""
        return self.op(f"and i32 {lanes}, {self.op(f'xor i32 {others}, -1')}")

    def first(self, lanes: str) -> str:
        """Return the number of the first lane of a mask; 32 if it has none."""
        return self.op(f"call i32 @llvm.cttz.i32(i32 {lanes}, i1 false)")

    def do(self, text: str) -> None:
        """Write an instruction without a result."""
        self.lines.append(f"  {text}")

    def label(self, name: str) -> None:
        """Begin a block: values of other blocks may not be available here."""
        self.inner_label(name)
        self._made.clear()

    def inner_label(self, name: str) -> None:
        """Begin a block that only the block above leads to; its values are available."""
        self.lines.append(f"{name}:")
        self._label = name

    def new_label(self, stem: str) -> str:
        """Return a label that no other has."""
        self._count += 1
        return f"{stem}{self._count}"

    def keep(self) -> dict[str, str]:
        """Return the values known here, to be restored after code that may not run."""
        return dict(self._made)

    def restore(self, known: dict[str, str]) -> None:
        """Restore the known values that `keep` has returned."""
        self._made = known

    def call(self, result: str, name: str, arguments: Sequence[tuple[str, str]]) -> str:
        """Call an intrinsic and declare it."""
        self.declare(result, name, [type_ for type_, _ in arguments])
        listing = ", ".join(f"{type_} {value}" for type_, value in arguments)
        return self.op(f"call {result} @{name}({listing})")

    def declare(self, result: str, name: str, types: Sequence[str]) -> None:
        """Declare a function that is not defined here."""
        self.declarations.add(f"declare {result} @{name}({', '.join(types)})")

    @contextmanager
    def where(self, condition: str, weights: str = "") -> Iterator[None]:
        """Write code, inside of the block, that runs only where a condition holds."""
        within, on = self.new_label("within"), self.new_label("on")
        self.do(f"br i1 {condition}, label %{within}, label %{on}{weights}")
        self.label(within)
        yield
        self.do(f"br label %{on}")
        self.label(on)

    @contextmanager
    def unless(self, condition: str) -> Iterator[None]:
        """Write code that ends in a fault, inside of the block, for where a condition does not hold."""
        holds, fails = self.new_label("holds"), self.new_label("fails")
        known = self.keep()
        self.do(f"br i1 {condition}, label %{holds}, label %{fails}, !prof !0")
        self.inner_label(fails)
        yield
        self.inner_label(holds)
        self.restore(known)

    def either(
        self, condition: str, usual: Callable[[], Sequence[str]], other: Callable[[], Sequence[str]], type_: str = "ptr"
    ) -> list[str]:
        """Write code that runs if a condition holds, as usual, and other code if not; return the values of either."""
        labels, behind = (self.new_label("usual"), self.new_label("other")), self.new_label("behind")
        self.do(f"br i1 {condition}, label %{labels[0]}, label %{labels[1]}, !prof !0")
        known, ways = self.keep(), []
        for label, write in zip(labels, (usual, other), strict=True):
            self.inner_label(label)
            values = write()  # which may begin blocks
            ways.append([f"[ {value}, %{self._label} ]" for value in values])
            self.do(f"br label %{behind}")
            self.restore(dict(known))
        self.inner_label(behind)
        return [self.op(f"phi {type_} {one}, {two}") for one, two in zip(*ways, strict=True)]

    def broadcast(self, element: str, value: str, count: int = LANES) -> str:
        """Return a vector with the same value everywhere."""
        type_ = vector(element, count)
        first = self.op(f"insertelement {type_} poison, {element} {value}, i32 0")
        return self.op(f"shufflevector {type_} {first}, {type_} poison, <{count} x i32> zeroinitializer")

    def wide(self, element: str, name: str) -> str:
        """Return an address with 64 bits."""
        return name if element == "i64" else self.pure(f"zext {element} {name} to i64")

    def load(self, type_: str, pointer: str, place: int | str = 0, align: int = 1) -> str:
        """Load from a pointer plus an offset in bytes."""
        return self.op(f"load {type_}, ptr {self.at(pointer, place)}, align {align}")

    def store(self, type_: str, value: str, pointer: str, place: int | str = 0, align: int = 1) -> None:
        """Store at a pointer plus an offset in bytes."""
        self.do(f"store {type_} {value}, ptr {self.at(pointer, place)}, align {align}")

    def at(self, pointer: str, place: int | str) -> str:
        """Return the pointer moved by an offset in bytes."""
        return pointer if place == 0 else self.pure(f"getelementptr i8, ptr {pointer}, i64 {place}")


def constants(element: str, values: Sequence[int]) -> str:
    """Return a constant vector of integers."""
    return _constants(element, tuple(values))


@lru_cache(maxsize=1024)
def _constants(element: str, values: tuple[int, ...]) -> str:
    if all(value == values[0] for value in values):
        return "zeroinitializer" if values[0] == 0 else f"splat ({element} {as_signed(values[0], BITS[element])})"
    return "<" + ", ".join(f"{element} {as_signed(value, BITS[element])}" for value in values) + ">"
