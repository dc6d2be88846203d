/*
    Balanced version

    The launch gives one block per tile. We only keep half of them and let each do
    two tiles, so there are fewer blocks to schedule.
*/
#include <lab.h>

#define T 16

__device__ void oneTile(const float *A, const float *B, float *C, int N, int tileRow, int tileCol)
{
    __shared__ float a[T][T];
    __shared__ float b[T][T];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = tileRow * T + y, col = tileCol * T + x;

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += T) {
        a[y][x] = row < N && k0 + x < N ? A[row * N + k0 + x] : 0.0f;
        b[y][x] = col < N && k0 + y < N ? B[(k0 + y) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; ++k)
            sum += a[y][k] * b[k][x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int width = gridDim.x;
    const int total = gridDim.x * gridDim.y;
    const int workers = (total + 1) / 2;
    const int me = blockIdx.y * width + blockIdx.x;

    if (me >= workers)
        return;
    for (int id = me; id < total; id += workers)
        oneTile(A, B, C, N, id / width, id % width);
}

LAUNCH(.block = {T, T}, .tile = {T, T});
