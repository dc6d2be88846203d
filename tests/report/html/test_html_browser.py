"""report.html in a real browser: it opens from a disk, is read, printed and trusted there."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

from grader.model import AccessKind, Fault, Report, State, ThreadAccess, Verdict
from grader.report.html.page import render
from tests.looks import PALE
from tests.report import pages

Open = Callable[..., Page]
PHONE = {"width": 390, "height": 844}
EVERY_PAGE = {
    "right": pages.graded(),
    "wrong": pages.wrong(),
    "advice": pages.advised(),
    "a fault with a line": pages.barrier(),
    "simulated": pages.simulated(),
    "not compiled": pages.not_compiled(),
    "a grader error": pages.not_finished(State.INFRASTRUCTURE_FAULT),
    "hostile": pages.hostile()[0],
}
each_page = pytest.mark.parametrize("report", EVERY_PAGE.values(), ids=EVERY_PAGE)

# What sticks out of the page to the right, and cannot be scrolled to either.
CUT = """
() => [...document.querySelectorAll('main *, header *')].filter(one =>
    !one.closest('.scroll') && !one.closest('svg') && one.getBoundingClientRect().right > innerWidth + 1
).map(one => one.outerHTML.slice(0, 80))
"""
# On paper nothing scrolls: what is wider or higher than its place is lost.
CUT_ON_PAPER = """
() => [...document.querySelectorAll('.scroll, .log, table, ol, dl')].filter(one =>
    one.scrollWidth > document.documentElement.clientWidth + 1 || one.scrollWidth > one.clientWidth + 1
    || one.scrollHeight > one.clientHeight + 1
).map(one => one.className + ' ' + one.textContent.trim().slice(0, 40))
"""


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Opens a report's page from a file; nothing may complain, ask, or leave the page."""
    contexts, complaints, requests = [], [], []
    place = tmp_path / "report.html"

    def open_page(report: Report, source: bytes | None = None, **context: Any) -> Page:
        place.write_text(render(report, source or pages.kernel()), encoding="utf-8")
        contexts.append(browser.new_context(**context))
        page = contexts[-1].new_page()

        def refuse(dialog: Dialog) -> None:
            complaints.append(dialog.message)
            dialog.dismiss()

        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", refuse)
        page.goto(place.as_uri())
        return page

    yield open_page
    assert complaints == []
    assert {url.partition("#")[0] for url in requests} <= {place.as_uri(), "data:,"}
    for opened_context in contexts:
        opened_context.close()


def test_the_verdict_and_the_score_are_the_first_to_be_seen(opened: Open):
    page = opened(pages.graded(), viewport={"width": 1100, "height": 600})
    expect(page.get_by_role("heading", name="The answers are correct at all 11 sizes.")).to_be_in_viewport()
    expect(page.get_by_text("95.32 of 100 points")).to_be_in_viewport()


@each_page
def test_a_page_has_the_landmarks_headings_and_tables_that_a_screen_reader_goes_by(opened: Open, report: Report):
    page = opened(report)
    assert page.get_by_role("main").count() == page.get_by_role("heading", level=1).count() == 1
    levels = [int(heading.evaluate("one => one.tagName[1]")) for heading in page.get_by_role("heading").all()]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    for table in page.locator("table").all():
        assert table.locator("caption").text_content()
        assert table.locator("thead th[scope=col]").count() == table.locator("thead th").count() > 0
        assert table.locator("tbody tr").count() == table.locator("tbody tr th[scope=row]").count()
    for region in page.get_by_role("region").all():
        assert region.evaluate("one => one.ariaLabel || one.ariaLabelledByElements?.length")


@each_page
def test_every_name_that_is_referred_to_is_there_once(opened: Open, report: Report):
    page = opened(report)
    names = page.evaluate("[...document.querySelectorAll('[id]')].map(one => one.id)")
    assert len(names) == len(set(names))
    labelled = "[...document.querySelectorAll('[aria-labelledby]')].map(one => one.getAttribute('aria-labelledby'))"
    labels = " ".join(page.evaluate(labelled)).split()
    links = page.evaluate("[...document.querySelectorAll('a[href^=\"#\"]')].map(one => one.hash.slice(1))")
    assert {*labels, *links} <= set(names)


def test_the_accessible_tree_contains_the_whole_grade(opened: Open):
    tree = opened(pages.graded()).get_by_role("main").aria_snapshot()
    assert 'heading "The answers are correct at all 11 sizes." [level=2]' in tree
    assert 'table "Points for each criterion, and why"' in tree
    assert re.search(r'row "N=2048 correct 39,403 38,812 to 40,191 3\.70 79\.1% 436 µs', tree)
    assert 'img "Speed over size from N=256 to N=2048 In GFLOPS, median and interval.' in tree


def test_a_figure_can_be_read_as_a_table(opened: Open):
    page = opened(pages.graded())
    page.get_by_text("As a table").first.click()
    table = page.get_by_role("table", name="Speed over size: median, and 95 % interval")
    expect(table.get_by_role("row").last).to_contain_text("49,797")


def test_the_table_of_points_stays_a_table_on_a_phone(opened: Open):
    tree = opened(pages.graded(), viewport=PHONE).get_by_role("main").aria_snapshot()
    assert 'row "Compiles 5.0 of 5 The file compiles."' in tree


