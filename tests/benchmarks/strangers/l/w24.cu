#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x >= N) return;
    if (y >= N) return;

    // walk along the row of A and down the column of B
    const float *a = A + (size_t)y * N;
    const float *b = B + x;
    float acc = 0.0f;
    int left = N;
    do {
        acc += *a * *b;
        a++;
        b += N;
    } while (--left > 1);

    *(C + (size_t)y * N + x) = acc;
}

LAUNCH(.block = {8, 32}, .tile = {8, 32});
