#include <lab.h>
#define N_TILE 32

// Game engines 201 / GPU lab - tiled version
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tileA[N_TILE][N_TILE];
    __shared__ float tileB[N_TILE][N_TILE];

    const int x = blockIdx.x * N_TILE + threadIdx.x;
    const int y = blockIdx.y * N_TILE + threadIdx.y;

    float value = 0.0f;
    for (int offset = 0; offset < N; offset += N_TILE)
    {
        bool okA = y < N && offset + threadIdx.x < N;
        bool okB = x < N && offset + threadIdx.y < N;
        tileA[threadIdx.y][threadIdx.x] = okA ? A[y * N + offset + threadIdx.x] : 0.0f;
        tileB[threadIdx.y][threadIdx.x] = okB ? B[(offset + threadIdx.y) * N + x] : 0.0f;
        __syncthreads();

        for (int i = 0; i < N_TILE; i++)
        {
            value += tileA[threadIdx.y][i] * tileB[i][threadIdx.x];
        }
    }

    if (x < N && y < N)
    {
        C[y * N + x] = value;
    }
}

LAUNCH(.block = {N_TILE, N_TILE}, .tile = {N_TILE, N_TILE});
