#include <lab.h>

#define D 32
#define TY 8

// Thread (tx, ty) computes rows 4*ty .. 4*ty+3 of the tile, then the tile of C is
// staged in shared memory and written row by row.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float left[D][D + 1];
    __shared__ float tile[D][D + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int i0 = blockIdx.y * D, j0 = blockIdx.x * D;
    float acc[4] = {0.0f, 0.0f, 0.0f, 0.0f};

    for (int k0 = 0; k0 < N; k0 += D) {
        __syncthreads();   // everybody has finished with the old tiles
        for (int y = ty; y < D; y += TY) {
            left[y][tx] = (i0 + y < N && k0 + tx < N) ? A[(i0 + y) * N + k0 + tx] : 0.0f;
            tile[y][tx] = (k0 + y < N && j0 + tx < N) ? B[(k0 + y) * N + j0 + tx] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < D; ++k)
            for (int i = 0; i < 4; ++i)
                acc[i] += left[4 * ty + i][k] * tile[k][tx];
    }

    for (int i = 0; i < 4; ++i)
        tile[4 * ty + i][tx] = acc[i];
    __syncthreads();

    for (int y = ty; y < D; y += TY)
        if (i0 + y < N && j0 + tx < N)
            C[(i0 + y) * N + j0 + tx] = tile[y][tx];
}

LAUNCH(.block = {D, TY}, .tile = {D, D});
