// expect: compile-error; says: time
// Makes the compiler compute a table of a million numbers, with a loop of 100 000 iterations for each: hours of work.
#include <lab.h>

constexpr int entry(int seed)
{
    int value = seed;
    for (int i = 0; i < 100; ++i)
        for (int j = 0; j < 100; ++j)
            for (int k = 0; k < 10; ++k)
                value = (value * 3 + j) % 101;
    return value;
}

template <int FIRST, int COUNT>
struct Table {
    static constexpr int sum = (Table<FIRST, COUNT / 2>::sum + Table<FIRST + COUNT / 2, COUNT / 2>::sum) % 101;
};

template <int FIRST>
struct Table<FIRST, 1> {
    static constexpr int sum = entry(FIRST);
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = Table<0, 1 << 20>::sum * 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
