// expect: ok
// 64 KiB of dynamic shared memory, more than the 48 KiB that a kernel can use by default.
#include <lab.h>

#define TILE 32
#define DEPTH 256

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float tiles[];
    float (*As)[DEPTH] = reinterpret_cast<float (*)[DEPTH]>(tiles);
    float (*Bs)[TILE] = reinterpret_cast<float (*)[TILE]>(tiles + TILE * DEPTH);
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    for (int first = 0; first < N; first += DEPTH) {
        for (int i = 0; i < DEPTH; i += TILE) {
            int a_col = first + i + tx, b_row = first + i + ty;
            As[ty][i + tx] = (row < N && a_col < N) ? A[row * N + a_col] : 0.0f;
            Bs[i + ty][tx] = (b_row < N && col < N) ? B[b_row * N + col] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < DEPTH; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE}, .shared = 2 * TILE * DEPTH * sizeof(float));
