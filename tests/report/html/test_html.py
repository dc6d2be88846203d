"""What report.html says, and in which order; test_html_browser.py looks at it as a reader does."""

from dataclasses import replace
from pathlib import Path

import pytest
from lxml import html as reader

from grader.model import (
    AccessKind,
    Accuracy,
    Case,
    CaseResult,
    Counters,
    Fault,
    Interval,
    Report,
    SharedBaselines,
    State,
    Telemetry,
    ThreadAccess,
    Verdict,
)
from grader.report.html.facts import Origin
from grader.report.html.page import render
from grader.text.numbers import NONE
from tests.desk import Desk
from tests.lab import NAIVE
from tests.report import examples, pages

GOLDEN = Path(__file__).parents[1] / "golden"


def read(report: Report, source: bytes | None = None) -> reader.HtmlElement:
    return reader.fromstring(render(report, source))


def words(report: Report, source: bytes | None = None) -> str:
    return " ".join(read(report, source).text_content().split())


def verdict(report: Report) -> str:
    return " ".join(read(report).find_class("verdict")[0].text_content().split())


def outline(page: reader.HtmlElement) -> list[str]:
    """Headings, captions and columns in their order: what the page is made of."""
    said = {"h1": "# ", "h2": "## ", "h3": "### ", "caption": "table: ", "th": "- ", "figcaption": "figure: "}
    elements = (element for element in page.iter(*said) if element.tag != "th" or element.get("scope") == "col")
    return [said[element.tag] + " ".join(element.text_content().split()) for element in elements]


@pytest.mark.parametrize("report", [pages.graded(), pages.wrong()], ids=["right", "wrong"])
def test_a_page_is_made_of_these_parts_in_this_order(report: Report, request: pytest.FixtureRequest):
    name = f"report.{request.node.callspec.id}.outline.txt"
    assert outline(read(report, pages.kernel())) == (GOLDEN / name).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("counters", "said"),
    [(pages.advised().counters, "72 per thread, of at most 255"), (None, "Registers and occupancy")],
)
def test_without_a_gpu_the_page_shows_the_registers_that_the_compiler_counted(counters: Counters | None, said: str):
    assert said in words(pages.simulated(counters=counters))


@pytest.mark.parametrize("differs", ["thread", "block"])
def test_a_race_is_shown_as_two_threads_or_blocks_side_by_side(differs: str):
    first = ThreadAccess(5, AccessKind.WRITES, (0, 0, 0), (0, 0, 0))
    pair = first, replace(first, line=6, does=AccessKind.READS, **{differs: (1, 0, 2)})
    fault = Fault(Verdict.DATA_RACE, "A race.", "Wait.", 5, accesses=pair, memory="As[<b>]", missing="no barrier")
    report = examples.report(results=(CaseResult(Case(examples.SMALL, "checked", 1), fault.verdict, fault=fault),))
    lines = NAIVE.splitlines()
    (table,) = read(report, NAIVE.encode()).find_class("race")
    rows = [[" ".join(cell.text_content().split()) for cell in row] for row in table.iter("tr")]
    assert rows == [
        [f"{differs} (0, 0)", f"{differs} (1, 0, 2)"],
        [f"line 5 writes {lines[4].strip()}", ""],
        ["no barrier"],
        ["", f"line 6 reads {lines[5].strip()}"],
    ]
    assert "line 5 writes" in words(report)  # without the file, too


def test_nothing_is_fetched_and_nothing_runs():
    text = render(pages.graded(), pages.kernel())
    page = reader.fromstring(text)
    (policy,) = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert {"default-src 'none'", "style-src 'unsafe-inline'", "img-src data:"} <= set(policy.split("; "))
    assert "script-src" not in policy
    outward = page.xpath("//@src | //@href[not(starts-with(., '#')) and not(starts-with(., 'data:'))]")
    assert (outward, page.xpath("//script")) == ([], [])
    assert "http" not in text.replace("http-equiv", "")


