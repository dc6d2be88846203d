import bz2
import gzip
import json
import lzma

import pytest

from grader.explain.files import as_written
from grader.judge import submission
from grader.model import Fault, Verdict
from tests import lab

SOURCE = lab.NAIVE.lstrip()
NOTEBOOK = {"nbformat": 4, "cells": [{"cell_type": "code", "source": [SOURCE]}]}
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:00ff\nsize 4096\n"
CONFLICT = "int a;\n<<<<<<< HEAD\nint b;\n=======\nint c\n>>>>>>> faster\nint d;\n"
FAULT = Fault(Verdict.COMPILE_ERROR, "It does not compile: expected a declaration")


@pytest.mark.parametrize(
    ("content", "is_", "hint"),
    [
        (SOURCE.encode("utf-16"), "text in UTF-16", "UTF-8"),
        (b"\xfe\xff" + SOURCE.encode("utf-16-be"), "text in UTF-16", "UTF-8"),
        (SOURCE.encode("utf-32"), "text in UTF-32", "UTF-8"),
        (gzip.compress(SOURCE.encode()), "compressed", ".cu file"),
        (bz2.compress(SOURCE.encode()), "compressed", ".cu file"),
        (lzma.compress(SOURCE.encode()), "compressed", ".cu file"),
        (b"PK\x03\x04\x14\0", "compressed", ".cu file"),
        (b"{\\rtf1\\ansi #include <lab.h>}", "word processor", "plain text"),
        (b"%PDF-1.7\n", "PDF", "not a printed one"),
        (b"\n<!DOCTYPE html><title>Sign in</title>", "web page", "download"),
        (POINTER.encode(), "pointer of Git LFS", "git lfs pull"),
        (json.dumps(NOTEBOOK).encode(), "a notebook", "cell"),
        (json.dumps(NOTEBOOK, indent=1, sort_keys=True).encode(), "a notebook", "cell"),
        (f"```cpp\n{SOURCE}```\n".encode(), "Markdown", "first"),
    ],
)
def test_a_file_of_another_kind_is_named_with_what_to_do(content: bytes, is_: str, hint: str):
    fault = submission.fault(content)
    assert fault.verdict is Verdict.BAD_FILE
    assert is_ in fault.sentence
    assert hint in fault.hint


@pytest.mark.parametrize(
    "source", ['// {"cells": 1}\nint x;\n', "#define version\nint x;\n", "template <int N> int x;\n"]
)
def test_a_source_file_is_of_no_other_kind(source: str):
    assert submission.fault(source.encode()) is None


@pytest.mark.parametrize("first", ["%%cu", "%%cuda --name x.cu", "%%writefile matmul.cu", "\ufeff%%cu", "\n %%cu"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_magic_of_a_cell_is_read_as_an_empty_line(first: str, end: str):
    before = f"{first}{end}int x; // 7 %%d{end}".encode()
    after = submission.without_magic(before)
    assert after.strip() == b"int x; // 7 %%d"
    assert after.count(b"\n") == before.count(b"\n")


@pytest.mark.parametrize("source", ["int x;\n%%cu\n", "// %%cu\n", "%: define x\n", "%%\n"])
def test_nothing_else_is_taken_for_the_magic_of_a_cell(source: str):
    assert submission.without_magic(source.encode()) == source.encode()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_merge_conflict_is_named_with_its_lines(end: str):
    fault = as_written(Fault(FAULT.verdict, FAULT.sentence, line=2), CONFLICT.replace("\n", end).encode())
    assert "lines 2 to 6 are a merge conflict" in fault.sentence
    assert "<<<<<<<" in fault.hint
    assert fault.line == 2


@pytest.mark.parametrize("line", [None, 1, 7])
def test_a_mistake_elsewhere_is_not_explained_by_a_merge_conflict(line: int | None):
    fault = Fault(FAULT.verdict, FAULT.sentence, line=line)
    assert as_written(fault, CONFLICT.encode()) == fault


@pytest.mark.parametrize("source", ["int x = 1\n<<<<<<< 2;\n", "=======\n", CONFLICT.replace(">>>>>>>", ">>>>")])
def test_half_a_conflict_is_none(source: str):
    fault = Fault(FAULT.verdict, FAULT.sentence, line=2)
    assert as_written(fault, source.encode()) == fault


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("int i = N \N{MINUS SIGN} 1;", '"\N{MINUS SIGN}" (minus sign)'),
        ("__syncthreads()\N{FULLWIDTH SEMICOLON}", "(fullwidth semicolon)"),
        ("#include \N{LEFT DOUBLE QUOTATION MARK}lab.h\N{RIGHT DOUBLE QUOTATION MARK}", "(left double quotation mark)"),
        ("int\N{NO-BREAK SPACE}i;", "an invisible character (no-break space)"),
        ("float\N{ZERO WIDTH SPACE} sum;", "an invisible character (zero width space)"),
    ],
)
def test_a_character_that_only_looks_like_one_of_the_language_is_named(line: str, named: str):
    fault = as_written(Fault(FAULT.verdict, FAULT.sentence, line=2), f"// \N{MINUS SIGN}\n{line}\n".encode())
    assert "line 2 has" in fault.sentence
    assert named in fault.sentence
    assert "again" in fault.hint


@pytest.mark.parametrize(
    "line", ["int sum // \N{MINUS SIGN} 1", "int s\N{LATIN SMALL LETTER O WITH DIAERESIS}t", "int x", "\ufeffint x"]
)
def test_a_line_whose_code_has_no_such_character_keeps_its_fault(line: str):
    fault = Fault(FAULT.verdict, FAULT.sentence, line=1)
    assert as_written(fault, f"{line}\n".encode()) == fault
