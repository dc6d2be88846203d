"""PTX text to records."""

import struct

import pytest

from grader.ptxsim.records.lacks import MalformedError, UnsupportedError
from grader.ptxsim.syntax.parser import parse
from grader.ptxsim.syntax.records import (
    Address,
    Guard,
    Instruction,
    Integer,
    Label,
    Real,
    Register,
    Symbol,
    Vector,
)

HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n"


def body(text: str, declarations: str = "") -> list[Instruction]:
    module = parse(
        f"{HEAD}.visible .entry k()\n{{\n.reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<9>;\n"
        f'{declarations}\n{text}\nret;\n}}\n.file 1 "kernel.cu"\n.file 2 "header.h"\n',
        "kernel.cu",
    )
    return [statement for statement in module.functions[0].body if isinstance(statement, Instruction)][:-1]


def test_a_label_in_a_brace_is_known_there_only():
    text = ".entry k() { .reg .pred p; A: { bra A; A: bra B; } { @p bra A; A: } B: ret; }"
    statements = parse(text).functions[0].body
    labels = [statement.name for statement in statements if isinstance(statement, Label)]
    branches = [s.operands[0] for s in statements if isinstance(s, Instruction) and s.opcode == "bra"]
    assert len(set(labels)) == len(labels) == 4
    assert branches == [Symbol(labels[1]), Symbol("B"), Symbol(labels[2])]


def test_an_instruction_has_its_modifiers_and_operands():
    (instruction,) = body("@!%p1 ld.global.v2.f32 {%f1, %f2}, [%rd3+-8];")
    assert instruction.name == "ld.global.v2.f32"
    assert instruction.guard == Guard(Register("%p1"), negated=True)
    assert instruction.operands == (Vector((Register("%f1"), Register("%f2"))), Address(Register("%rd3"), -8))


@pytest.mark.parametrize(
    ("text", "operand"),
    [
        ("0f3F800000", Real(0x3F800000, 32)),
        ("-1", Integer(-1)),
        ("0x1fU", Integer(31)),
        ("WARP_SZ", Integer(32)),
        ("tile+4", Symbol("tile", 4)),
    ],
)
def test_constants_and_symbols_are_operands(text, operand):
    assert body(f"mov.b32 %r1, {text};")[0].operands[1] == operand


def test_a_register_declared_in_a_brace_hides_the_one_outside():
    outer, inner, again = body("mov.b32 %r1, 1;\n{ .reg .b32 %r1;\nmov.b32 %r1, 2; }\nmov.b32 %r1, 3;")
    assert outer.operands[0] == again.operands[0] != inner.operands[0]


def test_a_line_of_a_header_is_the_students_line_that_led_to_it():
    instructions = body(
        ".loc 1 9 5\n.loc 2 40 9, function_name $L__a, inlined_at 1 9 5\nmov.b32 %r1, 1;\n"
        ".loc 2 7 1, function_name $L__a, inlined_at 2 40 9\nmov.b32 %r2, 1;\n.loc 1 3 1\nmov.b32 %r3, 1;"
    )
    assert [instruction.line for instruction in instructions] == [9, 9, 3]


def test_a_kernel_in_a_header_has_no_lines_of_the_students():
    text = HEAD + '.entry k() { .reg .b32 r; .loc 1 40 5\nmov.b32 r, 1; ret; }\n.file 1 "course/multiply.h"\n'
    assert [statement.line for statement in parse(text, "kernel.cu").functions[0].body] == [0, 0]


def test_a_line_of_an_inlined_function_of_the_students_is_its_own():
    assert body(".loc 1 272 5, function_name $L__a, inlined_at 1 298 9\nmov.b32 %r1, 1;")[0].line == 272


def test_variables_have_their_bytes_and_addresses():
    module = parse(
        HEAD + ".const .align 4 .b8 launch[8] = {16, 0, 0, 0, 1};\n.global .u32 one = 1;\n"
        ".global .u64 place = generic(one)+4;\n.extern .shared .align 16 .b8 tiles[];\n"
    )
    launch, one, place, tiles = module.variables
    assert (launch.size, launch.initial[:5]) == (8, bytes([16, 0, 0, 0, 1]))
    assert one.initial == b"\1\0\0\0"
    assert place.addresses == ((0, "one", 4),)
    assert tiles.dynamic


def test_variables_of_vectors_have_all_their_bytes():
    (variable,) = parse(HEAD + ".global .v4 .f32 four[2] = {1.0, 2.5, 0f3F800000, -1.0};\n").variables
    assert (variable.size, variable.alignment) == (32, 16)
    assert struct.unpack("<4f", variable.initial) == (1, 2.5, 1, -1)


