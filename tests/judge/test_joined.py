import pytest

from grader.judge.joined import included, joined, parts
from grader.model import Source

MAIN = b'#include <cstdio>\n#include "kernel.cuh"\nint main() {}\n'


def join(content: bytes, files: dict[str, bytes], path: str = "main.cu") -> bytes:
    return joined(content, path, files.get)


def test_a_file_takes_the_place_of_the_line_that_includes_it():
    text = join(MAIN, {"kernel.cuh": b"first\nsecond"})
    assert text.split(b"\n")[1:5] == [b"// >>>>> kernel.cuh", b"first", b"second", b"// <<<<< kernel.cuh"]


def test_lines_have_the_numbers_of_their_own_files():
    text = join(MAIN, {"kernel.cuh": b'#include "tile.h"\nsecond', "tile.h": b"#define TILE 16\n"})
    source = Source("main.cu", "", 0, None, parts(text))
    lines = {line: number for number, line in enumerate(text.split(b"\n"), 1)}
    places = {line: source.place(lines[line]) for line in (b"#define TILE 16", b"second", b"int main() {}")}
    assert places == {b"#define TILE 16": ("tile.h", 1), b"second": ("kernel.cuh", 2), b"int main() {}": ("main.cu", 3)}


def test_a_single_file_has_no_parts():
    assert parts(MAIN) == ()
    assert Source("main.cu", "", 0).place(7) == ("main.cu", 7)


@pytest.mark.parametrize(
    ("guard", "times"),
    [(b"", 2), (b"#pragma once\n", 1), (b"#ifndef A_H\n# define A_H\n", 1), (b"#ifndef A\nint a;\n", 2)],
)
def test_a_file_counts_once_if_it_has_a_guard(guard: bytes, times: int):
    text = join(b'#include "a.h"\n#include "a.h"\n', {"a.h": guard + b"int x;\n"})
    assert text.count(b"int x;") == times
    assert b"\n#pragma once" not in text  # of which the compiler would warn


def test_a_file_that_includes_itself_counts_once():
    files = {"a.h": b'#include "b.h"\nint x;\n', "b.h": b'#include "a.h"\n#include "main.cu"\n'}
    assert join(b'#include "a.h"\n', files).count(b"int x;") == 1


@pytest.mark.parametrize(
    ("defined", "times"),
    [(b'#define FILE "a.h"\n', 1), (b'#define FILE "a.h"\n#define FILE "b.h"\n', 0), (b"#define FILE <a.h>\n", 0)],
)
def test_a_macro_that_is_defined_once_may_name_the_file(defined: bytes, times: int):
    text = defined + b"#include FILE\n"
    assert join(text, {"a.h": b"int x;\n", "b.h": b"int x;\n"}).count(b"int x;") == times
    assert included(text) == ("a.h",) * times


def test_paths_are_those_from_the_folder_of_the_including_file():
    files = {"include/a.h": b'#include "../b.h"\n', "b.h": b"int b;\n", "include/b.h": b"int other;\n"}
    text = join(b'#include "../include/a.h"\n', files, "src/main.cu")
    assert b"int b;" in text
    assert b"int other;" not in text


@pytest.mark.parametrize(
    "text",
    [
        b'// #include "a.h"\n',
        b'/*\n#include "a.h"\n*/',
        b'const char *s = R"(\n#include "a.h"\n)";',
        b"#include <a.h>\n",
        b'#include "missing.h"\n',
        b'#include "/a.h"\n',
        b'#include "../a.h"\n',
    ],
)
def test_other_text_stays_as_it_is(text: bytes):
    files = dict.fromkeys(("a.h", "/a.h", "../a.h"), b"int a;\n")
    assert join(text, files) == text


@pytest.mark.parametrize(
    ("line", "path"),
    [
        (b'\xef\xbb\xbf#include "a.h"\r\n', "a.h"),
        (b'#import "a.h"\n', "a.h"),
        (b'#include "my folder\\a.h"\n', "my folder/a.h"),
        ('# include "matriz_ñ.h"\n'.encode(), "matriz_ñ.h"),
        (b'#include "\xff.h"\n', "\udcff.h"),
    ],
)
def test_lines_and_names_of_any_editor_and_language_are_read(line: bytes, path: str):
    assert b"int a;" in join(line, {path: b"int a;\n"})
    assert included(line) == (path,)


@pytest.mark.parametrize("name", [b"lab.h", b"helper_cuda.h"])
def test_what_the_grader_has_is_left_to_it(name: bytes):
    text = b'#include "%s"\n' % name
    assert join(text, {name.decode(): b"#error\n"}) == text


def test_hostile_files_end_soon():
    chain = {f"{number}.h": f'#include "{number + 1}.h"\n'.encode() for number in range(5000)}
    assert b'#include "32.h"\n' in join(b'#include "0.h"\n', chain)
    wide = {f"{number}.h": b"x" * (1 << 19) for number in range(500)}
    assert len(join(b"".join(b'#include "%d.h"\n' % number for number in range(500)), wide)) < 1 << 21
    doubled = {f"{number}.h": f'#include "{number + 1}.h"\n'.encode() * 2 for number in range(40)}
    assert len(join(b'#include "0.h"\n', doubled)) < 1 << 22


def test_a_file_is_looked_for_once():
    looked = list[str]()
    joined(b'#include "large.h"\n' * 50_000, "main.cu", looked.append)
    assert looked == ["large.h"]


def test_marks_that_a_student_writes_are_bounded():
    assert len(parts(b"// >>>>> x\n" * 10_000)) == 500
    assert parts(b"// <<<<< x\n" * 3) == ()


def test_names_in_quotation_marks_are_listed():
    assert included(MAIN) == ("kernel.cuh",)
