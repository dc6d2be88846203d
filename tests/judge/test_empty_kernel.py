from grader.judge.empty_kernel import empty_kernel, headers


def test_headers_of_c_and_of_cuda_are_found_in_any_spelling_and_order():
    spellings = b'  # include <vector>\n#include<cub/cub.cuh>\n#include "cuda/std/span" // spans\n#include <math.h>'
    assert headers(spellings) == ("cub/cub.cuh", "cuda/std/span", "math.h", "vector")


def test_headers_that_are_not_for_everybody_do_not_count():
    names = (
        "bits/stl_algo.h avxintrin.h stdatomic.h mine.h /etc/passwd ../vector thrust/system/tbb/vector.h cuda/__fwd/x"
    )
    assert headers("".join(f"#include <{name}>\n" for name in names.split()).encode()) == ()


def test_files_with_the_same_headers_share_one_text():
    one, other = b"#include <map>\n#include <set>\nint x;", b"#include <set>\n#include <map>\n#include <map>\n"
    assert empty_kernel(headers(one), "matmul") == empty_kernel(headers(other), "matmul")
