#include <lab.h>

#define TX 32
#define TY 2
#define KS 8     // parts of k

// thread (x, y, z) sums up the k with k % KS == z
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sum[TY * TX];

    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    const int col = blockIdx.x * TX + x;
    const int row = blockIdx.y * TY + y;
    const bool active = col < N && row < N;

    if (active) {
        float s = 0.0f;
        for (int k = z; k < N; k += KS)
            s = __fmaf_rn(A[row * N + k], B[k * N + col], s);
        atomicAdd(&sum[y * TX + x], s);
    }
    __syncthreads();

    if (active && z == KS - 1)
        C[row * N + col] = sum[y * TX + x];
}

LAUNCH(.block = {TX, TY, KS}, .tile = {TX, TY});
