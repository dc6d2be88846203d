#include <lab.h>
#define BLK 16

__shared__ float shared_a[BLK * BLK];
__shared__ float shared_b[BLK * BLK];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int r = blockIdx.y * BLK + ty;
    int c = blockIdx.x * BLK + tx;
    float tmp = 0.0f;

    for (int start = 0; start < N; start += BLK)
    {
        /* load A */
        shared_a[ty * BLK + tx] = 0.0f;
        if (r < N && start + tx < N)
            shared_a[ty * BLK + tx] = A[r * N + (start + tx)];
        __syncthreads();

        /* load B */
        shared_b[ty * BLK + tx] = 0.0f;
        if (start + ty < N && c < N)
            shared_b[ty * BLK + tx] = B[(start + ty) * N + c];

        /* multiply */
        for (int k = 0; k < BLK; k++)
            tmp += shared_a[ty * BLK + k] * shared_b[k * BLK + tx];
        __syncthreads();
    }

    if (r < N && c < N)
        C[r * N + c] = tmp;
}

LAUNCH(.block = {BLK, BLK});
