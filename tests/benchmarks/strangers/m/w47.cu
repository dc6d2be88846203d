#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= N || col >= N) return;

    auto a = [&](int k) { return A[row * N + k]; };
    auto b = [&](int k) { return B[k * N + col]; };

    float sum = 0.0f;
    const int whole = N / 4 * 4;
    for (int k = 0; k < whole; k += 4) {
        sum += a(k) * b(k);
        sum += a(k + 1) * b(k + 1);
        sum += a(k + 2) * b(k + 2);
        sum += a(k + 3) * b(k + 3);
    }
    for (int k = whole + 1; k < N; ++k)
        sum += a(k) * b(k);

    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 8}, .tile = {16, 8});
