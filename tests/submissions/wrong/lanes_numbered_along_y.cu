// expect: wrong-answer
// Lanes are numbered along y first, and so a shuffle takes elements of A from threads with other rows.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int number = threadIdx.x * blockDim.y + threadIdx.y;
    int lane = number % 32, row = blockIdx.y * 8 + number / 32, col = blockIdx.x * 32 + lane;
    float sum = 0;
    for (int first = 0; first < N; first += 32) {
        float mine = row < N && first + lane < N ? A[row * N + first + lane] : 0;
        for (int k = 0; k < 32; ++k) {
            float a = __shfl_sync(0xffffffffu, mine, k);
            if (first + k < N && col < N)
                sum += a * B[(first + k) * N + col];
        }
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {32, 8});
