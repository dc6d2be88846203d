"""study.html has everything that a write-up needs, and runs no text of a student."""

import io
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import lxml.html
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page

from grader.model import Launch, Verdict
from grader.study.measure.records import Study
from grader.study.present import outputs, page_tables
from tests.looks import PALE
from tests.study import examples

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>"


def render(study: Study) -> lxml.html.HtmlElement:
    return lxml.html.fromstring(outputs.render(study, list(outputs.drawings(study))))


def table(study: Study, caption: str) -> page_tables.Table:
    return next(table for table in page_tables.page_tables(study) if table.caption.startswith(caption))


def test_the_page_has_every_figure_and_every_table():
    page = render(examples.blocks())
    assert len(page.xpath("//svg[@role='img']")) == 4
    captions = [heading.text for heading in page.xpath("//h2")]
    for words in ("Fastest at each size", "GFLOPS over the size", "Roof of the device", "Device: NVIDIA H200",
                  "Not measured", "With the copies", "Measured with"):  # fmt: skip
        assert any(caption.startswith(words) for caption in captions), words


@pytest.mark.parametrize("study", [examples.blocks(), examples.simulated(), examples.study([])])
def test_every_line_of_a_table_has_every_column(study: Study):
    for table in page_tables.page_tables(study):
        assert {len(line) for line in table.lines} == {len(table.columns)}, table.caption


def test_a_kernel_called_size_has_a_column_beside_the_sizes() -> None:
    shown = table(examples.study([examples.kernel("size.cu", {}, 1000.0, 256, 16)]), "GFLOPS over the size")
    assert (shown.columns, shown.lines[0][0]) == (("size", "size.cu"), "256")


def test_nothing_on_the_page_asks_for_anything_elsewhere():
    page = render(examples.blocks())
    assert not page.xpath("//script|//link|//img|//iframe|//@src")
    assert all(link.startswith("#") for link in page.xpath("//@href"))


def test_a_phone_shows_why_a_kernel_failed_without_scrolling(browser: Browser):
    failed = examples.failed("tiled.cu", Verdict.OUT_OF_BOUNDS, "At N=33: thread (0, 0, 0) reads outside B. " * 4)
    study = examples.study([failed])
    opened = browser.new_page(viewport={"width": 390, "height": 844})
    opened.set_content(outputs.render(study, list(outputs.drawings(study))))
    reason = opened.locator(".reasons td").last.bounding_box()
    opened.close()
    assert reason is not None
    assert 0 <= reason["x"] < reason["x"] + reason["width"] <= 390


