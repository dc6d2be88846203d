#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c >= N) return;
    if (r >= N) return;

    const float *a = &A[r * N];
    const float *b = &B[c];
    float s = 0.0f;
    int k = 0;

    for (; k + 4 <= N; k += 4)
        s += a[k] * b[k * N] + a[k + 1] * b[(k + 1) * N]
           + a[k + 2] * b[(k + 2) * N] + a[k + 3] * b[(k + 3) * N];

    // 0 to 3 products remain
    switch (N - k) {
    case 3:
        s += a[k] * b[k * N] + a[k + 1] * b[(k + 1) * N] + a[k + 2] * b[(k + 2) * N];
    case 2:
        s += a[k] * b[k * N] + a[k + 1] * b[(k + 1) * N];
    case 1:
        s += a[k] * b[k * N];
    }

    C[r * N + c] = s;
}

LAUNCH(.block = {32, 4}, .tile = {32, 4});
