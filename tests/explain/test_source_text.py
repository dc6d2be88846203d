"""What is where in the text of a submission."""

from grader.explain.source_text import SourceText


def test_functions_lambdas_and_macros_that_a_line_calls_are_found_and_conditions_are_not():
    source = SourceText.of(b"""#define SWAP(k, m) ((m) ^ (k))
__device__ int clamp(int i, int n) { return i < n ? i : n; }
__global__ void matmul(const float *A, int N) {
    auto at = [N](int i, int j) { return i * N + j; };
    if (N > 0) { sum += A[at(SWAP(k, m), clamp(j, N))]; }""")
    assert source.called_in(5) == [("at", 4), ("SWAP", 1), ("clamp", 2)]
