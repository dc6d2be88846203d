#include <lab.h>

// 256 threads in one dimension; tile = 32 rows x 16 columns, 2 rows per thread, 16 rows apart
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int tid = threadIdx.x;
    const int col = blockIdx.x * 16 + (tid & 15);
    const int top = blockIdx.y * 32;
    if (col >= N) return;

#pragma unroll
    for (int i = 0; i < 2; i++) {
        const int row = top + (tid >> 4 + 16 * i);
        if (row < N) {
            float dot = 0.f;
            const float *a = A + row * N, *b = B + col;
            for (int k = 0; k < N; k++, b += N)
                dot += a[k] * b[0];
            C[row * N + col] = dot;
        }
    }
}

LAUNCH(.block = {256}, .tile = {16, 32});
