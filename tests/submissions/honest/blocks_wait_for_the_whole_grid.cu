// expect: ok
// Every element begins as one of row 0 of B. Another block than the one that wrote it adds the products.
#include <cooperative_groups.h>
#include <lab.h>

namespace cg = cooperative_groups;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    cg::grid_group grid = cg::this_grid();
    for (unsigned long long i = grid.thread_rank(); i < (unsigned long long)N * N; i += grid.size())
        C[i] = B[i % N];
    grid.sync();
    unsigned long long mine = (unsigned long long)N * N - 1 - grid.thread_rank();  // written by another block
    if (grid.thread_rank() >= (unsigned long long)N * N)
        return;
    int row = mine / N, column = mine % N;
    float sum = A[(size_t)row * N] * C[mine];
    for (int k = 1; k < N; ++k)
        sum += A[(size_t)row * N + k] * B[(size_t)k * N + column];
    C[mine] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
