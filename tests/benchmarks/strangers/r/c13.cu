#include <lab.h>

#define TR 8      /* rows of the tile */
#define TC 32     /* columns of the tile */
#define KB 32     /* depth */

/* dynamic shared memory: first A's tile (TR x KB), then B's (KB x TC) */
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float mem[];
    float *ta = mem;
    float *tb = mem + TR * KB;
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.x * TR + ty;
    int col = blockIdx.y * TC + tx;
    int k0, k;
    float sum = 0.0f;

    for (k0 = 0; k0 < N; k0 += KB) {
        ta[ty * KB + tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f;
        for (k = ty; k < KB; k += TR)
            tb[k * TC + tx] = (k0 + k < N && col < N) ? B[(k0 + k) * N + col] : 0.0f;
        __syncthreads();
        for (k = 0; k < KB; k++)
            sum += ta[ty * KB + k] * tb[k * TC + tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TC, TR}, .tile = {TC, TR}, .shared = (TR * KB + KB * TC) * sizeof(float), .grid_x = ROWS);
