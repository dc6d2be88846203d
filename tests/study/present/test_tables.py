"""What `grade sweep` leaves on the terminal."""

from dataclasses import replace

from rich.console import Console

from grader.study.present import tables
from tests.study import examples


def test_a_baseline_is_named_with_its_library_and_not_with_the_processor():
    blas = replace(examples.blas(2048), implementation="openblas 0.3, 16 threads, 16 cores of Intel(R) Xeon(R)")
    rows = [row for row in examples.blocks((2048,)).rows if row.subject != "blas"]
    console = Console(width=120)
    with console.capture() as shown:
        console.print(tables.table(examples.study([*rows, blas])))
    assert "blas (openblas 0.3, 16 threads) " in shown.get()
    assert "cublas (cuBLAS 13.1.0) " in shown.get()