def test_a_variable_in_a_brace_hides_the_one_outside():
    inner = "{ .local .b64 v; ld.local.b64 a, [v]; }"
    text = f".entry k() {{ .reg .b64 a; .local .b32 v; ld.local.b32 a, [v]; {inner} ld.local.b32 a, [v]; }}"
    function = parse(HEAD + text).functions[0]
    places = [s.operands[1].base.name for s in function.body if isinstance(s, Instruction)]
    assert places[0] == places[2] != places[1]
    assert [variable.size for variable in function.variables] == [4, 8]


def test_a_variable_of_global_memory_in_a_function_is_one_of_the_module():
    module = parse(HEAD + ".global .b32 v; .entry k() { .reg .b32 a; .global .b64 v; ld.global.b32 a, [v]; }")
    outer, inner = module.variables
    (load,) = module.functions[0].body
    assert (outer.size, inner.size) == (4, 8)
    assert load.operands[1].base.name == inner.name != outer.name


@pytest.mark.parametrize("text", ["mov.b32 %r1, ;", "mov.b32 %r99, 1", "mov.b32 %r1, 1 2;"])
def test_text_that_is_no_ptx_is_refused(text):
    with pytest.raises(MalformedError):
        body(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (".tex .u32 picture;", r"\.tex"),
        (".global .surfref picture;", r"\.surfref"),
        (".global .u8 bytes[] = {0xff(picture)};", "part of address"),
    ],
)
def test_a_declaration_that_the_simulator_lacks_is_named(text, name):
    with pytest.raises(UnsupportedError, match=name):
        parse(f"{HEAD}{text}\n")


def test_too_large_a_file_is_refused_at_once():
    with pytest.raises(MalformedError, match="bytes"):
        parse(" " * (20 << 20))


@pytest.mark.parametrize("line", ['.file 3 "x.cu"', '.file 3 "x.cu", 12, 34', ".target sm_90, debug", ".version 9.0"])
def test_what_follows_a_directive_of_the_file_in_its_line_is_read(line: str):
    assert [function.name for function in parse(f"{HEAD}{line} .visible .entry k() {{ ret; }}").functions] == ["k"]


@pytest.mark.parametrize(("head", "target"), [(HEAD, "sm_90"), (".target sm_120a, debug\n", "sm_120a"), ("", "")])
def test_the_file_says_for_which_architecture_it_is(head: str, target: str):
    assert parse(f"// .target sm_70\n{head}.visible .entry k() {{ ret; }}").target == target


@pytest.mark.parametrize(("target", "first"), [("sm_61", "relaxed"), ("sm_70", "volatile"), ("sm_120a", "volatile")])
def test_volatile_accesses_are_relaxed_ones_where_atomic_objects_are_compiled_to_them(target: str, first: str):
    text = ".reg .b32 %r<2>; .shared .b32 x; ld.volatile.shared.b32 %r1, [x]; st.volatile.shared.b32 [x], %r1; ret;"
    (kernel,) = parse(f".version 8.4\n.target {target}\n.visible .entry k() {{ {text} }}").functions
    accesses = [each for each in kernel.body if isinstance(each, Instruction) and each.opcode in {"ld", "st"}]
    assert [access.modifiers[0] for access in accesses] == [first, first]


def test_a_directive_of_the_file_hides_no_instruction_of_a_kernel():
    with pytest.raises(UnsupportedError, match=r"\.target"):
        body(".target sm_90 mov.b32 %r1, 5;")


def test_a_file_that_a_comment_names_is_none_of_the_program():
    (named, *_) = body('/*\n.file 2 "kernel.cu"\n*/ .loc 1 7 0\nmov.b32 %r1, 5;\n.loc 2 9 0\nmov.b32 %r1, 6;')
    assert named.line == 7


@pytest.mark.parametrize("number", ["9" * 60, "1" + "0" * 5000, "0x1" + "0" * 16, "0b1" + "0" * 64, f"{1 << 64}"])
def test_a_number_of_more_than_64_bits_is_refused_wherever_it_stands(number: str):
    for text in (f".loc 1 {number} 1", f".loc {number} 1 1", f"mov.b64 %rd1, {number};", f".reg .b32 %q<{number}>;"):
        with pytest.raises(MalformedError):
            body(text)


def test_zeros_before_a_number_are_not_counted():
    moved, *_ = body(f"mov.b32 %r1, {'0' * 5000}17;")
    assert moved.operands[1] == Integer(0o17)


def test_the_blocks_of_a_cluster_are_read_in_every_base():
    text = f"{HEAD}.visible .entry k()\n.reqnctapercluster 0x2, 02, 1\n{{ ret; }}"
    assert parse(text).functions[0].cluster == 4