def test_what_a_student_wrote_stays_text(opened: Open):
    report, source = pages.hostile()
    page = opened(report, source)
    assert page.title().startswith(pages.SCRIPT)
    assert page.locator("header code").inner_text() == pages.SCRIPT
    assert page.locator("script, img, iframe, object, form").count() == 0
    assert page.locator("style").count() == 1
    plain = opened(replace(pages.not_compiled(), results=()), source.replace(b"<", b"("))
    kinds = "[...new Set([...document.querySelectorAll('*')].map(one => one.tagName))].sort().join()"
    assert page.evaluate(kinds) == plain.evaluate(kinds)


def test_a_line_cannot_pretend_to_be_written_the_other_way_round(opened: Open):
    report, source = pages.hostile()
    assert "\u202e" not in opened(report, source).content()


def test_a_fault_leads_to_its_line(opened: Open):
    page = opened(pages.barrier())
    page.get_by_role("link", name="line 21").click()
    line = page.locator("#L21")
    expect(line).to_be_in_viewport()
    assert "the barrier at line 21" in line.inner_text()


@each_page
def test_a_phone_shows_all_of_it(opened: Open, report: Report):
    page = opened(report, viewport=PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert page.evaluate(CUT) == []


def test_the_points_stay_in_their_box_on_a_small_phone(opened: Open):
    page = opened(pages.simulated(), viewport={"width": 320, "height": 568})
    box = page.locator(".verdict")
    assert "cannot be measured on this machine" in box.inner_text()
    assert box.evaluate("one => one.scrollWidth - one.clientWidth") == 0


def racy() -> Report:
    first = ThreadAccess(34, AccessKind.READS, (65535, 65535, 65535), (1023, 1023, 63))
    pair = first, ThreadAccess(31, AccessKind.WRITES, (65534, 65535, 65535), (16, 0, 0))
    memory = "element 511 of the shared array that_has_a_long_name"
    fault = Fault(
        Verdict.DATA_RACE, "A race.", "Wait.", 34, "Data race: line 40.",
        accesses=pair, memory=memory, missing="with no barrier",
    )  # fmt: skip
    return pages.simulated(results=(), fault=fault)


def test_both_threads_of_a_race_are_on_a_phones_screen(opened: Open):
    page = opened(racy(), viewport=PHONE)
    region = page.get_by_role("region", name="Two accesses to")
    assert region.evaluate("one => one.scrollWidth - one.clientWidth") == 0


def test_the_failing_line_begins_where_its_neighbours_do(opened: Open):
    page = opened(racy(), viewport=PHONE)
    lefts = page.locator(".excerpt code").evaluate_all("all => all.map(one => one.getBoundingClientRect().left)")
    assert len(lefts) == 5
    assert max(lefts) - min(lefts) < 0.5


def test_a_line_of_code_that_does_not_fit_goes_on_indented(opened: Open):
    code = opened(pages.graded(), viewport=PHONE).locator("#L1 code")
    starts = code.evaluate("""one => {
        const range = document.createRange();
        range.selectNodeContents(one);
        return [...range.getClientRects()].map(rectangle => rectangle.left);
    }""")
    assert len(starts) > 1
    assert all(start > starts[0] + 5 for start in starts[1:])


def test_what_is_below_a_fault_has_a_title_and_the_least_useful_is_folded(opened: Open):
    race = opened(racy())
    expect(race.get_by_role("region", name="Another race")).to_be_visible()
    expect(opened(pages.not_compiled()).get_by_role("region", name="Output of the compiler")).to_be_visible()
    outside = Fault(Verdict.OUT_OF_BOUNDS, "At N=1: outside A.", "Compare.", 5, "address 0x20000000004")
    page = opened(pages.simulated(results=(), fault=outside))
    expect(page.get_by_text("address 0x2")).not_to_be_visible()
    page.get_by_text("More about this error").click()
    expect(page.get_by_text("address 0x2")).to_be_visible()


@each_page
def test_paper_shows_all_of_it(opened: Open, report: Report):
    """182 mm is what A4 has between the margins, 688 pixels of CSS."""
    page = opened(report, viewport={"width": 688, "height": 1000})
    page.emulate_media(media="print")
    assert page.evaluate(CUT) == []
    assert page.evaluate(CUT_ON_PAPER) == []
    assert page.pdf(format="A4").startswith(b"%PDF")


def test_paper_shows_what_is_folded_up_on_a_screen(opened: Open):
    page = opened(pages.graded())
    allowed = page.get_by_role("columnheader", name="largest allowed")
    expect(allowed).to_have_count(0)
    page.emulate_media(media="print")
    expect(allowed).to_have_count(1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@each_page
def test_every_text_can_be_read(opened: Open, report: Report, scheme: str):
    page = opened(report, color_scheme=scheme)
    assert page.evaluate(PALE) == []


def test_a_dark_screen_gets_a_dark_page_and_light_figures(opened: Open):
    page = opened(pages.graded(), color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(13, 17, 23)"
    words = page.locator("figure svg text").first
    assert words.evaluate("one => getComputedStyle(one).fill") == "rgb(230, 237, 243)"
