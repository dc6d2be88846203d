"""index.html in a real browser: it is read, sorted and trusted there."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from lxml import etree
from playwright.sync_api import Browser, Dialog, Page

from grader.batch.present.class_figures import figures
from grader.batch.present.class_files import write_class
from grader.batch.present.class_page import class_page
from grader.model import Verdict
from tests.batch.present import class_rows, invented_class
from tests.looks import PALE
from tests.report import examples, pages


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """The page of a class, opened from a folder. At the end, it must have made no requests and shown no errors."""
    (tmp_path / "anna").mkdir()
    (tmp_path / "anna" / "report.html").write_text("<!DOCTYPE html><title>Anna's report</title>")
    write_class(class_rows.rows(), tmp_path)
    opened = browser.new_page()
    requests: list[str] = []
    complaints: list[str] = []

    def refuse(dialog: Dialog) -> None:
        complaints.append(dialog.message)
        dialog.dismiss()

    opened.on("request", lambda request: requests.append(request.url))
    opened.on("console", lambda message: complaints.append(message.text))
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("dialog", refuse)
    opened.goto((tmp_path / "index.html").as_uri())
    yield opened
    assert complaints == []
    assert all(url.startswith(tmp_path.as_uri()) or url == "data:," for url in requests)
    opened.close()


def names(page: Page) -> list[str]:
    return page.locator("tbody th small").all_inner_texts()


def test_hidden_sizes_are_said_to_count_where_students_do_not_see_them():
    report = class_rows.fast(500.0)
    rubric = replace(report.rubric, hidden_sizes=(examples.LARGE,), visible_after="2090-01-01T00:00:00+00:00")
    page = class_page([class_rows.row("anna", replace(report, rubric=rubric))])
    assert f"Hidden sizes count here: {examples.LARGE}." in page
    assert "leaves them out until 2090-01-01" in page
    assert "Hidden sizes" not in class_page(class_rows.rows())


def test_a_click_sorts_by_points_and_another_the_other_way(page: Page):
    page.get_by_role("button", name="Points").click()
    assert names(page)[:3] == ["cleo", "anna", "bert"]
    assert page.locator("th[aria-sort]").get_attribute("aria-sort") == "descending"
    page.get_by_role("button", name="Points").click()
    assert names(page)[:2] == ["fred", "evil"]
    assert names(page)[-3:] == ["gina", "hugo", "ines"]  # without points, last either way


def test_the_keyboard_sorts_as_well(page: Page):
    page.get_by_role("button", name="GFLOPS").focus()
    page.keyboard.press("Enter")
    assert names(page)[:3] == ["cleo", "anna", "bert"]
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Space")
    assert names(page)[:3] == ["bert", "anna", "cleo"]


def visible(page: Page) -> list[str]:
    return page.locator("tbody tr:not([hidden]) th small").all_inner_texts()


def test_the_filters_show_one_state_one_verdict_or_what_contains_some_words(page: Page):
    page.get_by_label("State").select_option("failed")
    assert visible(page) == ["dora", "evil", "fred"]
    assert page.locator("output").inner_text() == "3 of 9 students"
    page.get_by_label("Verdict").select_option("compile error")
    assert visible(page) == ["fred"]
    page.get_by_label("State").select_option("")
    page.get_by_label("Verdict").select_option("")
    page.get_by_label("Contains").fill("LATE")
    assert visible(page) == ["bert"]


def test_the_keyboard_reaches_the_filters_in_their_order_before_the_table(page: Page):
    page.get_by_label("State").focus()
    page.keyboard.press("f")  # a select goes to the option that begins with the letter
    assert visible(page) == ["dora", "evil", "fred"]
    reached = []
    for _ in range(4):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.name || document.activeElement.textContent.trim()"))
    assert reached[:2] == ["verdict", "text"]
    assert reached[3] == "Student"  # after the region that scrolls


def test_a_mistake_leads_to_the_reports_of_its_students(page: Page):
    mistakes = page.locator(".mistakes li")
    assert [item.locator("b").inner_text() for item in mistakes.all()] == ["1", "1", "1"]
    assert "compile error A semicolon is missing." in mistakes.last.inner_text().replace("\n", " ")
    assert "Dora" in mistakes.first.inner_text()


@pytest.mark.parametrize("gpu", [True, False])
def test_a_phone_shows_names_reasons_and_statistics_without_scrolling(browser: Browser, tmp_path: Path, gpu: bool):
    write_class(invented_class.rows(30, gpu=gpu), tmp_path)
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto((tmp_path / "index.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    outside = "[...document.querySelectorAll('td, th')].filter(one => one.getBoundingClientRect().right > 390)"
    assert page.evaluate(f"{outside}.map(one => one.textContent)") == []
    heading = page.get_by_role("rowheader", name="Ada O'Connor-Featherstonehaugh").first
    assert heading.evaluate("one => one.getBoundingClientRect().width") > 190
    assert heading.evaluate("one => getComputedStyle(one).overflowWrap") == "break-word"
    page.close()


def test_the_leaderboard_fits_a_phone_and_the_class_a_sheet_of_paper(browser: Browser, tmp_path: Path):
    write_class(invented_class.rows(30), tmp_path)
    outside = (
        "width => [...document.querySelectorAll('td, th')].filter(e => e.getBoundingClientRect().right > width).length"
    )
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto((tmp_path / "leaderboard.html").as_uri())
    assert page.evaluate(outside, 390) == 0
    page.set_viewport_size({"width": 718, "height": 1000})  # A4 without Chromium's margins
    page.emulate_media(media="print")
    page.goto((tmp_path / "index.html").as_uri())
    assert page.evaluate(outside, 718) == 0
    assert page.locator("td.problem").first.evaluate("e => e.getBoundingClientRect().width") > 160
    page.close()


def test_a_students_script_is_text(page: Page):
    evil = page.get_by_role("rowheader", name=class_rows.SCRIPT)
    assert evil.inner_text().startswith(class_rows.SCRIPT)
    assert page.locator("script").count() == 1


def test_a_script_that_still_got_onto_the_page_does_not_run(browser: Browser, tmp_path: Path):
    write_class(class_rows.rows(), tmp_path)
    path = tmp_path / "index.html"
    path.write_text(path.read_text().replace("<h1>", "<script>document.title = 'taken'</script><h1>"))
    page = browser.new_page()
    page.goto(path.as_uri())
    assert page.locator("script").count() == 2
    assert page.title() == "Square lab: the class"


def test_the_name_of_a_student_leads_to_the_report(page: Page):
    page.get_by_role("rowheader", name="Anna").get_by_role("link").click()
    assert page.title() == "Anna's report"


def test_the_links_lead_to_the_reports_that_exist(page: Page):
    links = page.locator("td.links a")
    assert [link.get_attribute("href") for link in links.all()] == ["anna/report.html"]
    links.first.click()
    assert page.title() == "Anna's report"


@pytest.mark.parametrize("width", [390, 1090, 1280])
def test_it_fits_a_phone_and_a_desk(page: Page, width: int):
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_a_large_class_fits_a_desk_and_has_room_for_the_reasons(browser: Browser, tmp_path: Path):
    write_class(invented_class.rows(60), tmp_path)
    page = browser.new_page(viewport={"width": 1090, "height": 800})
    page.goto((tmp_path / "index.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == 1090
    page.set_viewport_size({"width": 1200, "height": 800})
    assert page.locator("td.problem").first.evaluate("one => one.getBoundingClientRect().width") > 240
    page.close()


def test_no_word_of_a_figure_is_cut(browser: Browser, tmp_path: Path):
    write_class(invented_class.rows(30), tmp_path)
    page = browser.new_page(viewport={"width": 1200, "height": 800})
    page.goto((tmp_path / "index.html").as_uri())
    outside = page.locator("svg text").evaluate_all("""words => words.filter(word => {
        const [inner, outer] = [word, word.ownerSVGElement].map(one => one.getBoundingClientRect());
        return inner.left < outer.left || inner.right > outer.right || inner.bottom > outer.bottom;
    }).map(word => word.textContent)""")
    assert page.locator("svg text").count() > 30
    assert outside == []
    page.close()


def test_the_head_of_a_long_table_stays_in_view(browser: Browser, tmp_path: Path):
    write_class(invented_class.rows(60), tmp_path)
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto((tmp_path / "index.html").as_uri())
    page.get_by_role("rowheader").last.scroll_into_view_if_needed()
    assert (
        page.get_by_role("columnheader", name="What is wrong").evaluate("one => one.getBoundingClientRect().top") == 0
    )
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index.html", "leaderboard.html"])
def test_every_text_can_be_read(browser: Browser, tmp_path: Path, name: str, scheme: Literal["light", "dark"]):
    write_class(invented_class.rows(40), tmp_path)
    page = browser.new_page(color_scheme=scheme)
    page.goto((tmp_path / name).as_uri())
    assert page.evaluate(PALE) == []
    page.close()


def test_the_first_key_leads_past_the_statistics_to_the_students(page: Page):
    page.keyboard.press("Tab")
    link = page.get_by_role("link", name="Skip to the students")
    assert link.evaluate("one => one === document.activeElement && one.getBoundingClientRect().left >= 0")
    page.keyboard.press("Enter")
    assert page.url.endswith("#students")


def test_on_paper_nothing_is_at_the_edge_and_no_heading_is_alone(page: Page):
    page.emulate_media(media="print")
    assert page.get_by_role("heading", name="Students").evaluate("one => getComputedStyle(one).breakAfter") == "avoid"
    assert "@page { margin" in page.locator("style").inner_text()
    names_of_students = page.locator(".students tbody th").first
    assert names_of_students.evaluate("one => getComputedStyle(one).position") == "static"


def test_without_a_script_it_is_a_plain_table(browser: Browser, tmp_path: Path):
    write_class(class_rows.rows(), tmp_path)
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto((tmp_path / "index.html").as_uri())
        assert names(page) == [row.submission.student for row in class_rows.rows()]
        assert page.get_by_role("button").count() == 0


def test_a_class_has_a_figure_of_its_points_and_one_of_its_speeds():
    titles = [etree.fromstring(figure.encode()).findtext("title") for figure in figures(class_rows.rows())]
    assert titles == ["Distribution of points", "Distribution of speed", "Points over speed"]
    assert "3 students; the median is 500 GFLOPS. The naive kernel has 100." in figures(class_rows.rows())[1]


@pytest.mark.filterwarnings("error")
def test_the_figures_of_a_class_are_drawn_without_a_warning():
    assert len(figures(class_rows.rows())) == 3


def test_a_list_of_similar_files_is_linked_where_there_is_one(tmp_path: Path):
    write_class([class_rows.row("anna", class_rows.wrong())], tmp_path)
    assert "similar files" not in (tmp_path / "index.html").read_text()
    (tmp_path / "similarity.html").touch()
    write_class([class_rows.row("anna", class_rows.wrong())], tmp_path)
    assert '<a href="similarity.html">similar files</a>' in (tmp_path / "index.html").read_text()


def test_without_measured_speeds_there_are_no_columns_for_them():
    with_speed = class_page([class_rows.row("anna", class_rows.fast(500.0))])
    without = class_page([class_rows.row("anna", examples.simulated())])
    assert "% of cuBLAS</th>" in with_speed
    assert "% of cuBLAS</th>" not in without
    assert 'class="number gflops"' not in without


def test_a_kernel_that_this_machine_cannot_grade_has_no_points_and_is_no_grader_error():
    fault = examples.failed(examples.SMALL, "second", Verdict.NOT_SUPPORTED).fault
    report = examples.simulated(build=None, fault=fault, results=())
    shown = class_page([class_rows.row("anna", report)])
    assert "<b>1</b> cannot be graded here" in shown
    assert '<span class="mark">cannot be graded here</span>' in shown
    assert "with a grader error" not in shown
    assert "0.0 / 0" not in shown


@pytest.mark.parametrize("attempts", [0, 20])
def test_a_class_of_300_fits_in_500_kb(attempts: int):
    rows, links = invented_class.rows(300), (("katarzyna299/report.html", "html"), ("katarzyna299/report.json", "json"))
    kept = [replace(row, links=links, earlier=(row.report,) * attempts if row.report else ()) for row in rows]
    assert len(class_page(kept).encode()) <= 500_000


def test_attempts_of_students_with_several_grades_are_drawn_over_time():
    first = replace(class_rows.wrong(), started="2025-02-27T18:00:00+00:00")
    row = class_rows.row("anna", class_rows.fast(500.0))
    shown = class_page([replace(row, earlier=(first,))])
    assert "1 student with several attempts; 1 with more points in the last than in the first." in shown
    assert "Attempts over time" not in class_page([row])
    assert "Attempts over time" not in class_page([replace(row, earlier=(examples.broken_machine(),))])
    other = replace(first, rubric=replace(first.rubric, flags=()))
    assert "Attempts over time" not in class_page([replace(row, earlier=(other,))])


def test_without_measured_speeds_there_is_no_figure_of_them():
    assert len(figures([class_rows.row("anna", examples.simulated())])) == 1
    assert figures([class_rows.row("anna", None, problem="It was lost.")]) == []


def test_a_name_that_reorders_the_line_is_shown_without_its_marks():
    shown = class_page([class_rows.row("anna", None, name="\u202eevil\x1b[31m\x00")])
    assert "\ufffdevil\ufffd" in shown
    assert not {"\u202e", "\x1b", "\x00"} & set(shown)


def test_students_not_graded_yet_are_not_shown_as_problems():
    shown = class_page([class_rows.row("anna", class_rows.fast(500.0)), class_rows.row("zoe", None)])
    assert "<b>1</b> not graded yet" in shown
    assert '<td class="result not-graded-yet" data-value="not graded yet">' in shown
    assert not any(problem in shown for problem in ("our fault", "grader error", "nothing to grade"))


def test_the_page_says_where_and_when_the_class_was_graded():
    gpu, simulator = class_rows.row("anna", class_rows.fast(500.0)), class_rows.row("anna", pages.simulated())
    assert "Graded on NVIDIA H200; last on 2025-03-01 08:30 UTC." in class_page([gpu])
    assert "Graded on the simulator (2 x x86_64); last on " in class_page([simulator])


def test_the_median_is_of_the_points_that_could_be_measured():
    rows = [class_rows.row(name, pages.simulated()) for name in ("anna", "bert")]
    shown = class_page([*rows, class_rows.row("zoe", None)])
    assert "median <b>50.0</b> of 50 points" in shown
    assert "50 of the lab's 100 points cannot be measured on this machine" in shown
    assert "cannot be measured" not in class_page([class_rows.row("anna", class_rows.fast(500.0))])
    assert "median" not in class_page([class_rows.row("zoe", None)])


def test_lateness_is_shown_in_the_words_of_the_source():
    shown = class_page([class_rows.row(name, None, late=late) for name, late in (("ada", "2 days"), ("bo", "yes"))])
    assert shown.count('class="late">late: 2 days<') == shown.count('class="late">late<') == 1
    assert "<b>2</b> late" in shown


def test_counts_of_zero_are_left_out():
    shown = class_page([class_rows.row("anna", class_rows.fast(500.0))])
    assert "<b>1</b> correct" in shown
    assert "late" not in shown.partition("<ul")[2].partition("</ul>")[0]
