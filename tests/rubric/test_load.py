import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.contract.layout import arguments
from grader.errors import UsageError
from grader.model import Rubric, Shape
from grader.report import json_document
from grader.rubric import load as rubrics
from grader.rubric import semantics
from tests.report import examples

SQUARE = Path(__file__).parents[2] / "rubrics" / "square.toml"
TEXT = """
format = 1
title = "Lab"
points = 100
[kernel]
name = "matmul"
parameters = ["A", "B", "C", "M", "N", "K"]
[sizes]
correctness = [64, [32, 48, 80]]
timing = [64]
[baselines]
naive = "naive.cu"
library = "cublas"
[[criteria]]
id = "correct"
title = "Correct"
kind = "correct"
points = 60
[[criteria]]
id = "speed"
title = "Speed"
kind = "speedup"
points = 40
curve = [[1, 0], [5, 1]]
requires = ["correct"]
"""

Table = dict[str, Any]
Change = Callable[[Table], object]


def load(text: str | bytes, tmp_path: Path) -> Rubric:
    (tmp_path / "naive.cu").touch()
    path = tmp_path / "lab.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return rubrics.load(path)


def mistakes(text: str | bytes, tmp_path: Path) -> list[str]:
    with pytest.raises(UsageError) as caught:
        load(text, tmp_path)
    assert caught.value.hint
    return [line.removeprefix(f"{tmp_path}/lab.toml: ") for line in caught.value.sentence.splitlines()]


def changed(change: Change) -> str:
    table = tomllib.loads(TEXT)
    change(table)
    return toml(table)


def toml(table: Table) -> str:
    """Write a table as TOML, which takes JSON for every value but true tables."""
    top = [f"{json.dumps(key)} = {inline(value)}" for key, value in table.items()]
    return "\n".join(top)


