// Two threads per element: z = 0 takes the even k, z = 1 the odd k
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float odd[32][32];

    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    bool inside = row < N && col < N;

    float sum = 0.0f;
    if (inside) {
        for (int k = threadIdx.z; k < N; k += blockDim.z)
            sum += __ldg(&A[row * N + k]) * __ldg(&B[k * N + col]);
    }

    if (threadIdx.z == 1)
        odd[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();

    if (threadIdx.z == 0 && inside)
        C[row * N + col] = sum + odd[threadIdx.y][threadIdx.x];
}

LAUNCH(.block = {32, 32, 2}, .tile = {32, 32});
