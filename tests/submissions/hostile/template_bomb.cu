// expect: compile-error
// Twice as many templates at each of 60 levels: the compiler works until it is stopped.
#include <lab.h>

template <int LEVEL, long PATH>
struct Bomb {
    static constexpr long value = Bomb<LEVEL - 1, 2 * PATH>::value + Bomb<LEVEL - 1, 2 * PATH + 1>::value;
};

template <long PATH>
struct Bomb<0, PATH> {
    static constexpr long value = PATH;
};

static_assert(Bomb<60, 0>::value >= 0, "never reached");

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
