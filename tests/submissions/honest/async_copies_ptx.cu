// expect: ok
// Asynchronous copies as inline PTX; a source size of 0 fills with zeros beyond the edge.
#include <lab.h>

#define TILE 16

__device__ void copy(float *to, const float *matrix, int row, int col, int N)
{
    bool inside = row < N && col < N;
    unsigned target = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                 :
                 : "r"(target), "l"(inside ? matrix + row * N + col : matrix), "r"(inside ? 4 : 0)
                 : "memory");
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        copy(&As[ty][tx], A, row, first + tx, N);
        copy(&Bs[ty][tx], B, first + ty, col, N);
        asm volatile("cp.async.commit_group;" ::: "memory");
        asm volatile("cp.async.wait_group 0;" ::: "memory");
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
