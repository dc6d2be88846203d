#include <lab.h>

#define TW 32

extern __shared__ float smem[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float *As = smem;
    float *Bs = smem + TW * TW;

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = TW * blockIdx.y + ty;
    const int col = TW * blockIdx.x + tx;

    float pSum = 0.0f;
    for (int i = 0; i < N; i += TW)
    {
        As[ty * TW + tx] = (row < N && (i + tx) < N) ? A[row * N + (i + tx)] : 0.0f;
        Bs[ty * TW + tx] = ((i + ty) < N && col < N) ? B[(i + ty) * N + col] : 0.0f;
        __syncthreads();

        for (int j = 0; j < TW; j++)
            pSum += As[ty * TW + j] * Bs[j * TW + tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = pSum;
}

LAUNCH(.block = {TW, TW}, .tile = {TW, TW}, .shared = 2 * TW * TW);
