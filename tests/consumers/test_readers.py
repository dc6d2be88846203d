"""Programs that read junit.xml, SARIF and rubrics agree with us on what the files say; hostile texts stay texts."""

import json
import re
from pathlib import Path

import pytest
from lxml import etree, html

from grader.batch.present.class_files import class_junit
from grader.export import sarif
from grader.host.installation import CHECKOUT
from grader.report import junit
from tests.batch.present import class_rows
from tests.consumers.programs import run
from tests.export import grades

KINDS = ("failure", "error", "skipped")


@pytest.fixture(params=["class", "wrong", "hostile text", "grader error"])
def junit_file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The JUnit file of a class, or of one report of each kind."""
    whole = class_junit(class_rows.rows()) if request.param == "class" else ""
    path = tmp_path / "junit.xml"
    path.write_text(whole or junit.render(grades.EVERY[request.param](), junit.Dialect("ci", "labs/one/matmul.cu")))
    return path


def counted(junit_file: Path) -> dict[str, int]:
    """How many cases ended in each way."""
    root = etree.parse(junit_file)
    ended = {kind: int(root.xpath(f"count(//testcase[{kind}])")) for kind in KINDS}
    return {"passed": int(root.xpath("count(//testcase)")) - sum(ended.values()), **ended}


def test_xunit_viewer_counts_the_same(junit_file: Path):
    said = run("xunit-viewer", "-r", junit_file, "-c", "-o", "page.html", folder=junit_file.parent)
    totals = {kind: int(number) for number, kind in re.findall(r"(\d+) (passed|failure|error|skipped)", said)}
    assert {**dict.fromkeys(("passed", *KINDS), 0), **totals} == counted(junit_file)


def test_junit_to_ctrf_counts_the_same_and_names_a_student_once(junit_file: Path):
    words = ("-o", "ctrf.json", "--use-suite-name=false")
    run("junit-to-ctrf", junit_file, *words, folder=junit_file.parent)
    results = json.loads((junit_file.parent / "ctrf.json").read_text())["results"]
    own = counted(junit_file)
    totals = [results["summary"][name] for name in ("passed", "failed", "skipped", "tests")]
    assert totals == [own["passed"], own["failure"] + own["error"], own["skipped"], sum(own.values())]
    names = [test["name"] for test in results["tests"]]
    assert not [name for name in names if re.match(r"(\w+): \1: ", name)]
    assert len(set(names)) == len(names)


def test_junit2json_reads_every_name(junit_file: Path):
    read = json.loads(run("junit2json", junit_file, folder=junit_file.parent).partition("\nnpm")[0])
    names = [case["name"] for suite in read["testsuite"] for case in suite["testcase"]]
    assert names == [str(name) for name in etree.parse(junit_file).xpath("//testcase/@name")]


def test_junit2html_shows_hostile_texts_as_texts(junit_file: Path):
    run("junit2html", junit_file, "page.html", folder=junit_file.parent)
    page = html.fromstring((junit_file.parent / "page.html").read_text())
    assert not [script for script in page.iter("script", "img") if "alert" in etree.tostring(script).decode()]
    assert all(str(suite) in page.text_content() for suite in etree.parse(junit_file).xpath("//testsuite/@name")[:1])


def test_githubs_code_scanning_accepts_every_log(tmp_path: Path):
    """The rules of the SARIF standard and of GitHub's service, as Microsoft's validator has them."""
    for name, made in grades.EVERY.items():
        (tmp_path / f"{name.replace(' ', '-')}.sarif").write_text(sarif.render(made(), "labs/my lab/m.cu"))
    said = run("sarif-multitool", "validate", "--rule-kind", "'Sarif;Ghas'", "*.sarif", folder=tmp_path)
    assert f"{len(grades.EVERY)} files scanned" in said
    assert ": error " not in said


def test_sarif_tools_find_the_mistake_and_its_line(tmp_path: Path):
    (tmp_path / "log.sarif").write_text(sarif.render(grades.EVERY["not compiled"](), "labs/m.cu"))
    run("sarif", "codeclimate", "log.sarif", "-o", "issues.json", folder=tmp_path)
    (issue,) = json.loads((tmp_path / "issues.json").read_text())
    assert (issue["check_name"], issue["location"]) == ("compile-error", {"path": "labs/m.cu", "lines": {"begin": 3}})


def test_an_editor_finds_the_schema_of_a_rubric_and_a_mistake_in_it(tmp_path: Path):
    rubrics = sorted((CHECKOUT / "rubrics").glob("*.toml"))
    run("taplo", "lint", *rubrics, folder=tmp_path)
    (tmp_path / "rubrics").mkdir()
    (tmp_path / "grader").symlink_to(CHECKOUT / "grader")
    wrong = tmp_path / "rubrics" / "wrong.toml"
    wrong.write_text(
        rubrics[0].read_text().replace("points = 100 ", "points = 'many' ").replace("format = 1", "format = 9")
    )
    assert "schema validation failed" in run("taplo", "lint", wrong, folder=tmp_path, status=1)