def inline(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {inline(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(inline, value)) + "]"
    return str(value) if isinstance(value, float) else json.dumps(value)


def put(*path: str | int, to: object) -> Change:
    def change(table: Any) -> None:
        for step in path[:-1]:
            table = table.setdefault(step, {}) if isinstance(table, dict) else table[step]
        table[path[-1]] = to

    return change


def drop(*path: str | int) -> Change:
    def change(table: Any) -> None:
        for step in path[:-1]:
            table = table[step]
        del table[path[-1]]

    return change


def test_the_square_lab_says_what_its_file_says() -> None:
    lab = rubrics.load(SQUARE)
    assert sum(criterion.points for criterion in lab.criteria) == 100
    assert lab.interface.parameters == ("A", "B", "C", "N")
    assert (lab.sizes[0], lab.sizes[-1]) == (Shape(1, 1, 1), Shape(2049, 2049, 2049))
    assert lab.interface.accuracy == 8
    assert [criterion.id for criterion in lab.criteria if criterion.requires == ("correct",)] == [
        "speedup",
        "library",
        "gflops",
    ]


def test_the_baseline_of_the_square_lab_is_found_in_the_reference_folder() -> None:
    kernel = rubrics.find_kernel(rubrics.load(SQUARE).naive, SQUARE.parent)
    assert kernel.is_file()


def test_a_length_may_be_given_more_than_once(tmp_path: Path) -> None:
    every = '["A", "B", "C", "M", "K", "K", "N", "M", "N"]'
    lab = load(TEXT.replace('["A", "B", "C", "M", "N", "K"]', every), tmp_path)
    assert lab.interface.parameters == ("A", "B", "C", "M", "K", "K", "N", "M", "N")
    assert [argument.value for argument in arguments(lab.interface, Shape(2, 3, 4))[3:]] == [2, 4, 4, 3, 2, 3]


def test_what_is_left_out_has_its_default(tmp_path: Path) -> None:
    lab = load(TEXT, tmp_path)
    assert (lab.launch.block, lab.launch.tile, lab.flags) == ((16, 16, 1), (16, 16), ("-O3",))
    assert (lab.limits.case_seconds, lab.timing.min_rounds) == (20.0, 7)
    assert lab.quick_sizes == (Shape(64, 64, 64),)
    assert lab.undefined == "fails"
    assert [criterion.sizes for criterion in lab.criteria] == [lab.sizes, lab.timed_sizes]


def test_races_may_be_remarks(tmp_path: Path) -> None:
    assert load(f'{TEXT}\n[checks]\nundefined = "remark"\n', tmp_path).undefined == "remark"


def test_defined_behaviour_can_have_points_of_its_own_but_no_sizes(tmp_path: Path) -> None:
    criterion = {"id": "correct", "title": "No undefined behaviour", "kind": "defined", "points": 60}
    assert load(changed(put("criteria", 0, to=criterion)), tmp_path).criteria[0].kind == "defined"
    with pytest.raises(UsageError, match="counts once for all sizes"):
        load(changed(put("criteria", 0, to={**criterion, "sizes": [64]})), tmp_path)


def test_the_hash_is_that_of_the_files_bytes(tmp_path: Path) -> None:
    assert load(TEXT, tmp_path).sha256 != load(TEXT + "# a remark\n", tmp_path).sha256


def test_a_tile_left_out_is_as_large_as_the_block(tmp_path: Path) -> None:
    assert load(changed(put("launch", to={"block": [32, 8]})), tmp_path).launch.tile == (32, 8)


@pytest.mark.parametrize(
    "kernel",
    [
        {"parameters": ["A", "B", "C", "N"]},
        {"parameters": ["A", "B", "C", "N"], "types": {"A": "float64", "B": "float64", "C": "float64"}},
        {"parameters": ["A", "B", "C", "N"], "types": {"A": "int32", "B": "int32", "C": "int32"}},
        {"parameters": ["A", "B", "C", "M", "N", "K"], "types": {"A": "float16", "B": "float16", "C": "float32"}},
        {"parameters": ["C", "A", "B", "ldc", "lda", "ldb", "M", "N", "K"], "layout": "column", "padding": 32},
        {"parameters": ["C", "A", "B", "ldc", "lda", "ldb", "M", "N", "K"], "layout": "column", "transpose_b": True},
        {"parameters": ["C", "B", "A", "ldc", "ldb", "lda", "N", "M", "K"], "layout": "column", "transpose_b": True},
        {"parameters": ["A", "B", "C", "M", "N", "K"], "math": "bf16"},
        {"parameters": ["A", "B", "C", "M", "N", "K", "alpha", "beta"], "alpha": 1.5, "beta": 0.5},
    ],
)
def test_every_known_lab_can_be_described(kernel: Table, tmp_path: Path) -> None:
    table = tomllib.loads(TEXT) | {"kernel": {"name": "mmkernel", **kernel}}
    table["sizes"]["correctness"] = [64]
    if "int32" in kernel.get("types", {}).values():
        del table["baselines"]["library"]
    assert load(toml(table), tmp_path).interface.parameters == tuple(kernel["parameters"])


def test_a_parameter_may_have_a_value_of_its_own(tmp_path: Path) -> None:
    """The pitch of A in bytes, the side of a block, a factor, a flag and a pointer to nothing."""
    given = ["A", "B", "C", "M", "N", "K", "pitch = 4 * K", "side=block_x", "scale = 0.5", "flag = 1", "work = null"]
    lab = load(changed(put("kernel", "parameters", to=given)), tmp_path)
    last = arguments(lab.interface, Shape(2, 3, 5), lab.launch)[6:]
    assert [(each.kind, each.value) for each in last] == [
        ("integer", 20),
        ("integer", 16),
        ("real", 0.5),
        ("integer", 1),
        ("null", 0),
    ]


def test_a_launch_may_depend_on_the_size(tmp_path: Path) -> None:
    launch = {"block": ["min(N, 512)"], "grid": ["ceil(M * N / block_x)", 1, "K"], "shared": "4 * block_x"}
    lab = load(changed(put("launch", to=launch)), tmp_path)
    sized = lab.launch.at(Shape(32, 48, 80))
    assert (sized.block, sized.grid(Shape(32, 48, 80)), sized.shared) == ((48, 1, 1), (32, 1, 80), 192)


def test_a_kernel_that_is_given_no_size_is_written_for_one(tmp_path: Path) -> None:
    table = tomllib.loads(TEXT)
    table["kernel"]["parameters"] = ["A", "B", "C"]
    table["sizes"] = {"correctness": [[64, 32, 16]], "timing": [[64, 32, 16]]}
    assert load(toml(table), tmp_path).interface.parameters == ("A", "B", "C")


KERNEL = tomllib.loads(TEXT)["kernel"]


def parameter(text: str) -> Change:
    return put("kernel", "parameters", to=["A", "B", "C", "M", "N", "K", text])


MISTAKES: list[tuple[Change, str]] = [
    (put("colour", to=1), "there is no field `colour`"),
    (put("kernel", "layuot", to="row"), "kernel: there is no field `layuot`; did you mean `layout`?"),
    (put("kernel", "before", to=[{}]), "kernel: there is no field `before`"),
    (drop("title"), "the field `title` is missing"),
    (drop("criteria", 0, "kind"), "criteria[0]: the field `kind` is missing"),
    (put("format", to=2), "format: must be 1, but is 2"),
    (put("title", to="two\nlines"), r'title: must be text of 1 to 200 characters on one line, but is "two\nlines"'),
    (
        put("kernel", "name", to="matmul\n"),
        r'kernel.name: must be a C++ identifier, which may have template arguments, but is "matmul\n"',
    ),
    (put("kernel", "transpose_b", to=1), "kernel.transpose_b: must be true or false, but is 1"),
    (put("kernel", "parameters", 0, to="a"), "beta, or a name and its value, such as `side = tile_x`, but is a"),
    (put("kernel", "parameters", to=["A", "B", "N", "A"]), "kernel.parameters: A is listed twice"),
    (put("kernel", "parameters", to=["A", "B", "M", "N", "K"]), "kernel.parameters: C is missing"),
    (
        put("kernel", "parameters", to=["A", "B", "C", "alpha"]),
        "kernel.parameters: none of M, N and K is given, so the",
    ),
    (put("kernel", "parameters", 3, to="lda"), "kernel.parameters: lda is given, so kernel.layout must say"),
    (
        parameter("side = tile_z"),
        "kernel.parameters[6]: `tile_z` uses `tile_z`, which is none of M, N, K, block_x, block_y,",
    ),
    (
        parameter("side = K / 3"),
        "kernel.parameters[6]: `K / 3` is 21.3333, which is not a whole number; use ceil() or // at N=64",
    ),
    (parameter("side = 1 // (N - 64)"), "kernel.parameters[6]: `1 // (N - 64)` divides by zero at N=64"),
    (parameter("side = open('x')"), "kernel.parameters[6]: `open('x')` is not arithmetic; use numbers, + - * / // %"),
    (parameter("N = 5"), "kernel.parameters[6]: `N` cannot be the name of a parameter with a value"),
    (parameter("side ="), "kernel.parameters[6]: `side` has no value"),
    (parameter("s = {K, 4 * }"), "kernel.parameters[6]: `4 *` is not arithmetic"),
    (parameter("s = {}"), "kernel.parameters[6]: `s` has no value"),
    (parameter("s = {K, A}"), "kernel.parameters: A is listed twice"),
    (
        put("kernel", "symbols", to=["N"]),
        "kernel.symbols[0]: must be a name and its value in numbers, such as `size = N`",
    ),
    (put("kernel", "symbols", to=["s = {N, A}"]), "kernel.symbols[0]: must be a name and its value in numbers"),
    (put("kernel", "symbols", to=["s = depth"]), "kernel.symbols[0]: `depth` uses `depth`, which is none of M, N, K"),
    (put("kernel", "constants", to=["N = M"]), "kernel.constants[0]: must be a name and a whole number, such as"),
    (parameter("2x = 5"), "kernel.parameters[6]: `2x` cannot be the name of a parameter with a value"),
    (put("launch", to={"block": ["N", 32]}), "launch.block: it has at most 1024 threads, but [64, 32] has 2048"),
    (put("launch", to={"block": ["N - 64"]}), "launch.block[0]: `N - 64` must be from 1 to 1024, but is 0 at N=64"),
    (
        put("launch", to={"block": [16], "grid": [1, "N * 2048"]}),
        "launch.grid[1]: `N * 2048` must be from 1 to 65535, but is 131072 at N=64",
    ),
    (put("launch", to={"block": ["N * 0.3"]}), "launch.block[0]: `N * 0.3` is 19.2, which is not a whole number"),
    (put("launch", to={"block": [16], "grid": [1.5]}), "launch.grid[0]: must be a whole number, or an expression such"),
    (
        put("launch", to={"block": [16], "shared": "N * N * N * 2"}),
        "launch.shared: `N * N * N * 2` must be from 0 to 262144, but is 524288 at N=64",
    ),
    (
        put("kernel", "types", to={"A": "int8", "B": "int8", "C": "float32"}),
        "kernel.types: must be one type for A and B, and for C float16, float32 or float64",
    ),
    (
        put("kernel", "types", to={"A": "int8", "B": "uint8", "C": "int32"}),
        "kernel.types: must be one type for A and B, and for C float16, float32 or float64",
    ),
    (
        put("kernel", "types", to={"A": "uint8", "B": "uint8", "C": "int32"}),
        "sizes.timing[0]: products of uint8 are not timed, because fresh inputs have signs",
    ),
    (put("kernel", "padding", to=4), "kernel.padding: the kernel cannot know of the padding"),
    (put("kernel", "beta", to=2), "kernel.beta: the kernel cannot know of it"),
    (
        put("kernel", to={**KERNEL, "types": {"A": "int32", "B": "int32", "C": "int32"}, "beta": 0.5}),
        "kernel.beta: it must be a whole number, because C is int32",
    ),
    (
        put("kernel", "types", to={"A": "int32", "B": "int32", "C": "float32"}),
        "kernel.types: must be one type for A and B, and for C float16, float32 or float64",
    ),
    (put("launch", to={"block": [1, 1, 65]}), "launch.block[2]: `65` must be from 1 to 64, but is 65"),
    (
        put("compile", "flags", to=["-arch=sm_90"]),
        "compile.flags[0]: must be one compiler flag that begins with a hyphen, and none",
    ),
    (put("compile", "flags", to=["O3"]), "compile.flags[0]: must be one compiler flag that begins with a hyphen"),
    (put("timing", to={"min_rounds": 61}), "timing.min_rounds: must not exceed max_rounds, which is 60"),
    (put("limits", to={"case_seconds": 0}), "limits.case_seconds: must be above 0, but is 0"),
    (
        put("limits", to={"compile_seconds": float("nan")}),
        "limits.compile_seconds: must be a finite number, but is NaN",
    ),
    (put("sizes", "correctness", 0, to=0), "sizes.correctness[0]: must be a size"),
    (put("sizes", "correctness", to=[64, 64]), "sizes.correctness: must have no entry twice, but is [64, 64]"),
    (put("sizes", "correctness", to=[64, [64, 64, 64]]), "sizes.correctness[1]: N=64 is listed twice"),
    (put("sizes", "timing", to=[65]), "sizes.timing[0]: N=65 is timed, so it must be in sizes.correctness too"),
    (put("sizes", "large", to=[64]), "sizes.large[0]: N=64 is in sizes.correctness, so put it into sizes.timing"),
    (put("kernel", "math", to="tf23"), "kernel.math: must be one of full, tf32, bf16, but is"),
    (
        put("kernel", to={**KERNEL, "math": "tf32", "types": {"A": "float16", "B": "float16", "C": "float32"}}),
        "kernel.types.A: must be float32, because math is not full, but is",
    ),
    (
        put("kernel", to={**KERNEL, "types": {"A": "int32", "B": "int32", "C": "int32"}}),
        "baselines.library: cuBLAS has no product of int32 into int32",
    ),
    (put("kernel", "parameters", to=["A", "B", "C", "N"]), "sizes.correctness[1]: 32x48x80 is not square"),
    (put("criteria", 0, "sizes", to=[65]), "criteria[0].sizes: N=65 is not one of sizes.correctness"),
    (put("criteria", 1, "sizes", to=[[32, 48, 80]]), "criteria[1].sizes: 32x48x80 is not one of sizes.timing"),
    (drop("sizes", "timing"), "criteria[1]: it counts the sizes of sizes.timing, but there are none"),
    (put("criteria", 0, "points", to=61), "points: the criteria add up to 101, but the rubric says 100"),
    (put("criteria", 0, "points", to=True), "criteria[0].points: must be a finite number, but is true"),
    (put("criteria", 0, "kind", to="speedupp"), "did you mean `speedup`?"),
    (put("kernel", "types", to={"A": "float", "B": "float", "C": "float"}), "did you mean `float32`?"),
    (put("sizes", "quick", to=[]), "more is checked once this is corrected"),
    (
        put("criteria", 0, "curve", to=[[1, 0], [2, 1]]),
        "criteria[0].curve: must be left out, because only a speed has a curve",
    ),
    (put("criteria", 1, "id", to="correct"), "criteria[1].id: correct is already the id of criteria[0]"),
    (drop("criteria", 1, "curve"), "criteria[1]: the field `curve` is missing"),
    (put("criteria", 1, "curve", to=[[5, 0], [4, 1]]), "criteria[1].curve: values must increase, but 4 comes after 5"),
    (put("criteria", 1, "curve", to=[[1, 1], [2, 0]]), "criteria[1].curve: shares must not fall, but 0 comes after 1"),
    (put("criteria", 1, "curve", to=[[1, 0], [2, 1.5]]), "criteria[1].curve: the share at 2 must be from 0 to 1"),
    (put("criteria", 1, "requires", to=["corect"]), "no criterion with the id corect; did you mean `correct`?"),
    (put("criteria", 0, "requires", to=["speed"]), "criteria[0].requires: correct requires itself"),
    (drop("baselines", "naive"), "criteria[1]: a criterion of kind speedup needs baselines.naive"),
    (put("baselines", "naive", to="none.cu"), "baselines.naive: no file none.cu is beside the rubric or in the"),
    (put("baselines", "naive", to="ä" * 200), "baselines.naive: no file ää"),
]


@pytest.mark.parametrize(("change", "sentence"), MISTAKES, ids=[sentence for _, sentence in MISTAKES])
def test_a_mistake_is_one_sentence_with_its_place(change: Change, sentence: str, tmp_path: Path) -> None:
    listed = mistakes(changed(change), tmp_path)
    assert any(sentence in line for line in listed), listed


def test_a_library_fraction_needs_the_library(tmp_path: Path) -> None:
    text = TEXT.replace('"speedup"', '"library-fraction"').replace('library = "cublas"', "")
    assert mistakes(text, tmp_path) == ["criteria[1]: a criterion of kind library-fraction needs baselines.library"]


@pytest.mark.parametrize(
    "kernel", [{"math": "bf16"}, {"types": {"A": "float64", "B": "float64", "C": "float64"}}], ids=["bf16", "float64"]
)
def test_a_fraction_of_the_peak_needs_the_arithmetic_whose_peak_is_known(kernel: Table, tmp_path: Path) -> None:
    table = tomllib.loads(TEXT.replace('"speedup"', '"peak-fraction"'))
    table["kernel"] |= kernel
    (only,) = mistakes(toml(table), tmp_path)
    assert only.startswith("criteria[1]: a criterion of kind peak-fraction needs float32 and full math")


def test_large_sizes_are_timed_and_not_compared(tmp_path: Path) -> None:
    lab = load(changed(put("sizes", "large", to=[8192])), tmp_path)
    large = Shape(8192, 8192, 8192)
    assert lab.timed_sizes == (Shape(64, 64, 64), large)
    assert large not in lab.sizes
    assert large in lab.criteria[1].sizes


def test_every_mistake_is_listed_and_an_unknown_field_hides_none(tmp_path: Path) -> None:
    text = changed(put("colour", to=1)).replace("[5, 1]", "[0, 2]").replace('"timing" = [64]', '"timing" = [65]')
    listed = [line.split(":")[0] for line in mistakes(text, tmp_path)]
    assert listed == ["there is no field `colour`", "sizes.timing[0]", "criteria[1].curve", "criteria[1].curve"]


def test_a_misspelt_field_is_told_once_and_hides_no_mistake_of_another_table(tmp_path: Path) -> None:
    text = changed(put("launch", to={"blok": [64, 32]})).replace('"title" = "Lab"', '"title" = ""').replace("60", "61")
    field, title, launch, points = mistakes(text, tmp_path)
    assert field == "launch: there is no field `blok`; did you mean `block`?"
    assert title.startswith("title: must be text of 1 to 200 characters")
    assert launch.startswith("launch.block: it has at most 1024 threads")
    assert points == "points: the criteria add up to 101, but the rubric says 100"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_as_editors_on_windows_write_it_is_no_mistake(encoding: str, tmp_path: Path) -> None:
    assert load(TEXT.encode(encoding), tmp_path).title == load(TEXT, tmp_path).title


def test_a_mistake_of_syntax_has_its_line_and_column(tmp_path: Path) -> None:
    assert mistakes("a = 1\nb = = 2\n", tmp_path) == ["Invalid value (at line 2, column 5)."]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"a = 1\nb = '\xff'\n", "line 2 is not UTF-8 text."),
        (b"\xff\xfea\x00\n", "line 1 is not UTF-16"),
        ("a = 1".encode("utf-16-le"), "Expected '=' after a key"),
        (b"#" * (1 << 20) + b"#", "the file is larger than 1 MiB, so it is not a rubric."),
        (b"a = " + b"[" * 100_000, "values are nested too deeply."),
        (b"a = " + b"9" * 10_000, "Exceeds the limit"),
    ],
)
def test_a_file_that_is_no_rubric_at_all_is_refused_with_one_sentence(content, sentence, tmp_path: Path):
    (only,) = mistakes(content, tmp_path)
    assert only.startswith(sentence)


