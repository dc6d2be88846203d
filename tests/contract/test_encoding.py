import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.contract import messages
from grader.contract.encoding import decode_answer, decode_request, encode
from grader.contract.messages import (
    Broken,
    Check,
    Checked,
    Compile,
    Compiled,
    Done,
    Initialise,
    Open,
    Opened,
    Survey,
    Surveyed,
)
from grader.contract.timing_messages import (
    Prepare,
    Prepared,
    Project,
    Timed,
    TimedTransfers,
    TimeRound,
    TimeTransfers,
    Transfer,
)
from grader.model import Build, Case, Header, Interface, Launch, Limits, Resources, Shape, Telemetry
from grader.model.diagnostics import CompilerError
from grader.model.findings import Misaligned, Thread

INTERFACE = Interface("matmul", ("A", "B", "C", "N"), layout="column", padding=3, alpha=0.5)
CALL = ("A", "B", "C", "side = tile_x", "size = {N, long K}")
DESCRIBED = Interface("matmul", CALL, "bfloat16", template="16, true", start="zero", symbols=("limit = N",))
HEADER = Header("include/tile.h", "0" * 64, b"// \xff".decode("utf-8", "surrogateescape"))
BY_EXPRESSIONS = Launch((16, 1, 1), (16, 16), grid_by=("N / 16",), block_by=("N",), shared_by="4 * tile_x")
LAUNCH = Launch((16, 16, 1), (64, 16), 4096, "rows")
RESOURCES = Resources(32, 0, 4096, 0, 8, 1.0)
BUILD = Build("s.cubin", "matmul", ("pointer", "integer"), LAUNCH, "nvcc 13", ("nvcc", "s.cu"), "warning: ü", RESOURCES)
SHAPE = Shape(1, 2, 3)
CASE = Case(SHAPE, "second", 2**63, 20, "reverse", shared_out=True)
MISALIGNED = Misaligned(Thread((1, 2, 0), (0, 0, 0), 7), 16)

REQUESTS = [
    Initialise(),
    Open(),
    Compile("source/s.cu", "sm_90", INTERFACE, ("-O3",), Limits()),
    Compile("source/s.cu", "sm_90", DESCRIBED, (), Limits(), (HEADER,)),
    Check(BUILD, LAUNCH, CASE, INTERFACE, Limits()),
    Check(replace(BUILD, launch=BY_EXPRESSIONS), BY_EXPRESSIONS, CASE, DESCRIBED, Limits()),
    Prepare(BUILD, LAUNCH, SHAPE, INTERFACE, 1),
    Prepare(None, LAUNCH, SHAPE, INTERFACE, 1),
    TimeRound(3),
    Project(),
    TimeTransfers(5),
    Survey(),
]
ANSWERS = [
    Done(),
    Opened(),
    Compiled(build=BUILD),
    Compiled(build=replace(BUILD, launch=BY_EXPRESSIONS)),
    Compiled(finding=CompilerError('expected a ";"', 3, "log")),
    Checked(),
    Checked(MISALIGNED, "printed", spent=True, resources=RESOURCES),
    Prepared(12),
    Timed(1.5e-6, 2e-6, 12, Telemetry(1980, 2619, 40, ("power cap",))),
    Timed(1.5e-6, 2e-6, 12, None),
    TimedTransfers((Transfer(0.1, 1 / 3, 0.2),)),
    Surveyed({"WARP_SIZE": 32}, 1 << 30, (0.1, 1 / 3)),
    Broken("No GPU.", "Buy one."),
]


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda message: type(message).__name__)
def test_a_request_comes_through_the_box_unchanged(request_: Any) -> None:
    assert decode_request(encode(request_)) == request_


def test_a_courses_header_comes_through_the_box_with_its_bytes() -> None:
    decoded = decode_request(encode(Compile("s.cu", "sm_90", DESCRIBED, (), Limits(), (HEADER,))))
    assert isinstance(decoded, Compile)
    assert decoded.headers[0].content == b"// \xff"


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda message: type(message).__name__)
def test_an_answer_comes_through_the_box_unchanged(answer: Any) -> None:
    assert decode_answer(encode(answer)) == answer


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "null",
        "3",
        "[]",
        "{}",
        '{"_type": "Unknown"}',
        '{"_type": "Open"}',
        '{"_type": []}',
        '{"_type": "Prepared"}',
        '{"_type": "Prepared", "launches": "many"}',
        '{"_type": "Checked", "fault": {"verdict": "perfect", "sentence": ""}}',
        '{"_type": "Timed", "seconds": []}',
        "[" * 100_000,
    ],
)
def test_garbage_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode_answer(text)


def test_messages_are_plain_json() -> None:
    assert json.loads(encode(Prepared(3))) == {"_type": "Prepared", "launches": 3}


def test_every_file_that_both_sides_agree_on_exists():
    here = Path(messages.__file__).parents[1]
    assert all(list(here.glob(names)) for names in messages.AGREED)
