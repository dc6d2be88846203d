#include <lab.h>

// use as many threads as possible
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < N && y < N) {
        float res = 0.0f;
        for (int i = 0; i < N; i++)
            res = fmaf(A[y * N + i], B[i * N + x], res);
        C[y * N + x] = res;
    }
}

LAUNCH(.block = {64, 32}, .tile = {64, 32});