@pytest.mark.parametrize(
    ("report", "said"),
    [
        (pages.graded(), "The answers are correct at all 11 sizes. At N=2048 the kernel reaches 39,403 GFLOPS, 3.70"),
        (pages.wrong(), "Failed at 6 of 11 sizes: wrong answer at N=257, N=510, N=1000 and 2 more; time limit"),
        (pages.barrier(), "Failed at the only size: barrier not reached by all threads."),
        (pages.not_compiled(), "The file does not compile. 0.0 of 100 points"),
        (pages.simulated(), "The answers are correct at all 11 sizes. 50.0 of 50 points 50 more cannot be measured"),
        (pages.not_finished(State.INFRASTRUCTURE_FAULT), "The submission did not cause it, and it costs no points."),
        (pages.not_finished(State.INTERRUPTED), "The run was interrupted, so there is no grade. That costs no points."),
        (pages.not_finished(State.RUNNING), "The grade is not finished"),
    ],
)  # fmt: skip
def test_the_verdict_is_one_sentence(report: Report, said: str):
    assert said in verdict(report)


@pytest.mark.parametrize("state", [state for state in State if state is not State.FINISHED])
def test_a_grade_that_is_not_finished_shows_no_points(state: State):
    page = read(replace(pages.graded(), state=state), pages.kernel())
    assert page.find_class("score") == []
    assert page.xpath("//*[@id='points']") == []


def test_a_grader_error_is_reported_with_what_to_do():
    assert "nvidia-smi shows which." in verdict(pages.not_finished(State.INFRASTRUCTURE_FAULT))


def test_a_kernel_that_the_machine_cannot_run_is_no_failure():
    fault = examples.failed(examples.SMALL, "second", Verdict.NOT_SUPPORTED).fault
    report = pages.simulated(build=None, fault=fault, results=())
    assert "This machine cannot run the kernel, so there is no grade. That costs no points" in verdict(report)
    assert read(report).find_class("verdict")[0].get("class") == "verdict open"


def test_a_speed_that_was_not_measured_is_never_a_zero():
    page = read(pages.simulated(), pages.kernel())
    assert "Speed is not measured here. The simulator runs the kernel on the CPU" in page.text_content()
    headings = page.xpath("//table//th[contains(., 'GFLOPS')]")
    assert [heading.text_content() for heading in headings] == ["GFLOPS"]  # a criterion
    assert page.xpath("//tr[th='GFLOPS']/td")[0].text_content().split() == ["not", "measured", "(5)"]
    assert page.xpath("//figure") == []


def test_a_wrong_kernel_has_the_reason_why_it_has_no_speed():
    assert "Speed is not measured: only sizes at which every answer is correct are timed." in words(pages.wrong())


def test_a_lab_that_times_nothing_says_nothing_of_speed():
    report = pages.simulated()
    assert "Speed is not measured here" not in words(replace(report, rubric=replace(report.rubric, timed_sizes=())))


def test_a_fault_has_a_hint_a_map_and_two_elements():
    fault = read(pages.wrong()).find_class("fault")[0]
    said = " ".join(fault.text_content().split())
    assert "Hint. Only the edge is wrong" in said
    assert "The same verdict in 19 more runs, at N=257, N=510, N=1000, N=1025, N=2047." in said
    assert fault.xpath(".//tr[th='largest error']//text()[normalize-space()]") == [
        "largest error", "C[256][256]", "-59742", "NaN",
    ]  # fmt: skip
    assert fault.xpath(".//svg//desc")[0].text.startswith(
        "513 elements of C are wrong, in the last row and the last column."
    )


def test_an_element_that_was_never_written_is_said_to_be_so_once():
    fault = pages.wrong().results[4]
    mismatch_ = fault.mismatch
    region = replace(mismatch_.region, never_written=mismatch_.region.wrong)
    result = replace(fault, mismatch=replace(mismatch_, region=region, worst=mismatch_.first))
    shown = read(replace(pages.wrong(), results=(result,))).find_class("fault")[0]
    assert shown.xpath(".//tbody//td/text()") == ["31751", "never written"]
    assert shown.xpath(".//caption/text()") == ["A wrong element"]
    assert "Cross" not in shown.text_content()


def test_compile_messages_stand_at_their_lines():
    page = read(pages.not_compiled(), pages.kernel())
    remarks = {element.getparent().get("id"): element.text_content() for element in page.find_class("remark")}
    assert remarks == {
        "L17": 'warning variable "tile" was declared but never referenced',
        "L24": 'error The file does not compile in line 24: expected a ";"',
    }


def test_the_line_of_a_fault_is_shown_with_two_lines_on_each_side():
    excerpt = read(pages.not_compiled(), pages.kernel()).xpath("//article//ol")[0]
    assert [line.get("value") for line in excerpt] == ["22", "23", "24", "25", "26"]
    assert [line.get("value") for line in excerpt.find_class("error")] == ["24"]
    assert excerpt.xpath("li[2]")[0].text_content().strip() == "#define BLOCK 16"
    assert read(pages.not_compiled(), b"one line").xpath("//article//ol") == []


