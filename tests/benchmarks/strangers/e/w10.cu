#include <lab.h>

#define BS 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float shA[BS][BS];
    const float *a = A + blockIdx.y * BS * N;   // first row of the block
    const float *b = B + blockIdx.x * BS;       // first column of the block
    float *c = C + blockIdx.y * BS * N + blockIdx.x * BS;
    int rows = min(BS, N - (int)blockIdx.y * BS);
    int cols = min(BS, N - (int)blockIdx.x * BS);
    int tx = threadIdx.x, ty = threadIdx.y;
    float sum = 0.0f;

    // only A is shared here, B comes through the L1 cache
    for (int k0 = 0; k0 < N && tx < cols; k0 += BS) {
        int kn = min(BS, N - k0);
        if (ty < rows && tx < kn)
            shA[ty][tx] = a[ty * N + k0 + tx];
        __syncthreads();
        if (ty < rows && tx < cols) {
            for (int k = 0; k < kn; k++)
                sum += shA[ty][k] * b[(k0 + k) * N + tx];
        }
        __syncthreads();
    }

    if (ty < rows && tx < cols)
        c[ty * N + tx] = sum;
}

LAUNCH(.block = {BS, BS}, .tile = {BS, BS});
