"""`make test-changed` runs what a change touches."""

from pathlib import Path

import pytest

from tests.changed import ALWAYS, ROOT, touched_by

TESTS_OF = {
    "grader/explain/wrong_elements/wrong_answer.py": "tests/explain",
    "grader/sandbox/bundles.py": "tests/sandbox/test_bundles.py",
    "grader/host/cache.py": "tests/test_launcher.py",
    "grader/pipeline.py": "tests/test_pipeline.py",
    "grader/ptxsim/generate/async_copies.py": "tests/ptxsim/generate",
    "rubrics/square.toml": "tests/test_labs.py",
    "tests/lab.py": "tests/test_blas_signature.py",
    "tests/advice/counted.py": "tests/advice/test_planted.py",
    "tests/cli/test_cli.py": "tests/cli/test_cli.py",
    "tests/submissions/hostile/cached_result.diff": "tests/test_corpus.py::test_a_submission_gets_its_verdict",
}


@pytest.mark.parametrize(("path", "test"), TESTS_OF.items(), ids=TESTS_OF)
def test_a_change_runs_the_tests_that_read_or_import_the_file(path: str, test: str):
    found = touched_by([Path(path)])
    assert [name for name in found if name.startswith(test)], found
    assert all((ROOT / name.partition("::")[0]).exists() for name in found)


def test_a_removed_test_is_not_run():
    assert touched_by([Path("tests/test_removed.py"), Path("tests/submissions/wrong/removed.cu")]) == sorted(ALWAYS)
