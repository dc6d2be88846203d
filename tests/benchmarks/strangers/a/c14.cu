#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    unsigned n = N;
    unsigned i = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned j = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;

    if (i >= n) goto done;
    if (j >= n) goto done;

    for (unsigned k = n; k-- > 0;)
        s += A[i * n + k] * B[k * n + j];
    C[i * n + j] = s;

done:
    return;
}

LAUNCH(.block = {32, 16});
