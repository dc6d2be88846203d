// expect: ok
// Takes the terms in the order of a table that the compiler computes.
#include <lab.h>

template <int N> struct Table {
    int v[N];
    constexpr Table() : v{}
    {
        for (int i = 0; i < N; ++i)
            v[i] = (i * 5) % N;
    }
};
__device__ constexpr Table<32> order;
static_assert(Table<32>().v[1] == 5);
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;

    if (row >= N || col >= N)
        return;
    float s = 0;
    int k = 0;
    for (; k + 32 <= N; k += 32) {
#pragma unroll 4
        for (int j = 0; j < 32; ++j) {
            int q = k + order.v[j];
            s += A[row * N + q] * B[q * N + col];
        }
    }
    for (; k < N; ++k)
        s += A[row * N + k] * B[k * N + col];
    C[row * N + col] = s;
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});
