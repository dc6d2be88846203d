#include <lab.h>

template <int TILE, int EACH>
__global__ void __launch_bounds__(TILE / EACH * TILE / EACH) matmul(const float *A, const float *B, float *C, int N) {
    __shared__ float As[TILE][TILE + 1];
    __shared__ float Bs[TILE][TILE + 1];
    constexpr int side = TILE / EACH;
    float sum[EACH][EACH] = {};
    int own = threadIdx.y * side + threadIdx.x;
    for (int t = 0; t < N; t += TILE) {
        for (int i = own; i < TILE * TILE; i += side * side) {
            int r = i / TILE, c = i % TILE;
            int row = blockIdx.y * TILE + r, col = blockIdx.x * TILE + c;
            As[r][c] = row < N && t + c < N ? A[row * N + t + c] : 0.0f;
            Bs[r][c] = t + r < N && col < N ? B[(t + r) * N + col] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
#pragma unroll
            for (int i = 0; i < EACH; ++i)
#pragma unroll
                for (int j = 0; j < EACH; ++j) sum[i][j] += As[threadIdx.y + i * side][k] * Bs[k][threadIdx.x + j * side];
        }
        __syncthreads();
    }
    for (int i = 0; i < EACH; ++i) {
        for (int j = 0; j < EACH; ++j) {
            int row = blockIdx.y * TILE + threadIdx.y + i * side, col = blockIdx.x * TILE + threadIdx.x + j * side;
            if (row < N && col < N) C[row * N + col] = sum[i][j];
        }
    }
}

template __global__ void matmul<64, 4>(const float *, const float *, float *, int);

LAUNCH(.block = {16, 16}, .tile = {64, 64});
