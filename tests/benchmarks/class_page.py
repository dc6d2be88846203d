"""How long the class page of 300 invented students takes to write and to open, and its size.

python -m tests.benchmarks.class_page
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from grader.batch.present.class_page import class_page
from tests.batch.present import invented_class
from tests.conftest import QUIET

STUDENTS = 300
TIMES = 5


def main() -> None:
    """Print the size in kB, the CPU time to make the page, and the medians of its times in Chromium."""
    rows = invented_class.rows(STUDENTS)
    names = [row.submission.student for row in rows]
    links = {name: [(f"{name}/report.{kind}", kind) for kind in ("html", "json")] for name in names}
    before = time.process_time()
    text = class_page(rows, links)
    print(
        f"{STUDENTS} students: {len(text.encode()) / 1000:.0f} kB, made in {time.process_time() - before:.2f} s of CPU"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "index.html"
        path.write_text(text, encoding="utf-8")
        opened, filtered = zip(*_in_chromium(path), strict=True)
    print(f"opened in {sorted(opened)[TIMES // 2]:.0f} ms, filtered in {sorted(filtered)[TIMES // 2]:.0f} ms")


def _in_chromium(path: Path) -> list[tuple[float, float]]:
    """Return the milliseconds until the page was loaded and laid out, and for a filter with its layout."""
    filter_ = """
        () => {
            const start = performance.now();
            const state = document.querySelector("select[name=state]");
            state.value = "failed";
            state.dispatchEvent(new Event("input", { bubbles: true }));
            document.body.getBoundingClientRect();
            return performance.now() - start;
        }
    """
    measured = []
    with (
        sync_playwright() as started,
        started.chromium.launch(executable_path="/usr/bin/chromium", args=QUIET) as browser,
    ):
        for _ in range(TIMES):
            page = browser.new_page()
            page.goto(path.as_uri())
            load = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
            measured.append((load, page.evaluate(filter_)))
            page.close()
    return measured


if __name__ == "__main__":
    main()
