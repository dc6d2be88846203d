#include <lab.h>

#define GX 16
#define GY 16
#define GZ 4

// Four partial sums per element, collected in global memory with atomics.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
        int x = blockIdx.x * GX + threadIdx.x;
        int y = blockIdx.y * GY + threadIdx.y;
        int len = (N + GZ - 1) / GZ;
        int k0 = threadIdx.z * len;
        int k1 = k0 + len < N ? k0 + len : N;
        bool ok = x < N && y < N;

        if (ok && threadIdx.z == 0)
                C[y * N + x] = 0.0f;
        __syncthreads();        // all parts of an element belong to the same block

        if (!ok)
                return;
        float part = 0.0f;
        for (int k = k0; k < k1; k++)
                part += A[y * N + k] * B[k * N + x];
        if (k1 > k0)
                atomicAdd(C + y * N + x, part);
}

LAUNCH(.block = {GX, GY, GZ}, .tile = {GX, GY});
