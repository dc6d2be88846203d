#include <lab.h>

// Stage a stretch of the row of A, shared by all 64 threads of the block
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float rowOfA[blockDim.x];
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y;
    float v = 0.0f;

    for (int base = 0; base < N; base += blockDim.x) {
        int mine = base + threadIdx.x;
        rowOfA[threadIdx.x] = mine < N ? A[r * N + mine] : 0.0f;
        __syncthreads();
        for (int k = 0; k < blockDim.x && base + k < N; k++)
            if (c < N)
                v += rowOfA[k] * B[(base + k) * N + c];
        __syncthreads();
    }
    if (c < N)
        C[r * N + c] = v;
}

LAUNCH(.block = {64}, .tile = {64, 1});
