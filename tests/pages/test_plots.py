import re

import matplotlib as mpl
from lxml import etree
from matplotlib.figure import Figure

from grader.pages import plots


def figure(label: str = "yours") -> Figure:
    with plots.style():
        drawn = Figure(figsize=(4, 2.5))
        axes = drawn.subplots()
        axes.plot([256, 512, 1024], [1.0, 2.5, 4.0], "o-", label=label)
        axes.set_title("GFLOPS")
        axes.legend()
    return drawn


def parsed(text: str) -> etree._Element:
    return etree.fromstring(text.encode())


def names(text: str) -> set[str]:
    return set(re.findall(r'\bid="([^"]+)"', text))


def referred(text: str) -> set[str]:
    """Every name that something in the figure points at."""
    labels = " ".join(re.findall(r'aria-labelledby="([^"]+)"', text)).split()
    return {*labels, *re.findall(r'href="#([^"]+)"', text), *re.findall(r"url\(#([^)]+)\)", text)}


def test_a_figure_is_an_element_that_says_what_it_shows():
    root = parsed(plots.svg(figure(), "Speed", "It rises from 1 to 4."))
    assert (root.tag, root.get("role")) == ("svg", "img")
    said = {element.get("id"): element.text for element in root if element.tag in {"title", "desc"}}
    assert [said[name] for name in root.get("aria-labelledby", "").split()] == ["Speed", "It rises from 1 to 4."]


def test_words_in_a_figure_stay_words_whatever_they_are():
    text = plots.svg(figure("<script>alert(1)</script> costs $x$"), "</title><b>", "a & b")
    root = parsed(text)
    assert "<script>alert(1)</script> costs $x$" in [element.text for element in root.iter("text")]
    assert root.findtext("title") == "</title><b>"
    assert not list(root.iter("script"))


def test_the_same_figure_is_the_same_text():
    assert plots.svg(figure(), "Speed", "") == plots.svg(figure(), "Speed", "")
    assert plots.svg(figure(), "Speed", "") != plots.svg(figure(), "Time", "")


def test_two_figures_on_one_page_share_no_name_and_miss_none():
    first, other = plots.svg(figure(), "Speed", ""), plots.svg(figure(), "Time", "")
    assert names(first)
    assert not names(first) & names(other)
    assert referred(first) == names(first)


def test_a_figure_fits_its_place_and_takes_colour_and_font_from_the_page():
    text = plots.svg(figure(), "Speed", "")
    opening = text[: text.index(">")]
    assert "viewBox" in opening
    assert "width:100%" in opening
    assert " width=" not in opening
    assert "currentColor" in text
    assert plots.INK not in text
    assert "font-family" not in text
    assert "<style" not in text  # it would rule the whole page


def test_a_file_of_its_own_follows_a_dark_screen():
    text = plots.document(figure(), "Speed", "")
    assert parsed(text).tag == "{http://www.w3.org/2000/svg}svg"
    assert "prefers-color-scheme:dark" in text


def test_drawing_leaves_the_settings_of_others_alone():
    before = dict(mpl.rcParams)
    plots.svg(figure(), "Speed", "")
    assert dict(mpl.rcParams) == before


def test_what_the_user_set_for_other_figures_changes_nothing_here():
    plain = plots.svg(figure(), "Speed", "")
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "red"}):
        assert plots.svg(figure(), "Speed", "") == plain
