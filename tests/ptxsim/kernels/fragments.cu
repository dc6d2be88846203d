#include <cstdint>
#include <mma.h>
#include <type_traits>

using namespace nvcuda;

// One product of fragments, of the shape, types and layouts that the flags name.
#ifndef ROWS
#define IN half
#define OUT float
#define LAYOUT_A row_major
#define LAYOUT_B row_major
#define LAYOUT_C mem_row_major
#define ROWS 16
#define COLUMNS 16
#define TERMS 16
#endif
using Stored = std::conditional_t<std::is_same<IN, wmma::precision::tf32>::value, float, IN>;

extern "C" __global__ void matmul(const Stored *A, const Stored *B, OUT *C, int N) {
    wmma::fragment<wmma::matrix_a, ROWS, COLUMNS, TERMS, IN, wmma::LAYOUT_A> a;
    wmma::fragment<wmma::matrix_b, ROWS, COLUMNS, TERMS, IN, wmma::LAYOUT_B> b;
    wmma::fragment<wmma::accumulator, ROWS, COLUMNS, TERMS, OUT> c;
    bool by_row = wmma::LAYOUT_C == wmma::mem_row_major;
    wmma::load_matrix_sync(a, A, std::is_same<wmma::LAYOUT_A, wmma::row_major>::value ? TERMS : ROWS);
    wmma::load_matrix_sync(b, B, std::is_same<wmma::LAYOUT_B, wmma::row_major>::value ? COLUMNS : TERMS);
    wmma::load_matrix_sync(c, C, by_row ? COLUMNS : ROWS, wmma::LAYOUT_C);
    for (int i = 0; i < c.num_elements; ++i) c.x[i] = c.x[i] + c.x[i];
    wmma::mma_sync(c, a, b, c);
    wmma::store_matrix_sync(C, c, by_row ? COLUMNS : ROWS, wmma::LAYOUT_C);
}
