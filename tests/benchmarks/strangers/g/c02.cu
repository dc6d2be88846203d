#include <lab.h>

/* translated from Fortran by hand */
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    long long i = (long long)blockIdx.y * blockDim.y + threadIdx.y;
    long long j = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long k = 0;
    float s = 0.0f;

    if (i >= N) goto done;
    if (j >= N) goto done;
next:
    s += k[A + i * N] * (k * N)[B + j];
    k++;
    if (k < N) goto next;
    C[i * N + j] = s;
done:
    return;
}

LAUNCH(.block = {32, 2, 1}, .tile = {32, 2});
