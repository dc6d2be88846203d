"""The picture of report.html in the documents: its beginning, as wide as a document shows it.

python tests/benchmarks/page_picture.py grade-report/report.html docs/report.png
"""

import shutil
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

WIDTH, HEIGHT, COLOURS = 960, 1040, 224


def picture(page: Path, to: Path) -> None:
    with sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        view = chromium.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        view.goto(page.resolve().as_uri())
        view.screenshot(path=to)
        chromium.close()
    Image.open(to).quantize(COLOURS).save(to, optimize=True)


if __name__ == "__main__":
    picture(Path(sys.argv[1]), Path(sys.argv[2]))