def test_student_attempt_and_date_are_at_the_top_where_they_are_known():
    def heading(origin: Origin | None) -> str:
        text = render(pages.graded(), pages.kernel(), origin)
        return " ".join(reader.fromstring(text).find_class("origin")[0].itertext())

    assert heading(Origin("ada<b>", 2)) == "ada<b> Attempt 2 2025-03-01 09:30:00+01:00"
    assert heading(None) == "2025-03-01 09:30:00+01:00"


def test_each_size_is_a_chip_below_the_verdict():
    chips = read(pages.wrong()).xpath("//ul[@aria-label='Verdict at each size']/li")
    assert [chip.text_content() for chip in chips[:2]] == ["N=256 correct", "N=257: wrong answer"]
    assert [chip.get("class") for chip in chips[:2]] == ["mark right", "mark wrong"]
    assert len(chips) == 11
    only = read(replace(pages.wrong(), results=pages.wrong().results[:-1])).xpath("//ul[@class='chips']/li[2]")[0]
    assert only.find_class("unseen")[0].text_content() == " wrong answer"  # the heading above has said it


def test_the_next_points_are_shown_with_what_earns_them():
    steps = [" ".join(step.text_content().split()) for step in read(pages.graded()).find_class("next")[0]]
    assert steps == [
        "+1.24 Speed-up over the naive kernel: reach 5.00 times the naive kernel at N=1024; now it is 3.01 times the "
        "naive kernel.",
        "+0.34 Fraction of cuBLAS: reach 80.0% of the library at N=1024; now it is 69.9% of the library.",
    ]
    assert read(pages.simulated()).find_class("next") == []  # it has all points that the simulator can give


def test_where_nothing_was_measured_the_page_shows_no_points():
    fault = examples.failed(examples.SMALL, "second", Verdict.NOT_SUPPORTED).fault
    report = pages.simulated(build=None, fault=fault, results=())
    assert "No grade yet none of the 100 points can be measured on this machine" in verdict(report)
    assert " 0.0 " not in words(report)


def test_the_environment_is_folded():
    assert read(pages.graded()).xpath("//*[@id='environment']/../details[not(@open)]//dt[.='GPU']")


def test_without_the_file_the_page_has_no_listing_and_no_link_into_it():
    page = read(pages.barrier())
    assert page.xpath("//*[@id='source']") == []
    assert page.xpath("//article//a") == []
    assert "line 21" in page.find_class("fault")[0].text_content()


def test_a_held_clock_and_shared_baselines_are_noted_beside_the_speeds():
    report = pages.graded()
    slow = replace(report.measurements[0], telemetry=Telemetry(990, 3201, 83, ("power",)))
    shared = SharedBaselines("2026-01-02T03:04:05+00:00", "naive at N=1024", 0.012)
    said = words(replace(report, measurements=(slow, *report.measurements[1:]), shared_baselines=shared))
    assert "The GPU reduced its clock (power)" in said
    assert "measured at 2026-01-02T03:04:05+00:00, with a drift of 1.2% by the time of this submission." in said


def test_a_size_without_a_baseline_has_a_dash_and_no_figure():
    alone = replace(pages.graded().measurements[0], speedup=None, library_fraction=None, transfer_seconds=None)
    page = read(replace(pages.graded(), measurements=(alone,), baselines={}))
    assert page.xpath("//table[@class='wide']//th[.='N=256']/../td/text()")[2:6] == [NONE, NONE, "12.4 µs", NONE]
    assert page.xpath("//figure/figcaption/text()") == ["Speed over size"]


def test_a_share_of_the_library_is_drawn_in_percent():
    described = read(examples.report()).xpath("//*[local-name() = 'desc']/text()")
    assert described[-1] == "In % of cuBLAS, median and interval. At N=1024: this kernel 50.0 (49.5 to 50.5)."


def test_the_share_of_the_peak_is_drawn_where_the_lab_scores_it():
    report = pages.graded()
    scored = replace(report.rubric.criteria[-1], kind="peak-fraction", curve=((0.0, 0.0), (0.5, 1.0)))
    rubric = replace(report.rubric, criteria=(*report.rubric.criteria, scored))
    captions = read(replace(report, rubric=rubric)).xpath("//figure/figcaption/text()")
    assert captions[-1] == "Share of the device's peak"