@pytest.fixture
def opened(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens the page of a study."""
    contexts = []

    def open_page(study: Study, **context: Any) -> Page:
        contexts.append(browser.new_context(**context))
        opened = contexts[-1].new_page()
        opened.set_content(outputs.render(study, list(outputs.drawings(study))))
        return opened

    yield open_page
    for context in contexts:
        context.close()


def test_the_kernels_that_failed_come_before_the_figures(opened: Callable[..., Page]):
    headings = opened(examples.blocks()).get_by_role("heading", level=2).all_inner_texts()
    assert headings[:2] == ["Not measured", "Time and GFLOPS of tiled.cu"]


def test_the_contents_lead_to_every_section(opened: Callable[..., Page]):
    shown = opened(examples.blocks())
    headings = shown.get_by_role("heading", level=2).all_inner_texts()
    assert shown.locator("nav a").all_inner_texts() == headings
    targets = shown.locator("nav a").evaluate_all("links => links.map(link => document.querySelector(link.hash))")
    assert None not in targets
    names = shown.locator("[id]").evaluate_all("all => all.map(one => one.id)")
    assert len(set(names)) == len(names)


def test_a_phone_shows_whole_figures_and_scrolls_nothing_but_tables(opened: Callable[..., Page]):
    shown = opened(examples.ladder(), viewport={"width": 390, "height": 844})
    assert shown.evaluate("document.documentElement.scrollWidth") == 390
    rights = "all => all.map(one => one.getBoundingClientRect().right)"
    assert all(right <= 390 for right in shown.locator("figure, figure svg, figure svg text").evaluate_all(rights))


def test_a_shadow_marks_the_side_on_which_a_table_goes_on(opened: Callable[..., Page]):
    shown = opened(examples.ladder(), viewport={"width": 390, "height": 844})
    region = shown.get_by_role("region", name="Roof of the device")

    def darkest() -> int:
        image = Image.open(io.BytesIO(region.screenshot())).convert("L")
        return min(image.crop((image.width - 4, 2, image.width - 1, image.height - 2)).tobytes())

    region.evaluate("one => one.querySelectorAll('th, td').forEach(cell => cell.style.color = 'transparent')")
    region.evaluate("one => one.querySelectorAll('th, td').forEach(cell => cell.style.borderColor = 'transparent')")
    before = darkest()
    region.evaluate("one => one.scrollLeft = one.scrollWidth")
    assert (before < 200, darkest() > 250) == (True, True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("study", [examples.blocks(), examples.simulated()])
def test_every_text_can_be_read(opened: Callable[..., Page], study: Study, scheme: str):
    assert opened(study, color_scheme=scheme).evaluate(PALE) == []


def test_times_of_a_column_have_the_same_number_of_digits():
    times = [line[4] for line in table(examples.blocks(), "Every kernel").lines]
    assert {len(time.replace(".", "").lstrip("0")) for time in times} == {4}


def test_hostile_names_stay_text():
    rows = [
        replace(row, file=f"{HOSTILE}.cu", variant=HOSTILE, reason=HOSTILE)
        for row in [examples.kernel("a.cu", {}, 100.0, n, 16) for n in (256, 512)]
    ]
    rows.append(examples.failed(f"{HOSTILE}.cu", Verdict.COMPILE_ERROR, HOSTILE))
    page = render(examples.study(rows, command=HOSTILE))
    assert not page.xpath("//script|//img|//@onerror")
    assert HOSTILE in page.text_content()


def test_the_ridge_is_in_flop_per_byte_and_in_operations_per_word():
    theory, measured = table(examples.blocks(), "Roof").lines
    assert theory == ("theory", "66,908", "4,916", "13.6", "54.4")
    assert measured == ("measured", "66,908", "4,210", "15.9", "63.6")


def test_the_fastest_at_each_size_is_named_with_its_block():
    first = table(examples.blocks(), "Fastest").lines[0]
    assert first[:3] == ("256", "tiled BLOCK=32", "32x32")


def test_copies_are_shown_in_parts_with_both_rates():
    shown = table(examples.blocks(), "With the copies")
    line = next(line for line in shown.lines if line[:2] == ("tiled BLOCK=16", "2048"))
    row = dict(zip(shown.columns, line, strict=True))
    parts = [float(row[name]) for name in ("to the device, ms", "kernel, ms", "to the host, ms")]
    assert sum(parts) == pytest.approx(float(row["total, ms"]), rel=0.001)
    assert float(row["GFLOPS, kernel"].replace(",", "")) > float(row["GFLOPS, total"].replace(",", ""))


def test_without_speeds_the_page_has_a_table_of_verdicts():
    verdicts = table(examples.simulated(), "Verdict at each size")
    assert verdicts.columns == ("kernel", "64")
    assert verdicts.lines == (("tiled BLOCK=8", "correct"), ("early", "wrong answer"))
    captions = [table.caption for table in page_tables.page_tables(examples.blocks())]
    assert "Verdict at each size" not in captions


def test_numbers_of_a_column_have_the_same_number_of_digits():
    intensities = [line[2] for line in table(examples.blocks(), "Arithmetic intensity").lines]
    assert intensities == ["2.00", "3.98", "7.94"]


def test_the_simulators_page_says_that_speed_was_not_measured():
    assert "speed was not measured" in render(examples.simulated()).text_content()


def test_all_files_are_written(tmp_path: Path):
    outputs.write(examples.blocks(), tmp_path)
    assert {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()} == {
        "sweep.csv", "sweep.json", "study.html", "figures/variants-1.svg", "figures/gflops.svg",
        "figures/speedup.svg", "figures/roofline.svg",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("block", "words"), [((256, 1, 1), "256"), ((32, 8, 1), "32x8"), ((1, 32, 1), "1x32"), ((1, 1, 1), "1")]
)
def test_a_block_is_named_by_its_sides_up_to_the_last_that_counts(block: tuple[int, int, int], words: str):
    row = replace(examples.blocks().rows[0], launch=Launch(block, (32, 32)))
    assert page_tables._block(row) == words


def test_the_device_table_has_its_capability_first():
    (table,) = [table for table in page_tables.page_tables(examples.blocks()) if table.caption.startswith("Device")]
    assert table.lines[0] == ("compute capability", "9.0")


def test_the_page_says_what_a_kernel_computes_for_what_it_moves():
    """A tile of 16 x 16 reads 2 x 16 elements for 2 x 16 x 16 operations: 4 FLOP per byte, 16 per float."""
    shown = {line[0]: line[1:4] for line in table(examples.blocks(), "Arithmetic intensity at N=2048").lines}
    assert shown["tiled BLOCK=16"] == ("16x16", "3.98", "15.9")  # the stores of C are counted too
