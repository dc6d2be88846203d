// Dynamic shared memory, seen through pointers to padded rows
#include <lab.h>

constexpr int T = 32, PITCH = T + 1;
using Row = float[PITCH];

extern __shared__ unsigned char raw[];

extern "C" __global__ void __launch_bounds__(T *T) matmul(const float *A, const float *B, float *C, int N)
{
    Row *As = reinterpret_cast<Row *>(raw);
    Row *Bs = As + T;
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.x * T + ty, col = blockIdx.y * T + tx;
    float acc = 0.0f;

    for (int k0 = 0; k0 < N; k0 += T) {
        __syncthreads();  // the tiles before are no longer needed
        As[ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.0f;
        Bs[tx][ty] = k0 + ty < N && col < N ? B[(k0 + ty) * N + col] : 0.0f;  // transposed
        __syncthreads();
        for (int k = 0; k < T; ++k)
            acc += As[ty][k] * Bs[tx][k];
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {T, T}, .tile = {T, T}, .shared = 2 * T * sizeof(Row), .grid_x = ROWS);