def test_what_cannot_be_read_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        rubrics.load(tmp_path / "none.toml")
    with pytest.raises(UsageError, match="Is a directory"):
        rubrics.load(tmp_path)


@given(content=st.binary() | st.text().map(str.encode))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_a_rubric_or_a_mistake(content: bytes, tmp_path: Path) -> None:
    assert mistakes(content, tmp_path)


values = st.recursive(
    st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
PLACES = [
    *["points", "kernel", "kernel.name", "kernel.parameters", "kernel.types", "launch.block", "compile.flags"],
    *["sizes", "sizes.correctness", "sizes.timing", "limits", "timing", "baselines", "baselines.naive"],
    *["criteria", "criteria.0", "criteria.0.sizes", "criteria.1.curve", "criteria.1.requires"],
]
places = st.sampled_from(
    [tuple(int(step) if step.isdigit() else step for step in place.split(".")) for place in PLACES]
)


@given(places, values)
def test_any_value_in_any_place_is_taken_or_is_a_mistake(place: tuple[Any, ...], value: Any) -> None:
    table = tomllib.loads(TEXT)
    put(*place, to=value)(table)
    listed = semantics.mistakes(table, rubrics.schema(), has_kernel=lambda name: name == "naive.cu")
    assert all(line and line.isprintable() for line in listed)


def test_the_schema_is_valid_and_describes_every_field() -> None:
    schema: Any = rubrics.schema().schema
    rubrics.schema().check_schema(schema)
    for table in (schema, *schema["properties"].values(), schema["$defs"]["criterion"]):
        assert all(field.get("description") for field in table.get("properties", {}).values())


def test_a_report_holds_the_whole_rubric() -> None:
    lab = rubrics.load(SQUARE)
    report = examples.report(rubric=lab)
    assert json_document.REPORT.from_dict(json_document.REPORT.to_dict(report)).rubric == lab


def test_the_example_in_the_documentation_is_a_rubric(tmp_path: Path) -> None:
    text = (SQUARE.parents[1] / "docs" / "rubric.md").read_text(encoding="utf-8")
    example = text.split("```toml\n")[1].split("```")[0]
    assert load(example, tmp_path).interface.layout == "column"


def test_the_documentation_names_every_field() -> None:
    text = (SQUARE.parents[1] / "docs" / "rubric.md").read_text(encoding="utf-8")
    schema: Any = rubrics.schema().schema
    tables = [schema, schema["$defs"]["criterion"], *schema["properties"].values()]
    fields = {name for table in tables for name in table.get("properties", {})}
    assert not [name for name in fields if f"`{name}`" not in text and f"[{name}]" not in text]
