#include <mma.h>

// C is A to TF32: rounded by __float_to_tf32, and as the tensor cores read it without that.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 8, precision::tf32, row_major> a;
    fragment<matrix_b, 16, 16, 8, precision::tf32, col_major> unit;
    fragment<accumulator, 16, 16, 8, float> rounded, read;
    load_matrix_sync(a, A, 8);
    load_matrix_sync(unit, B, 8);
    fill_fragment(read, 0.0f);
    mma_sync(read, a, unit, read);
    for (auto &x : a.x) x = __float_to_tf32(x);
    fill_fragment(rounded, 0.0f);
    mma_sync(rounded, a, unit, rounded);
    store_matrix_sync(C, rounded, 16, mem_row_major);
    store_matrix_sync(C + 256, read, 16, mem_row_major);
}
