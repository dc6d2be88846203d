"""What `grade doctor` finds."""

import io

import pytest
from rich.console import Console

from grader.cli import doctor
from grader.host import machine
from grader.model import Backend


def by_name() -> dict[str, doctor.Finding]:
    return {finding.name: finding for finding in doctor.examine()}


def test_each_backend_is_available_or_has_a_reason_why_not():
    findings = [finding for finding in doctor.examine() if finding.enables]
    assert [finding.enables for finding in findings] == ["simulator", "cuda"]
    assert all(finding.text for finding in findings)


@pytest.mark.usefixtures("simulator")
def test_the_simulator_is_ready_where_there_is_a_compiler():
    findings = by_name()
    assert findings["simulator"].present
    assert findings["CUDA compiler"].present


def test_without_a_compiler_the_simulator_is_not_there(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NVCC_CCBIN", "/no/such/compiler")
    findings = by_name()
    assert not findings["simulator"].present
    assert findings["CUDA compiler"].text == "Correct NVCC_CCBIN, or unset it"


def test_what_two_backends_lack_is_listed_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NVCC_CCBIN", "/no/such/compiler")
    assert [finding.name for finding in doctor.examine()].count("CUDA compiler") == 1


def test_what_the_gpu_needs_and_lacks_is_listed_with_how_to_get_it():
    findings = by_name()
    for missing in machine.missing_for(Backend.CUDA):
        assert not findings[missing.part].present
        assert findings[missing.part].text == missing.fix


def test_the_table_fits_a_terminal_of_eighty_columns():
    file = io.StringIO()
    console = Console(file=file, width=80)
    console.print(doctor.table(doctor.examine()))
    text = file.getvalue()
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 80


def test_an_installed_python_package_does_not_make_an_engine_available(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    findings = by_name()
    assert not findings["container engine (optional)"].present
    assert not findings["g++"].present
    assert "docker" not in findings


def test_an_engine_that_is_installed_and_does_not_answer_is_none(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("shutil.which", lambda *_, **__: "/bin/false")
    engine = by_name()["container engine (optional)"]
    assert (engine.present, "no engine answers" in engine.text) == (False, True)


def test_a_missing_compute_sanitizer_is_listed_with_its_purpose(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    finding = by_name()["compute-sanitizer (optional)"]
    assert not finding.present
    assert "data races" in finding.text


def test_a_missing_dask_is_reported_before_a_class_is_graded(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(doctor, "find_spec", lambda _: None)
    assert not by_name()["Dask"].present
    assert "[batch]" in by_name()["Dask"].text


def test_what_the_machine_can_grade_is_its_last_sentence():
    assert doctor.conclusion([]).startswith("Not ready")
    assert "on the simulator" in doctor.conclusion([Backend.SIMULATOR])
    assert "on its GPU" in doctor.conclusion([Backend.SIMULATOR, Backend.CUDA])