def test_errors_are_shown_beside_those_of_the_library():
    accuracy = Accuracy(0.5, 0.25, 8.0)
    report = replace(pages.graded(), results=(examples.ok(pages.square(256), "second", accuracy=accuracy),))
    cells = read(report).xpath("//caption[starts-with(., 'Correct runs')]/../tbody/tr/td/text()")
    assert cells == ["1 of 1", "second", "0.50", "0.25", "8.00"]


def test_nan_and_infinity_do_not_stop_the_page():
    nan = Interval(float("nan"), float("nan"), float("nan"))
    odd = replace(pages.graded().measurements[0], gflops=nan, speedup=nan)
    assert "nan" in words(replace(pages.graded(), measurements=(odd,)))


def test_a_large_file_makes_no_large_page():
    for source in (b"<" * (1 << 20), b"\n" * (1 << 20), (b"<" * 299 + b"\n") * 3495):
        assert len(render(pages.simulated(), source)) < 3 << 20


def test_a_long_log_and_long_output_are_cut():
    noisy = examples.ok(pages.square(256), "second", printed="<" * 100_000)
    fault = replace(pages.not_compiled().fault, detail="<" * 1_000_000)
    assert len(render(replace(pages.graded(), results=(noisy,)))) < 200_000
    assert len(render(replace(pages.not_compiled(), fault=fault))) < 200_000


def test_the_output_of_a_correct_kernel_is_shown_with_its_case():
    chatty = examples.ok(pages.square(256), "second", printed="\x1b[31mrow 3 <b>\n")
    page = read(replace(pages.graded(), results=(chatty,)))
    assert page.xpath("//*[@aria-label='What the kernel printed']/text()") == ["row 3 <b>"]
    assert "What the kernel printed At N=256 second:" in " ".join(page.text_content().split())


def test_the_command_that_repeats_a_grade_is_safe_to_paste():
    report = pages.graded()
    report = replace(report, source=replace(report.source, name="my file; rm -rf ~.cu"))
    assert "grade run 'my file; rm -rf ~.cu' --rubric RUBRIC --backend cuda --seed 42" in words(report)


def test_a_grade_writes_its_page(desk: Desk):
    desk.run(desk.write(NAIVE.replace("k < N", "k < N - 1")))
    page = (desk.output / "report.html").read_text(encoding="utf-8")
    assert "Failed at the only size: wrong answer." in page
    assert "k &lt; N - 1" in page


def test_a_kept_report_becomes_a_page_again(desk: Desk):
    file = desk.write(NAIVE)
    desk.run(file)
    written = desk.output / "report.html"
    first = written.read_bytes()
    written.unlink()
    ended = desk.grade("report", desk.output / "report.json", "--source", file)
    assert (ended.status, ended.stdout.strip()) == (0, str(written))
    assert written.read_bytes() == first


def test_a_page_that_may_show_more_is_replaced_only_if_it_is_named(desk: Desk):
    desk.run(desk.write(NAIVE))
    written = desk.output / "report.html"
    first = written.read_bytes()
    ended = desk.grade("report", desk.output)
    assert (ended.status, written.read_bytes()) == (2, first)
    assert f"{written} is already there" in ended.words
    assert desk.grade("report", desk.output, "--output", written).status == 0
    assert written.read_bytes() != first


def test_a_page_is_not_made_with_another_file_than_was_graded(desk: Desk):
    desk.run(desk.write(NAIVE))
    (desk.output / "report.html").unlink()
    ended = desk.grade("report", desk.output / "report.json", "--source", desk.write(NAIVE + "\n", "other.cu"))
    assert ended.status == 2
    assert "other.cu is not the file that was graded" in ended.words
    assert "Name that file, or leave out --source" in ended.words


def test_a_folder_that_cannot_be_written_is_wrong_usage(desk: Desk):
    desk.run(desk.write(NAIVE))
    ended = desk.grade("report", desk.output / "report.json", "--output", desk.write(NAIVE) / "page.html")
    assert (ended.status, "cannot be written" in ended.words) == (2, True)


def test_a_page_can_be_made_without_the_file_and_elsewhere(desk: Desk):
    desk.run(desk.write(NAIVE))
    page = desk.folder / "page.html"
    assert desk.grade("report", desk.output / "report.json", "--output", page).status == 0
    assert "The file" not in outline(reader.fromstring(page.read_text(encoding="utf-8")))
