"""What the tools of compute-sanitizer 2025.3 saved on an H200, and files that no tool has saved."""

from pathlib import Path

import pytest

from grader.worker.cuda.sanitizer_records import MOST_BYTES, Record, RecordedAccess, RecordKind, read_records, records

FOLDER = Path(__file__).parent / "recorded"
NAMES = sorted(path.stem for path in FOLDER.glob("*.xml"))


def first(name: str) -> Record:
    return read_records(FOLDER / f"{name}.xml")[0]


def test_an_access_has_its_thread_its_line_and_its_address():
    access = RecordedAccess((0, 1, 0), "read", 5)
    assert first("outside_a") == Record(
        RecordKind.ACCESS, (2, 2, 0), (access,), "out of bounds", "__global__", 0x7FC5FE801104, 4
    )


def test_a_race_has_both_threads_in_their_order():
    assert first("race").kind is RecordKind.RACE
    assert first("race").block == (1, 1, 0)
    assert first("race").accesses == (RecordedAccess((0, 7, 0), "read", 9), RecordedAccess((0, 0, 0), "write", 7))
    assert first("race").address == 0x800


@pytest.mark.parametrize(
    ("name", "kind", "line"),
    [
        ("outside_shared", RecordKind.ACCESS, 2),
        ("barrier", RecordKind.BARRIER, 8),
        ("unset_c", RecordKind.UNSET, 5),
        ("unset_heap", RecordKind.UNSET, 6),
        ("cluster", RecordKind.OTHER_BLOCK, 11),
    ],
)
def test_each_kind_has_its_line(name: str, kind: RecordKind, line: int):
    assert (first(name).kind, first(name).accesses[0].line) == (kind, line)


def test_an_access_in_a_header_has_the_line_of_the_submission_that_calls_it():
    assert first("mask").accesses[0].line == 6


@pytest.mark.parametrize("name", ["nothing", "illegal_instruction", "analysis"])
def test_other_kinds_are_left_out(name: str):
    assert read_records(FOLDER / f"{name}.xml") == []


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_is_cut_off_gives_the_records_before_the_end(name: str):
    content = (FOLDER / f"{name}.xml").read_bytes()
    every = list(records(content))
    for end in range(0, len(content), 7):
        part = list(records(content[:end]))
        assert part == every[: len(part)]


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe", b"<", b"<a/>", b"<record/>", b"<record><kind>Precise</kind></record>",
     b"<record><kind>Hazard</kind><what><thread0/><thread1/></what></record>"],
)  # fmt: skip
def test_a_damaged_file_has_no_records(content: bytes):
    assert list(records(content)) == []


@pytest.mark.parametrize("old", [b"<x>0</x>", b"<address>0x7fc5fe801104</address>", b"<line>5</line>"])
def test_a_record_with_a_word_in_place_of_a_number_is_left_out(old: bytes):
    content = (FOLDER / "outside_a.xml").read_bytes()
    tag = old[1:-1].partition(b">")[0]
    damaged = content.replace(old, b"<%s>many</%s>" % (tag, tag))
    assert len(list(records(damaged))) < len(list(records(content)))


def test_of_a_long_file_only_the_start_is_read(tmp_path: Path):
    head, record, _ = (FOLDER / "outside_a.xml").read_text().partition("  <record>")[0], "", ""
    record = (FOLDER / "outside_a.xml").read_text().split("  <record>")[1]
    path = tmp_path / "long.xml"
    path.write_text(head + ("  <record>" + record) * (2 * MOST_BYTES // len(record)))
    assert MOST_BYTES // 1000 < len(read_records(path)) < MOST_BYTES // len(record)


def test_text_of_a_submission_makes_no_record():
    content = (FOLDER / "outside_a.xml").read_text()
    named = content.replace("<func>matmul</func>", "<func>f&lt;/func&gt;&lt;/record&gt;&lt;record&gt;</func>")
    assert list(records(named.encode())) == list(records(content.encode()))
