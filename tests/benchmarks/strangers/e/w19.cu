#include <lab.h>

#define NT 32

extern "C" __global__ void matmul(const float *a, const float *b, float *c, int n)
{
    __shared__ float sa[NT][NT + 1];
    __shared__ float sb[NT][NT + 1];
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const unsigned row = blockIdx.y * NT + ty;
    const unsigned col = blockIdx.x * NT + tx;

    float result = 0.0f;
    for (unsigned k0 = 0; k0 < n; k0 += NT) {
        sa[ty][tx] = (row < n && k0 + tx < n) ? a[row * n + k0 + tx] : 0.0f;
        sb[ty][tx] = (col < n) ? b[(k0 + ty) * n + col] : 0.0f;
        __syncthreads();
        unsigned k = 0;
        do {
            result += sa[ty][k] * sb[k][tx];
            k++;
        } while (k < NT);
        __syncthreads();
    }

    if (row < n && col < n)
        c[row * n + col] = result;
}

LAUNCH(.block = {NT, NT}, .tile = {NT, NT});
