// 16 rows x 64 columns per block, every thread has 4 columns of one row
#include <lab.h>

#define BS 16
#define CPT 4   // columns per thread

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[BS][BS];
    __shared__ float b[BS][BS * CPT];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * BS + ty;
    const int col = blockIdx.x * (BS * CPT) + tx;

    float c[CPT] = {0.0f, 0.0f, 0.0f, 0.0f};

    for (int k0 = 0; k0 < N; k0 += BS) {
        a[ty][tx] = (row < N && k0 + tx < N) ? A[row * N + (k0 + tx)] : 0.0f;
        for (int j = 0; j < CPT; ++j) {
            int cc = col + j * BS;
            b[ty][tx + j * BS] = (k0 + ty < N && cc < N) ? B[(k0 + ty) * N + cc] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < BS; ++k) {
            float av = a[ty][k];
            #pragma unroll
            for (int j = 0; j < CPT; ++j)
                c[j] += av * b[k][tx + j * BS];
        }
        __syncthreads();
    }

    if (row < N)
        for (int j = 0; j < CPT; ++j)
            if (col + j * BS < N)
                C[row * N + col + j * BS] = c[j];
}

LAUNCH(.block = {BS, BS}, .tile = {BS * CPT, BS}, .grid_x = ROWS);
