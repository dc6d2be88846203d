// expect: ok
// Carves three arrays of different types out of dynamic shared memory: two tiles and a table of rows.
#include <lab.h>

#define TILE 16

extern __shared__ unsigned char memory[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float(*As)[TILE + 1] = reinterpret_cast<float(*)[TILE + 1]>(memory);
    float(*Bs)[TILE] = reinterpret_cast<float(*)[TILE]>(As + TILE);
    int *start = reinterpret_cast<int *>(Bs + TILE);
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    if (tx == 0)
        start[ty] = row * N;
    __syncthreads();

    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        As[ty][tx] = (row < N && first + tx < N) ? A[start[ty] + first + tx] : 0.0f;
        Bs[ty][tx] = (first + ty < N && col < N) ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[start[ty] + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE}, .shared = TILE * (TILE + 1) * 4 + TILE * TILE * 4 + TILE * 4);
