"""The body of a function: its declarations, labels and instructions (PTX ISA, "Instruction Statements")."""

from __future__ import annotations

from dataclasses import replace

from grader.ptxsim.records.lacks import Lack, MalformedError, UnsupportedError
from grader.ptxsim.syntax import records
from grader.ptxsim.syntax.declarations import SPACES, parameter, variables
from grader.ptxsim.syntax.lexer import Cursor, Lines, Place
from grader.ptxsim.syntax.operands import BRANCHES, Scopes, mapped, operand

_OF_TEXTURES = frozenset({"tex", "tld4", "txq", "suld", "sust", "sured", "suq"})


class Body:
    """Reads the text between the braces of a function."""

    def __init__(self, cursor: Cursor, own: frozenset[int], name: str, results: tuple[records.Parameter, ...]) -> None:
        self._cursor = cursor
        self._name = name
        self._lines = Lines(own)
        self.scopes = Scopes()
        self.statements: list[records.Instruction | records.Label] = []
        self.variables: list[records.Variable] = []
        self.statics: list[records.Variable] = []  # which all calls of the function share
        self.locals: list[records.Parameter] = list(results)
        self.targets: list[records.Targets] = []

    def read(self) -> None:
        """Read up to the brace that closes the body."""
        cursor = self._cursor
        cursor.expect("{")
        while self.scopes.depth or cursor.word.text != "}":
            self._statement()
        cursor.expect("}")
        self.scopes.resolve(self.statements, self.targets)

    def _statement(self) -> None:
        cursor, text = self._cursor, self._cursor.word.text
        if text == "{":
            cursor.take()
            self.scopes.open()
        elif text == "}":
            cursor.take()
            self.scopes.close()
        elif text.startswith("."):
            self._directive(cursor.take().text)
        elif cursor.word.kind == "name" and cursor.ahead(1).text == ":":
            self._label()
        elif not cursor.accept(";"):
            self.statements.append(self._instruction())

    def _label(self) -> None:
        name = self._cursor.name()
        self._cursor.expect(":")
        if self._cursor.word.text in {".branchtargets", ".calltargets", ".callprototype"}:
            self._table(self.scopes.declare_label(name), self._cursor.take().text)
        else:
            self.statements.append(records.Label(self.scopes.declare_label(name)))

    def _table(self, name: str, kind: str) -> None:
        cursor = self._cursor
        if kind != ".branchtargets":
            cursor.skip_past(";")
            return
        labels: list[str] = []
        while not cursor.accept(";"):
            labels.append(cursor.name())
            cursor.accept(",")
        self.scopes.use_in_table(len(self.targets))
        self.targets.append(records.Targets(name, tuple(labels)))

    def _directive(self, word: str) -> None:
        cursor = self._cursor
        if word == ".loc":
            self._place()
        elif word == ".reg":
            self._registers()
        elif word in SPACES:
            for variable in variables(cursor, word[1:]):
                self._variable(variable)
        elif word == ".param":
            self._parameter_variable()
        elif word == ".pragma":
            cursor.skip_past(";")
        else:
            raise UnsupportedError(Lack.DIRECTIVE, self._lines.line, name=word)

    def _place(self) -> None:
        place = self._three_numbers()
        inlined_at: Place | None = None
        while self._cursor.accept(","):
            word = self._cursor.name()
            if word == "inlined_at":
                inlined_at = self._three_numbers()
            else:  # function_name, a label and perhaps an offset
                self._cursor.name()
                if self._cursor.accept("+"):
                    self._cursor.integer()
        self._lines.move(place, inlined_at)

    def _three_numbers(self) -> Place:
        return (self._cursor.integer(), self._cursor.integer(), self._cursor.integer())

    def _registers(self) -> None:
        cursor = self._cursor
        type_ = cursor.take().text
        if type_ in {".v2", ".v4"}:
            raise UnsupportedError(Lack.REGISTER_OF_VALUES, self._lines.line)
        while not cursor.accept(";"):
            name = cursor.name()
            count = None
            if cursor.accept("<"):
                count = cursor.integer()
                cursor.expect(">")
            self.scopes.declare(name, type_[1:], count)
            cursor.accept(",")

    def _variable(self, variable: records.Variable) -> None:
        """Add a variable; its name may be that of another one, in another brace or outside of the function."""
        is_static = variable.space in {"global", "const"}
        owner = self.statics if is_static else self.variables
        is_new = not is_static and variable.name not in {other.name for other in owner}
        unique = variable.name if is_new else f"{variable.name}@{self._name}.{len(owner)}"
        self.scopes.rename_variable(variable.name, unique)
        owner.append(replace(variable, name=unique))

    def _parameter_variable(self) -> None:
        """Read a .param variable, which holds an argument or a result of a call; in a brace it is a new one."""
        self._cursor.return_one()
        declared = parameter(self._cursor)
        self._cursor.accept(";")
        unique = f"{declared.name}@{len(self.locals)}"
        self.scopes.rename_variable(declared.name, unique)
        self.locals.append(records.Parameter(unique, declared.type, declared.size, declared.alignment))

    def _instruction(self) -> records.Instruction:
        cursor = self._cursor
        guard = self._guard() if cursor.accept("@") else None
        opcode = cursor.name()
        if opcode in BRANCHES:
            self.scopes.use_label(len(self.statements))
        modifiers: list[str] = []
        while cursor.word.kind == "modifier":
            modifiers.append(cursor.take().text[1:])
        if opcode in _OF_TEXTURES:  # whose operands have a form of their own
            raise UnsupportedError(Lack.INSTRUCTION, self._lines.line, name=".".join((opcode, *modifiers)))
        try:
            operands = self._operands()
        except MalformedError as error:
            name = ".".join((opcode, *modifiers))
            inner = error.lack, self._lines.line
            raise MalformedError(*inner, name=error.name, of=name, number=error.number) from error
        return records.Instruction(opcode, tuple(modifiers), operands, guard, self._lines.line)

    def _operands(self) -> tuple[records.Operand, ...]:
        cursor, operands = self._cursor, []
        while not cursor.accept(";"):
            operands.append(mapped(operand(cursor, self.scopes), lambda register: register, self._own))
            if cursor.word.text == "|":  # a result and a predicate with something between them
                raise cursor.wrong()
            separated = cursor.accept(",")
            if separated == (cursor.word.text == ";"):
                raise cursor.wrong()
        return tuple(operands)

    def _guard(self) -> records.Guard:
        negated = self._cursor.accept("!")
        register = self.scopes.find(self._cursor.name())
        if register is None:
            raise self._cursor.wrong()
        return records.Guard(register, negated)

    def _own(self, symbol: records.Symbol) -> records.Symbol:
        """Return a symbol by the name that is unique within the function."""
        return records.Symbol(self.scopes.variable(symbol.name), symbol.offset)
